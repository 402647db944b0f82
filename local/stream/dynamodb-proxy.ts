// Makes the stream records of tables. The embedded DynamoDB has streams, but with them every write takes about twice as
// long (measured with dynoxide 1.2.1). So the calls pass through here. Where the filter of a mapping may want the
// record, a put or a deletion answers the item before it, and for other writes the item is read before and after.
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
  request as send,
} from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { BatchGetItemCommandInput, BatchGetItemCommandOutput } from '@aws-sdk/client-dynamodb';
import { operationOf, readBody } from '../http/loopback.ts';
import type { TablePlan } from '../template/blueprint.ts';
import { type Filter, notKnown } from './filter.ts';
import { type JoinedBatch, joinBatch } from './joined-batch.ts';
import {
  type Attributes,
  type ItemWrite,
  isAllOrNothing,
  type KeyNames,
  UnreadableWriteError,
  writesOf,
} from './writes.ts';

/** One change of one item, before it has a sequence number. */
export interface ItemChange {
  readonly streamArn: string;
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly dynamodb: { readonly Keys: Attributes; readonly NewImage?: Attributes; readonly OldImage?: Attributes };
}

export interface DynamoDbProxyOptions {
  /** The address of the DynamoDB behind the proxy, without TLS. */
  readonly endpoint: string;
  /** The tables whose streams are followed. */
  readonly tables: readonly Pick<TablePlan, 'name' | 'streamArn' | 'KeySchema'>[];
  /** Whether a mapping may want a record. */
  readonly filter: Filter;
  /** Called in the order in which an item changed. */
  readonly changed: (change: ItemChange) => void;
}

interface DynamoDbProxy {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): void;
}

/** DynamoDB takes 16 MB; JSON escapes may double that. */
const largestRequestBytes = 33_554_432;
/** The response headers that AWS clients read. Others (CORS) stay behind the proxy. */
const keptHeaders = ['content-type', 'x-amzn-requestid', 'x-amz-crc32'];

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly content: Buffer;
}

type Call = (options: RequestOptions, body: Buffer | string) => Promise<Answer>;

const createCall =
  (endpoint: string, agent: Agent): Call =>
  async (options, body) => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      send(endpoint, { ...options, agent }, resolve)
        .once('error', reject)
        .end(body);
    });
    const content = await readBody(answer, Number.POSITIVE_INFINITY);
    return { status: answer.statusCode ?? 502, headers: answer.headers, content };
  };

/** Sends a batch as one transaction. undefined: it is none, or the transaction failed and nothing was written. */
const forwardJoined = async (
  joined: JoinedBatch | undefined,
  request: IncomingMessage,
  call: Call,
): Promise<Answer | undefined> => {
  if (joined === undefined) return undefined;
  const { operation, input, answer } = joined;
  const [api] = String(request.headers['x-amz-target']).split('.');
  const target = `${api}.${operation}`;
  const { status, headers } = await forward(request, JSON.stringify(input), call, { 'x-amz-target': target });
  if (status !== 200) return undefined;
  const { 'x-amz-crc32': checksum, ...kept } = headers;
  return { status, headers: kept, content: Buffer.from(JSON.stringify(answer)) };
};

/** Sends a request on. The answer is read to its end even if the caller disconnected: the next writer waits for it. */
const forward = (
  request: IncomingMessage,
  body: Buffer | string,
  call: Call,
  changed: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const { host, connection, origin, 'content-length': length, ...headers } = request.headers;
  return call({ method: request.method, path: request.url, headers: { ...headers, ...changed } }, body);
};

const sendBack = ({ status, headers, content }: Answer, response: ServerResponse): void => {
  const kept = keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  response.writeHead(status, Object.fromEntries(kept)).end(content);
};

/** Whether a call can be asked for the item before it, because its caller does not ask for anything. */
const showsOldImage = (operation: string, { ReturnValues = 'NONE' }: { readonly ReturnValues?: string }): boolean =>
  ReturnValues === 'NONE' && (operation === 'PutItem' || operation === 'DeleteItem');

