// Records what today's code stores and sends: the simulated pipeline runs a few imports from upload to end, and every
// item, message, plan and event of these runs is kept.
import { announcementOf } from '#functions/announce/handler.ts';
import {
  approvalMessage,
  reportMessage,
  rescheduleMessage,
  resumeMessage,
  stopMessage,
  submitMessage,
} from '#shared/request/messages.ts';
import { buckets, queueUrl } from '../chaos/pipeline.ts';
import { rowsFrom } from '../chaos/scenario.ts';
import { type ApiWorld, startApiWorld } from '../support/api/simulated-api.ts';
import { type Samples, shapeOfItem } from './stored-shapes.ts';

const hour = 3_600_000;
/** Of each shape with the same members and states, one shows what all of them show. */
const mostSamples = 12;

type Raw = Readonly<Record<string, unknown>>;

/** The imports: complete ports, an invalid PAC, rows that are invalid or skipped, a rejected file, a changed date. */
export async function runImports(api: ApiWorld): Promise<void> {
  const { call, plan, send, pass } = api;
  await plan('waits.csv', rowsFrom(40, ['ABC123456']));
  await plan('rejected.csv', [{ msisdn: 'x', serialNo: 'y', pac: 'z', boltOns: '' }]);
  const finished = await send('july.csv', rowsFrom(0, ['ABC123456', 'ABC123457', 'INV846125']));
  const [row] = rowsFrom(30, ['ABC123456']);
  const twice = await send('twice.csv', [...rowsFrom(0, ['ABC123456']), ...(row ? [row] : [])]);
  await call('POST', `/imports/${twice}/stop`, { body: { because: 'Order 7' } });
  await pass(hour);
  await call('POST', `/imports/${twice}/resume`, { body: { because: 'Order 7' } });
  await call('POST', '/uploads', { body: { operation: 'create-port', fileName: 'begun.csv', bytes: 10 } });
  for (let hours = 0; hours < 12 * 24; hours += 12) await pass(12 * hour);
  await call('POST', `/imports/${finished}/reschedule`, { body: { date: 'auto', because: 'Order 7' } });
  await pass(hour);
}

/** Items as they were put, in the order of time; then as they are stored at the end. */
function itemsOf({ world }: ApiWorld): Raw[] {
  const put = world.heard.spoken.flatMap((text) => {
    const [, command, input = ''] = /^(PutCommand|TransactWriteCommand) (\{.*)$/s.exec(text) ?? [];
    if (command === undefined) return [];
    const parsed = JSON.parse(input);
    const writes: { Put?: { Item: Raw } }[] = command === 'PutCommand' ? [{ Put: parsed }] : parsed.TransactItems;
    return writes.flatMap(({ Put }) => (Put === undefined ? [] : [Put.Item]));
  });
  return [...put, ...world.table.items()];
}

const messageShapes = [
  ['message submit', submitMessage],
  ['message approval', approvalMessage],
  ['message reschedule', rescheduleMessage],
  ['message stop', stopMessage],
  ['message resume', resumeMessage],
  ['message report', reportMessage],
] as const;

function messagesOf({ world }: ApiWorld, commands: readonly unknown[]): [string, unknown][] {
  const sent = world.heard.spoken.flatMap((text): unknown[] => {
    const [, input] = /^SendMessageBatchCommand (\{.*)$/s.exec(text) ?? [];
    if (input === undefined) return [];
    const { Entries } = JSON.parse(input) as { Entries: { MessageBody: string }[] };
    return Entries.map(({ MessageBody }) => JSON.parse(MessageBody));
  });
  return [...sent, ...commands].flatMap((body): [string, unknown][] => {
    const [shape] = messageShapes.find(([, schema]) => schema.safeParse(body).success) ?? [];
    return shape === undefined ? [] : [[shape, body]];
  });
}

function filesOf({ world }: ApiWorld): [string, unknown][] {
  const names = ['plan.ndjson', 'plan-index.ndjson', 'results-index.json'];
  return [buckets.work, buckets.results].flatMap((bucket) =>
    world.bucket.written(bucket).flatMap(({ key }) => {
      const name = names.find((one) => key.endsWith(`/${one}`));
      const lines = world.bucket.text(bucket, key).split('\n').filter(Boolean);
      return name === undefined ? [] : lines.map((line): [string, unknown] => [`file ${name}`, JSON.parse(line)]);
    }),
  );
}

const kinds = {
  'item import': 'import',
  'item request': 'request',
  'item number': 'number',
  'item port': 'port',
  'item port event': 'port-event',
} as const;

function eventsOf(items: readonly Raw[]): [string, unknown][] {
  return items.flatMap((item): [string, unknown][] => {
    const kind = kinds[shapeOfItem(item) as keyof typeof kinds];
    if (kind === undefined) return [];
    const announced = announcementOf({ kind, was: undefined, is: item } as unknown as Parameters<
      typeof announcementOf
    >[0]);
    return announced === undefined ? [] : [[`event ${announced.name}`, announced.detail]];
  });
}

/** Samples with the same signature show the same. */
function signatureOf(sample: unknown): string {
  if (typeof sample !== 'object' || sample === null) return typeof sample;
  const { state, status, scope, ...members } = sample as Raw;
  return JSON.stringify([state, status, scope, Object.keys(members).sort()]);
}

export async function recordSamples(): Promise<Samples> {
  const api = startApiWorld();
  const commands: unknown[] = [];
  const { add } = api.world.queue;
  Object.assign(api.world.queue, {
    add: (url: string, body: unknown, delayMs?: number) => {
      if (url === queueUrl('command')) commands.push(body);
      add(url, body, delayMs);
    },
  });
  await runImports(api);
  const items = itemsOf(api);
  const all: [string, unknown][] = [
    ...items.map((item): [string, unknown] => [shapeOfItem(item), item]),
    ...messagesOf(api, commands),
    ...filesOf(api),
    ...eventsOf(items),
  ];
  const samples = new Map<string, Map<string, unknown>>();
  for (const [shape, sample] of all) {
    const kept = samples.get(shape) ?? new Map<string, unknown>();
    const signature = signatureOf(sample);
    if (!kept.has(signature) && kept.size < mostSamples) samples.set(shape, kept.set(signature, sample));
  }
  return Object.fromEntries([...samples].map(([shape, kept]) => [shape, [...kept.values()]]));
}
