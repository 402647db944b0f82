// SQS delivers the groups of a standard queue fairly; fauxqs forgets a message's group unless the queue is FIFO. Here each
// message gets its group back before it is kept, and each standard queue delivers its groups in turn.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { BuildAppOptions, buildApp } from 'fauxqs';
import { createTurns } from './turns.ts';

type SqsStore = NonNullable<NonNullable<BuildAppOptions['stores']>['sqsStore']>;
type SqsQueue = ReturnType<SqsStore['createQueue']>;

interface Entry {
  readonly MessageBody?: string;
  readonly MessageGroupId?: string;
}

/** What one request sends: one message, or the entries of a batch. */
type Sending = Entry & { readonly Entries?: readonly Entry[] };

/** The entries of the request that is being dealt with, less those that are in the queue already. */
const sending = new AsyncLocalStorage<Entry[]>();

/** Every queue that the store will have; so it comes before any is made or loaded. */
export function deliverFairly(store: SqsStore): void {
  const create = store.createQueue.bind(store);
  store.createQueue = (...definition) => {
    const queue = create(...definition);
    if (!queue.isFifo()) makeFair(queue);
    return queue;
  };
}

/** Before the server is ready. */
export function rememberGroups(app: ReturnType<typeof buildApp>): void {
  app.addHook('preHandler', (request, _, done) => {
    const body = (request.body ?? {}) as Sending;
    sending.run([...(body.Entries ?? [body])], done);
  });
}

function makeFair(queue: SqsQueue): void {
  const enqueue = queue.enqueue.bind(queue);
  queue.enqueue = (message) => {
    message.messageGroupId ??= takeGroup(message.body);
    enqueue(message);
  };
  let turns = createTurns(queue.messages);
  // A purge puts an empty array in its place.
  Object.defineProperty(queue, 'messages', {
    get: () => turns,
    set: (messages: SqsQueue['messages']) => {
      turns = createTurns(messages);
    },
  });
}

/** fauxqs keeps the entries' order, but leaves out those that it refuses: so the first with this body is meant. */
function takeGroup(body: string): string | undefined {
  const entries = sending.getStore() ?? [];
  const place = entries.findIndex(({ MessageBody }) => MessageBody === body);
  return place < 0 ? undefined : entries.splice(place, 1)[0]?.MessageGroupId;
}
