// Two versions run on one table and on the same queues during a canary release and after a rollback: an item or message
// that this version reads and writes again keeps what a newer version added to it.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { portRowsKey } from '#shared/port/port.ts';
import { decodeMessage } from '#shared/request/messages.ts';
import { numberKey } from '#shared/request/number-claim.ts';
import { createNumbers } from '#shared/store/numbers.ts';
import { createPorts } from '#shared/store/ports.ts';
import { readItem } from '#shared/store/table.ts';
import { type ItemKey, withoutKeys } from '#shared/text/stored-values.ts';
import { table } from '../chaos/pipeline.ts';
import type { World } from '../chaos/world.ts';
import { startApiWorld } from '../support/api/simulated-api.ts';
import { createTableTwin } from '../support/in-memory/table.ts';
import { iso, noon, portItemOf, portRowsOf } from '../support/steps/ledger-items.ts';
import { recordSamples, runImports } from './record-samples.ts';
import { type Samples, shapeOfItem, storedShapes } from './stored-shapes.ts';

type Raw = Record<string, unknown>;
let samples: Samples;
beforeAll(async () => {
  samples = await recordSamples();
});

const shapes = Object.entries(storedShapes).map(([name, schema]) => [name, schema as z.ZodMiniType] as const);
const of = (kind: string) => shapes.filter(([name]) => name.startsWith(`${kind} `));

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
  readonly valueType?: z.ZodMiniType;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
}

/** The value as a version writes it that has one more member in every object, at every level. */
function withMore(schema: z.ZodMiniType, value: unknown): unknown {
  const { innerType, element, valueType, shape } = schema.def as unknown as Definition;
  if (value === undefined || value === null) return value;
  if (innerType) return withMore(innerType, value);
  if (element) return (value as unknown[]).map((each) => withMore(element, each));
  const entries = Object.entries(value);
  if (valueType) return Object.fromEntries(entries.map(([name, each]) => [name, withMore(valueType, each)]));
  if (shape === undefined) return value;
  const members = entries.map(([name, each]) => [name, shape[name] ? withMore(shape[name], each) : each]);
  return { ...Object.fromEntries(members), addedLater: { by: ['a newer version'] } };
}

describe.each(of('item'))('the %s', (name, schema) => {
  const stored = () => (samples[name] ?? []) as Raw[];

  test('is read with all that a newer version added, at every level', () => {
    expect(stored().length).toBeGreaterThan(0);
    for (const item of stored()) {
      const newer = withMore(schema, item) as Raw;
      expect(readItem(schema, newer)).toEqual(withoutKeys(newer));
    }
  });

  test('is read by a version that knows more, which this version did not write', () => {
    const newer = z.extend(schema as z.ZodMiniObject, { addedLater: z.optional(z.string()) });
    for (const item of stored()) expect(readItem(newer, item)).toEqual(withoutKeys(item));
  });

  test('is checked by a schema that changes no value', () => {
    for (const item of stored()) expect(item).toMatchObject(schema.parse(item) as Raw);
  });
});

describe.each(of('message'))('the %s', (name, schema) => {
  test('is decoded with all that a newer version added', () => {
    for (const message of samples[name] ?? []) {
      const newer = withMore(schema, message);
      expect(decodeMessage(schema, JSON.stringify(newer))).toEqual(newer);
      expect(decodeMessage(schema, JSON.stringify(message))).toEqual(message);
    }
  });
});

/**
 * Written as a whole for the next reader: nothing in them outlasts the run that writes them. The lease of a run,
 * the time of a notification, the answer to one write.
 */
const replacedAsAWhole = ['item lease', 'item notification', 'item idempotency'];

/** As if a newer version had written every item first. Answers the shapes of items that lost what it added. */
function writeAsNewer({ table: twin }: World): Set<string> {
  const { send } = twin;
  const newer = new Set<string>();
  const lost = new Set<string>();
  const keyOf = ({ pk, sk }: Raw) => `${pk} ${sk}`;
  const look = async () => {
    for (const item of twin.items()) {
      const key = keyOf(item);
      if ('addedLater' in item) continue;
      if (newer.has(key)) lost.add(shapeOfItem(item));
      newer.add(key);
      const UpdateExpression = 'SET addedLater = :more';
      const Key = { pk: item.pk, sk: item.sk };
      const ExpressionAttributeValues = { ':more': { by: 'a newer version' } };
      await send(new UpdateCommand({ TableName: table, Key, UpdateExpression, ExpressionAttributeValues }));
    }
  };
  Object.assign(twin, {
    send: async (command: { readonly input: unknown }) => {
      const answer = await send(command);
      if (!/^(Get|Query|BatchGet)Command$/.test(command.constructor.name)) await look();
      return answer;
    },
  });
  return lost;
}

test('no item loses what a newer version added, from the upload to the end of its ports', async () => {
  const api = startApiWorld();
  const lost = writeAsNewer(api.world);
  await runImports(api);
  expect([...lost].filter((shape) => !replacedAsAWhole.includes(shape))).toEqual([]);
  expect(new Set(api.world.table.items().map(({ state }) => state))).toContain('finished');
});

describe('an item that only some runs replace keeps it too:', () => {
  const addedLater = { by: 'a newer version' };
  const twin = createTableTwin({ now: () => noon });
  const client = twin as never;
  const stored = (sk: string) => twin.items().find((item) => item.sk === sk);
  const add = (Key: ItemKey) => {
    const ExpressionAttributeValues = { ':more': addedLater };
    const UpdateExpression = 'SET addedLater = :more';
    return twin.send(new UpdateCommand({ TableName: table, Key, UpdateExpression, ExpressionAttributeValues }));
  };

  test('the rows of a port that change', async () => {
    const ports = createPorts(client, table);
    const seen = portItemOf();
    await ports.record({ seen: undefined, next: seen, rows: portRowsOf('PacValid') });
    await add(portRowsKey(seen.portId));
    await ports.record({ seen, next: seen, rows: portRowsOf('Cancelled') });
    expect(stored('rows')).toMatchObject({ rows: portRowsOf('Cancelled'), addedLater });
  });

  test('a number whose claim another import takes over, without what was known of the former claim', async () => {
    const numbers = createNumbers(client, table);
    const latest = { portId: 'p', status: 'Cancelled', readAt: iso(noon), ended: true };
    const claim = {
      number: '1',
      importId: 'a',
      request: 1,
      line: 2,
      claimedAt: iso(noon),
      expiresAt: 1_850_000_000,
      latest,
    };
    await numbers.claim([claim]);
    await add(numberKey('1'));
    const [seen] = await numbers.getMany(['1']);
    await numbers.takeOver(seen ?? claim, { ...claim, importId: 'b', latest: undefined });
    expect(stored('current')).toMatchObject({ importId: 'b', addedLater });
    expect(stored('current')).not.toHaveProperty('latest');
    expect(stored(`history#${iso(noon)}`)).toMatchObject({ importId: 'a', addedLater, latest });
  });
});
