#!/usr/bin/env node
// The command `simporter-simulator`: the porting simulator as a program.
import { launch } from './launch.mjs';

await launch('simulator-program.js');
