// npm as a command. On Windows it is a batch file, which only a shell starts.
import { execFileSync } from 'node:child_process';

/** @returns what it has written to stdout */
export const runNpm = (words: readonly string[], cwd: string): string =>
  execFileSync('npm', words, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
