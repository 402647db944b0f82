#!/usr/bin/env node
// The command `simporter-simulator`: the porting simulator as a program.
import { launch } from '../launch.js';

await launch(new URL('../simulator-program.js', import.meta.url).href);
