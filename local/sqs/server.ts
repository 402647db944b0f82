// The embedded SQS: AWS's JSON protocol over the queues of this machine.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { steadyClock } from '../clock.ts';
import { operationOf, readBody } from '../http/loopback.ts';
import { limits } from '../limits.ts';
import {
  type ActionInput,
  type ReceivedMessage,
  runAction,
  type SqsCaller,
  type SqsContext,
  SqsError,
} from './actions.ts';
import { MessageStore } from './message-store.ts';

interface SqsOptions {
  readonly accountId: string;
  readonly region: string;
  /** The address that queue URLs begin with. */
  readonly endpoint: string;
  /** The folder where messages are kept; in memory where undefined. */
  readonly directory: string | undefined;
}

type QueueWrite = 'SendMessage' | 'DeleteMessageBatch' | 'ChangeMessageVisibilityBatch';

/** Runs an action of SQS. @throws SqsError, or the reason of the signal */
export interface QueueCall {
  (operation: 'ReceiveMessage', input: ActionInput, caller?: SqsCaller): Promise<{ Messages?: ReceivedMessage[] }>;
  (operation: QueueWrite, input: ActionInput, caller?: SqsCaller): Promise<unknown>;
}

/** Eight times the largest batch: JSON escapes. */
const largestRequestBytes = 8 * limits.sqsMessageBytes.value;

/** What boto3 and the AWS CLI match on, beside the name in the body. */
const queryErrors: Readonly<Record<string, string>> = {
  QueueDoesNotExist: 'NonExistentQueue',
  EmptyBatchRequest: 'EmptyBatchRequest',
  TooManyEntriesInBatchRequest: 'TooManyEntriesInBatchRequest',
  InvalidBatchEntryId: 'InvalidBatchEntryId',
  BatchEntryIdsNotDistinct: 'BatchEntryIdsNotDistinct',
  BatchRequestTooLong: 'BatchRequestTooLong',
};

/** Lets receives wait for a queue, until a message is sent or a hidden one becomes visible. */
const createWaiters = (nextVisibleAt: (queue: string) => number | undefined, now: () => number) => {
  const waiting = new Map<string, Set<() => void>>();
  const wake = (queue: string): void => {
    for (const resume of waiting.get(queue) ?? []) resume();
  };
  return {
    wake,
    wakeAll: () => {
      for (const queue of waiting.keys()) wake(queue);
    },
    waitForMessage: (queue: string, milliseconds: number, signal?: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const resume = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', resume);
          waiting.get(queue)?.delete(resume);
          resolve();
        };
        const visibleIn = (nextVisibleAt(queue) ?? Number.POSITIVE_INFINITY) - now();
        const timer = setTimeout(resume, Math.max(1, Math.min(milliseconds, visibleIn)));
        signal?.addEventListener('abort', resume);
        waiting.set(queue, (waiting.get(queue) ?? new Set()).add(resume));
      }),
  };
};

const reply = (response: ServerResponse, status: number, content: unknown, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers }).end(JSON.stringify(content));
};

/** Opens the queues. Messages that were in flight when an earlier run ended are visible again at once. */
export const openSqs = ({ accountId, region, endpoint, directory }: SqsOptions) => {
  const steady = steadyClock();
  let advancedMs = 0;
  const now = () => steady() + advancedMs;
  const store = new MessageStore(directory === undefined ? undefined : join(directory, 'sqs.sqlite'), now);
  const waiters = createWaiters((queue) => store.nextVisibleAt(queue), now);
  const context: SqsContext = { store, accountId, region, endpoint, now, ...waiters };

  const run = async (request: IncomingMessage): Promise<unknown> => {
    const body = await readBody(request, largestRequestBytes);
    const caller = { traceHeader: request.headers['x-amzn-trace-id']?.toString() };
    return runAction(operationOf(request), JSON.parse(body.toString()), context, caller);
  };

  return {
    handle: async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      try {
        reply(response, 200, await run(request));
      } catch (error) {
        if (!(error instanceof SqsError)) throw error;
        const named = queryErrors[error.code];
        const queryError = `${named ? `AWS.SimpleQueueService.${named}` : error.code};Sender`;
        const content = { __type: `com.amazonaws.sqs#${error.code}`, message: error.message };
        reply(response, 400, content, { 'x-amzn-query-error': queryError });
      }
    },
    /** For the emulator itself: the same actions, without a connection and a signature. */
    call: (async (operation: string, body: object, caller: SqsCaller = {}) =>
      runAction(operation, body, context, caller)) as QueueCall,
    /** The queues themselves: reading them receives nothing. */
    store,
    /** Moves the time of the queues forward: delays and visibility timeouts end so much sooner. */
    advance: (milliseconds: number): void => {
      advancedMs += milliseconds;
      waiters.wakeAll();
    },
    stop: (): void => {
      waiters.wakeAll();
      store.close();
    },
  };
};

export type EmbeddedSqs = ReturnType<typeof openSqs>;
