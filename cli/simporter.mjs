// Starts the simporter command. This file is JavaScript: Node would load its TypeScript compiler for a file that cannot
// be in the compile cache yet, and older versions of Node read it to say what is missing.
import { fileURLToPath } from 'node:url';
import { launch } from './launch.mjs';

const compileCache = fileURLToPath(new URL('../node_modules/.cache/simporter/code', import.meta.url));
await launch(new URL('./main.ts', import.meta.url).href, compileCache);