/** The item before a call that was asked for it, and the answer that its caller expects. */
const withoutOldImage = (answer: Answer): { readonly before: Attributes | undefined; readonly expected: Answer } => {
  if (answer.status !== 200) return { before: undefined, expected: answer };
  const { Attributes: before, ...rest } = JSON.parse(answer.content.toString());
  const { 'x-amz-crc32': checksum, ...headers } = answer.headers;
  return { before, expected: { ...answer, headers, content: Buffer.from(JSON.stringify(rest)) } };
};

interface PassedCall {
  readonly operation: string;
  readonly input: { readonly ReturnValues?: string };
  /** Sends the call on, with these changes to its input. */
  readonly send: (changes?: object) => Promise<Answer>;
  /** Sends the answer back to the caller. */
  readonly answer: (answer: Answer) => void;
}

/** Passes the call on. Returns the written items before and after it. */
const observeWrites = async (
  writes: readonly ItemWrite[],
  { operation, input, send, answer }: PassedCall,
  read: (items: readonly ItemWrite[]) => Promise<Images>,
): Promise<readonly [before: Images, after: Images]> => {
  const [first] = writes;
  if (first !== undefined && showsOldImage(operation, input)) {
    const got = await send({ ReturnValues: 'ALL_OLD' });
    const { before, expected } = withoutOldImage(got);
    answer(expected);
    return [imagesOf(first, before), imagesOf(first, got.status === 200 ? first.item : undefined)];
  }
  const before = await read(writes);
  const got = await send();
  answer(got);
  return [before, imagesAfter(operation, writes, input, got) ?? (await read(writes))];
};

/** The items after a call, as far as its input and its answer show them; undefined where they must be read. */
const imagesAfter = (
  operation: string,
  writes: readonly ItemWrite[],
  call: { readonly ReturnValues?: string },
  { status, content }: Answer,
): Images | undefined => {
  if (status !== 200) return undefined;
  const [write] = writes;
  if (operation === 'UpdateItem' && write !== undefined && call.ReturnValues === 'ALL_NEW') {
    return new Map([[itemId(write), JSON.parse(content.toString()).Attributes]]);
  }
  if (!isAllOrNothing(operation)) return undefined;
  const images = new Map<string, Attributes>();
  for (const each of writes) if (each.item !== undefined) images.set(itemId(each), each.item);
  return images.size === writes.length ? images : undefined;
};

export const createDynamoDbProxy = (options: DynamoDbProxyOptions): DynamoDbProxy => {
  const { filter, changed } = options;
  const agent = new Agent({ keepAlive: true });
  const call = createCall(options.endpoint, agent);
  const tables = new Map(options.tables.map((table) => [table.name, table]));
  const keyNames = (table: string) => tables.get(table)?.KeySchema.map(({ AttributeName }) => AttributeName);
  const locks = createItemLocks();

  /** Whether the record may be wanted: a put shows the new item, an update only its key. */
  const isWanted = ({ key: Keys, item }: ItemWrite): boolean =>
    filter({ eventName: notKnown, dynamodb: { Keys, NewImage: item ?? notKnown, OldImage: notKnown } });

  const publish = (writes: readonly ItemWrite[], before: Images, after: Images): void => {
    for (const write of writes) {
      const [OldImage, NewImage] = [before.get(itemId(write)), after.get(itemId(write))];
      // A write that was declined, or that changed nothing, makes no record.
      if (isDeepStrictEqual(OldImage, NewImage)) continue;
      const eventName = OldImage === undefined ? 'INSERT' : NewImage === undefined ? 'REMOVE' : 'MODIFY';
      const images = { ...(NewImage && { NewImage }), ...(OldImage && { OldImage }) };
      const streamArn = tables.get(write.table)?.streamArn ?? '';
      changed({ streamArn, eventName, dynamodb: { Keys: write.key, ...images } });
    }
  };

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request, largestRequestBytes);
    const operation = operationOf(request);
    const input = tables.size === 0 ? {} : JSON.parse(body.toString() || '{}');
    const writes = writesOf(operation, input, keyNames);
    const byItem = new Map(writes.map((write) => [itemId(write), write]));
    await locks.hold([...byItem.keys()], async () => {
      const wanted = [...byItem.values()].filter(isWanted);
      const passed: PassedCall = {
        operation,
        input,
        send: async (changes) =>
          (await forwardJoined(joinBatch(operation, input), request, call)) ??
          forward(request, changes ? JSON.stringify({ ...input, ...changes }) : body, call),
        answer: (answer) => sendBack(answer, response),
      };
      const [before, after] = await observeWrites(wanted, passed, (items) => readImages(call, items, keyNames));
      publish(wanted, before, after);
    });
  };

  return {
    handle: async (request, response) => {
      try {
        await pass(request, response);
      } catch (error) {
        // If the connection to DynamoDB breaks, the caller's connection breaks too: the outcome of the write is
        // unknown.
        if (!(error instanceof UnreadableWriteError)) return void response.destroy(error as Error);
        const content = { __type: 'ValidationException', message: error.message };
        response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(content));
      }
    },
    close: () => agent.destroy(),
  };
};

