// The program of one execution environment: loads a function once, then runs one invocation at a time.
import { flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { EnvironmentMessage, InvocationError, InvokeMessage } from './environment.ts';

type Handler = (event: unknown, context: unknown) => unknown;

const send = (message: EnvironmentMessage): void => {
  process.send?.(message);
};
const describe = (error: unknown): InvocationError =>
  error instanceof Error
    ? { name: error.name, message: error.message, stack: error.stack }
    : { name: 'Error', message: String(error) };
const peakRssKb = (): number => process.resourceUsage().maxRSS;

/** The part of Lambda's context that exists without Lambda. */
const contextOf = (message: InvokeMessage) => {
  // A monotonic clock: the wall clock may be set meanwhile.
  const end = performance.now() + message.remainingMs;
  return {
    awsRequestId: message.requestId,
    functionName: message.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: message.functionArn,
    memoryLimitInMB: String(message.memoryMb),
    logGroupName: `/aws/lambda/${message.functionName}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(end - performance.now())),
  };
};

const loadHandler = async (file: string, exported: string): Promise<Handler> => {
  const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const handler = module[exported];
  if (typeof handler !== 'function') throw new Error(`${file} does not export a function named "${exported}"`);
  return handler as Handler;
};

// The emulator has ended, so the answer is not needed.
process.on('disconnect', () => process.exit(0));

const [file = '', exported = 'handler'] = process.argv.slice(2);
try {
  const handler = await loadHandler(file, exported);
  process.on('message', async (message: InvokeMessage) => {
    const { requestId } = message;
    process.env._X_AMZN_TRACE_ID = message.traceHeader;
    try {
      const payload = await handler(message.event, contextOf(message));
      send({ type: 'result', requestId, payload: payload ?? null, peakRssKb: peakRssKb() });
    } catch (error) {
      send({ type: 'error', requestId, error: describe(error), peakRssKb: peakRssKb() });
    }
  });
  send({ type: 'ready' });
  // The environment will be killed, so the compiled code is written now. The next environment starts sooner with it.
  flushCompileCache();
} catch (error) {
  send({ type: 'start-failed', error: describe(error) });
}
