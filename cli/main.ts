// The simporter command. Everything it does is in program.ts; here is only the process around it.
import { runCommandLine } from './program.ts';
import { processSurroundings } from './session.ts';

const interruption = new AbortController();
process.once('SIGINT', () => {
  interruption.abort(new Error('interrupted'));
  // Whoever asks twice does not want to wait for a tidy end; what is left behind goes at the next start.
  process.once('SIGINT', () => process.exit(130));
});
process.once('SIGTERM', () => interruption.abort(new Error('terminated')));
// The reader of a pipe may have seen enough (`simporter results X | head`): that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2), processSurroundings(interruption.signal));
