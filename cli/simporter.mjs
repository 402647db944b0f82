// Starts the simporter command. This file is JavaScript, because Node would load its TypeScript compiler for a file that
// cannot be in the compile cache yet. All other modules are compiled once, not at each start.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'simporter', 'code'));
await import('./main.ts');
