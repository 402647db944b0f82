// The program between the emulator and a program that does not know it (see child-process.ts): runs that program,
// and ends it when the emulator disconnects, however that happens.
import { spawn } from 'node:child_process';
import { takeLock } from './folder-lock.ts';

const patienceMs = 3_000;

const [lock = '', program = '', ...words] = process.argv.slice(2);
// The program of an emulator that was killed may still be ending.
if (lock !== '' && takeLock(lock, 2 * patienceMs) === undefined) {
  console.error(`${lock} is locked: the program of an earlier emulator does not end`);
  process.exit(1);
}
const child = spawn(program, words, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });
child.on('error', (error) => {
  console.error(String(error));
  process.exit(1);
});
child.on('exit', (code) => process.exit(code ?? 1));
process.on('disconnect', () => {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), patienceMs);
});
