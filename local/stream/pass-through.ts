// A stream for a DynamoDB whose own is too slow (docs/decisions/0013): every call of the functions passes through here, and
// those that may change what a mapping's filter lets through are seen before and after. Only the functions write.
import { Agent, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Loopback, serveOnLoopback } from '../loopback.ts';
import type { TablePlan } from '../template/blueprint.ts';
import { type Filter, notKnown } from './filter.ts';
import { type Images, idOf, readImages } from './images.ts';
import { createItemLocks } from './item-locks.ts';
import { type Attributes, type ItemWrite, isAllOrNothing, isReading, UnseenWrite, writesOf } from './writes.ts';

/** One change of one item, before it is numbered. */
export interface Change {
  readonly streamArn: string;
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly dynamodb: { readonly Keys: Attributes; readonly NewImage?: Attributes; readonly OldImage?: Attributes };
}

export interface PassThroughOptions {
  /** Where the calls go: plain HTTP. */
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  readonly tables: readonly Pick<TablePlan, 'name' | 'streamArn' | 'KeySchema'>[];
  /** What anybody wants to hear of. */
  readonly filter: Filter;
  /** Called in the order in which an item changed. */
  readonly changed: (change: Change) => void;
}

const operationOf = ({ headers }: IncomingMessage): string =>
  headers['x-amz-target']?.toString().split('.').at(-1) ?? 'an unknown call';

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** undefined: what one of them left behind is not known from the call. */
function imagesAsSent(writes: readonly ItemWrite[]): Images | undefined {
  const images = new Map<string, Attributes>();
  for (const write of writes) if (write.item !== undefined) images.set(idOf(write), write.item);
  return images.size === writes.length ? images : undefined;
}

export async function startPassThrough(options: PassThroughOptions): Promise<Loopback> {
  const { client, filter } = options;
  const agent = new Agent({ keepAlive: true });
  const tables = new Map(options.tables.map((table) => [table.name, table]));
  const keyNames = (table: string) => tables.get(table)?.KeySchema.map(({ AttributeName }) => AttributeName);
  const locks = createItemLocks();

  /** Answers the status that the call was answered with. */
  const forward = (request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<number> =>
    new Promise((resolve, reject) => {
      const { host, connection, ...headers } = request.headers;
      const outgoing = send(
        options.endpoint,
        { agent, method: request.method, path: request.url, headers },
        // Read to its end whether or not somebody still listens: the next writer of the item waits for that.
        (answer) => {
          readBody(answer).then((content) => {
            const { statusCode = 502 } = answer;
            response.writeHead(statusCode, answer.headers).end(content);
            resolve(statusCode);
          }, reject);
        },
      );
      outgoing.once('error', reject).end(body);
    });

  /** Whether the write can make a record that somebody wants: of a put all is known, of an update only the key. */
  const isWanted = ({ key: Keys, item }: ItemWrite): boolean =>
    filter({ eventName: notKnown, dynamodb: { Keys, NewImage: item ?? notKnown, OldImage: notKnown } });

  const tell = (writes: readonly ItemWrite[], before: Images, after: Images): void => {
    for (const write of writes) {
      const [OldImage, NewImage] = [before.get(idOf(write)), after.get(idOf(write))];
      // Refused by its condition, or written as it was: a stream says nothing of it.
      if (isDeepStrictEqual(OldImage, NewImage)) continue;
      const eventName = OldImage === undefined ? 'INSERT' : NewImage === undefined ? 'REMOVE' : 'MODIFY';
      const images = { ...(NewImage && { NewImage }), ...(OldImage && { OldImage }) };
      const streamArn = tables.get(write.table)?.streamArn ?? '';
      options.changed({ streamArn, eventName, dynamodb: { Keys: write.key, ...images } });
    }
  };

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    const operation = operationOf(request);
    if (isReading(operation)) return void (await forward(request, body, response));
    const writes = writesOf(operation, JSON.parse(body.toString() || '{}'), keyNames);
    const byItem = new Map(writes.map((write) => [idOf(write), write]));
    await locks.hold([...byItem.keys()], async () => {
      const wanted = [...byItem.values()].filter(isWanted);
      if (wanted.length === 0) return void (await forward(request, body, response));
      const before = await readImages(client, wanted, keyNames);
      const status = await forward(request, body, response);
      const isTaken = status === 200 && isAllOrNothing(operation);
      tell(wanted, before, (isTaken && imagesAsSent(wanted)) || (await readImages(client, wanted, keyNames)));
    });
  };

  const server = await serveOnLoopback((request, response) => {
    pass(request, response).catch((error: unknown) => {
      // A connection that broke breaks for the caller as well: whether the write was made is then for him to find out.
      if (!(error instanceof UnseenWrite)) return void response.destroy(error as Error);
      const content = { __type: 'ValidationException', message: error.message };
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(content));
    });
  });
  const close = async (): Promise<void> => {
    await server.close();
    agent.destroy();
  };
  return { ...server, close };
}
