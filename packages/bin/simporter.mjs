#!/usr/bin/env node
// The command `simporter`.
import { launch } from './launch.mjs';

await launch('cli.js');