/** By the `itemId` of each; an item that does not exist is missing. */
type Images = ReadonlyMap<string, Attributes>;

const imagesOf = (write: ItemWrite, image: Attributes | undefined): Images =>
  new Map(image === undefined ? [] : [[itemId(write), image]]);

type Keyed = Pick<ItemWrite, 'table' | 'key'>;

const itemId = ({ table, key }: Keyed): string => JSON.stringify([table, key]);

/** BatchGetItem takes a hundred keys. */
const keysPerCall = 100;

const readImages = async (call: Call, items: readonly Keyed[], keyNames: KeyNames): Promise<Images> => {
  const images = new Map<string, Attributes>();
  for (let start = 0; start < items.length; start += keysPerCall) {
    for await (const [table, item] of readBatch(call, items.slice(start, start + keysPerCall))) {
      images.set(itemId({ table, key: keyOf(item, keyNames(table) ?? []) }), item);
    }
  }
  return images;
};

/** Not signed by the SDK, whose calls take several times as long: the embedded DynamoDB checks no signature. */
const readHeaders = {
  'x-amz-target': 'DynamoDB_20120810.BatchGetItem',
  'x-amz-date': '20260101T000000Z',
  'content-type': 'application/x-amz-json-1.0',
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
};

/** @throws Error with the answer of a DynamoDB that does not read the items */
async function* readBatch(call: Call, items: readonly Keyed[]): AsyncIterable<[string, Attributes]> {
  const tables = Object.entries(Object.groupBy(items, ({ table }) => table));
  let unread: BatchGetItemCommandInput['RequestItems'] = Object.fromEntries(
    tables.map(([table, some = []]) => [table, { Keys: some.map(({ key }) => ({ ...key })), ConsistentRead: true }]),
  );
  while (Object.keys(unread ?? {}).length > 0) {
    const body = JSON.stringify({ RequestItems: unread });
    const { status, content } = await call({ method: 'POST', path: '/', headers: readHeaders }, body);
    if (status !== 200) throw new Error(`BatchGetItem answered ${status}: ${content}`);
    const answer = JSON.parse(content.toString()) as Pick<BatchGetItemCommandOutput, 'Responses' | 'UnprocessedKeys'>;
    for (const [table, found] of Object.entries(answer.Responses ?? {})) for (const item of found) yield [table, item];
    unread = answer.UnprocessedKeys;
  }
}

const keyOf = (item: Attributes, names: readonly string[]): Attributes =>
  Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])));

interface ItemLocks {
  /** Runs `work` when every earlier holder of one of these items has finished. */
  hold<Result>(items: readonly string[], work: () => Promise<Result>): Promise<Result>;
}

const createItemLocks = (): ItemLocks => {
  const last = new Map<string, Promise<void>>();
  return {
    hold: async (items, work) => {
      const before = items.map((item) => last.get(item));
      const { promise: done, resolve: release } = Promise.withResolvers<void>();
      // All items are taken before anything is awaited, so two callers cannot wait for each other.
      for (const item of items) last.set(item, done);
      await Promise.all(before);
      try {
        return await work();
      } finally {
        release();
        for (const item of items) if (last.get(item) === done) last.delete(item);
      }
    },
  };
};
