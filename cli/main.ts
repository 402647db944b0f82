// The process around program.ts: its signals, its streams and its exit code.
import { currentProcess } from './context/cli-context.ts';
import { runCommandLine } from './program.ts';

const interruption = new AbortController();
process.once('SIGINT', () => {
  interruption.abort(new Error('interrupted'));
  // A second Ctrl-C ends the process at once; the next start removes what it leaves behind.
  process.once('SIGINT', () => process.exit(130));
});
process.once('SIGTERM', () => interruption.abort(new Error('terminated')));
// The reader of a pipe may close it early (`simporter results X | head`): this is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
// Nobody reads the notes: the answer and the exit code are the same.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2), currentProcess(interruption.signal));
