#!/usr/bin/env node
// The command `simporter`.
import { launch } from '../launch.js';

await launch(new URL('../cli.js', import.meta.url).href);
