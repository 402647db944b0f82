// Paths of files with `/` on every system, as the repository and its pages write them.
import { type GlobOptionsWithoutFileTypes, globSync } from 'node:fs';

export const globFiles = (pattern: string | readonly string[], options: GlobOptionsWithoutFileTypes = {}): string[] =>
  globSync(pattern, options).map((path) => path.replaceAll('\\', '/'));
