// The program of one execution environment: loads a function once, then answers one invocation at a time over IPC.
import { flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { wallClock } from '#shared/runtime/clock.ts';
import type { EnvironmentMessage, InvocationError, InvokeMessage } from './messages.ts';

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
const contextOf = (message: InvokeMessage) => ({
  awsRequestId: message.requestId,
  functionName: message.functionName,
  functionVersion: '$LATEST',
  invokedFunctionArn: message.functionArn,
  memoryLimitInMB: String(message.memoryMb),
  logGroupName: `/aws/lambda/${message.functionName}`,
  logStreamName: 'local',
  callbackWaitsForEmptyEventLoop: false,
  getRemainingTimeInMillis: () => Math.max(0, message.deadline - wallClock()),
});

const loadHandler = async (file: string, exported: string): Promise<Handler> => {
  const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const handler = module[exported];
  if (typeof handler !== 'function') throw new Error(`${file} does not export a function named "${exported}"`);
  return handler as Handler;
};

// The engine is gone: so is whoever would have read the answer.
process.on('disconnect', () => process.exit(0));

const [file = '', exported = 'handler'] = process.argv.slice(2);
try {
  const handler = await loadHandler(file, exported);
  process.on('message', async (message: InvokeMessage) => {
    const { requestId } = message;
    try {
      const payload = await handler(message.event, contextOf(message));
      send({ type: 'result', requestId, payload: payload ?? null, peakRssKb: peakRssKb() });
    } catch (error) {
      send({ type: 'error', requestId, error: describe(error), peakRssKb: peakRssKb() });
    }
  });
  send({ type: 'ready' });
  // Written now and not at the end: environments are killed. The next one then need not compile the bundle again.
  flushCompileCache();
} catch (error) {
  send({ type: 'start-failed', error: describe(error) });
}
