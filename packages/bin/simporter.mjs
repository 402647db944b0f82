#!/usr/bin/env node
// The command `simporter`.
import { launch } from '../../cli/launch.mjs';

await launch(new URL('../cli.js', import.meta.url).href);
