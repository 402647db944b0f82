// A member that an endpoint does not take is an error: nobody believes that it had an effect.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Endpoint } from '#functions/api/http/endpoint.ts';
import { readEndpoints } from '#functions/api/read/endpoints.ts';
import { simulatorEndpoints } from '#functions/api/simulator.ts';
import { writeEndpoints } from '#functions/api/write/endpoints.ts';
import { rowsFrom } from '../../../chaos/scenario.ts';
import { operator, startApiWorld } from '../../../support/api/simulated-api.ts';

const endpoints: Readonly<Record<string, Endpoint<never>>> = {
  ...readEndpoints,
  ...writeEndpoints,
  ...simulatorEndpoints,
};
const withBody = Object.entries(endpoints).filter(([, { description }]) => description.accepts.body !== undefined);

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly catchall?: Schema;
  readonly options?: readonly Schema[];
  readonly element?: Schema;
  readonly innerType?: Schema;
}
interface Schema {
  readonly _zod: { readonly def: Definition };
}

/** The places of objects in the schema, `rows[]` for the entries of a list, whose other members are ignored. */
function lenientObjects({ _zod: { def } }: Schema, place: string): string[] {
  const { type, shape = {}, catchall, options = [], element, innerType } = def;
  const own = type === 'object' && catchall?._zod.def.type !== 'never' ? [place] : [];
  const inner = [
    ...Object.entries(shape).map(([name, schema]) => [schema, `${place}.${name}`] as const),
    ...options.map((schema) => [schema, place] as const),
    ...(element ? [[element, `${place}[]`] as const] : []),
    ...(innerType ? [[innerType, place] as const] : []),
  ];
  return [...own, ...inner.flatMap(([schema, at]) => lenientObjects(schema, at))];
}

const path = {
  importId: 'abcdefghjkmnpqrs',
  request: '1',
  portId: 'a0000000-0000-4000-8000-000000000001',
  savedId: 'abcdefghjkmnpqrs',
  uploadId: '00000000-0000-4000-8000-000000000001',
};

const membersOf = (schema: Schema): string[] => {
  const { shape = {}, options = [] } = schema._zod.def;
  return [...Object.keys(shape), ...options.flatMap(membersOf)];
};

describe.each(withBody)('%s', (_name, { description, run }) => {
  const schema = description.accepts.body as Schema;

  test('names a member that it does not take, and those that it takes', async () => {
    const known = membersOf(schema);
    const unknown = fc
      .oneof(
        fc.constantFrom('max-rows-per-port', 'map', 'dates', 'planOnly', 'Because'),
        fc.string({ minLength: 1, maxLength: 20 }),
      )
      .filter((name) => !known.includes(name) && name !== '__proto__');
    await fc.assert(
      fc.asyncProperty(unknown, async (member) => {
        const body = () => ({ [member]: 2 });
        const call = run({ caller: operator, writeId: '', path, query: {}, body }, undefined as never);
        const problem = await call.then(
          () => undefined,
          (error) => error,
        );
        expect(problem).toMatchObject({ code: 'invalid-request' });
        const text = JSON.stringify(problem.options.errors);
        expect(text).toContain(JSON.stringify(JSON.stringify(member)).slice(1, -1));
        for (const name of known) expect(text).toContain(name);
      }),
      { numRuns: 20 },
    );
  });

  test('takes no other members in any object of its body', () => {
    // Faults of the simulator have the members of the simulator.
    expect(lenientObjects(schema, 'body').filter((place) => place !== 'body.faults[]')).toEqual([]);
  });
});

test('an upload with the options of the command line is not begun', async () => {
  const { call } = startApiWorld();
  const body = { operation: 'create-port', fileName: 'july.csv', bytes: 100, 'per-day': 2, dates: 'dmy' };
  const { status, body: problem } = await call('POST', '/uploads', { body });
  expect(status).toBe(400);
  expect(problem.detail).toMatch(/^body: there is no member "per-day". It takes columnValues, .*dateOrder/);
  expect(problem.errors).toHaveLength(2);
});

test.each([
  ['/imports', 'state=planned&state=finished', 'state'],
  ['/imports', 'text=a&state=planned&text=b', 'text'],
  ['/port-days', 'from=2026-07-01&to=2026-07-02&to=2026-07-03', 'to'],
])(
  'a parameter of %s that is there twice (%s) is an error: one of its values would be ignored',
  async (at, query, name) => {
    const { status, body } = await startApiWorld().call('GET', `${at}?${query}`);
    expect([status, body.code]).toEqual([400, 'invalid-request']);
    expect(body.errors).toEqual([{ field: name, message: 'expected it once' }]);
  },
);

test.each([
  ['/ports', { connectionDate: '2026-07-01', portId: 'a0000000-0000-4000-8000-000000000001' }],
  ['/imports', { before: '2026-07-01T00:00:00.000Z' }],
  ['/imports/{importId}/requests', { after: 7 }],
])('a cursor of %s begins no other list anew', async (_list, position) => {
  const api = startApiWorld();
  const importId = await api.plan('july.csv', rowsFrom(0, ['ABC123456']));
  const cursor = Buffer.from(JSON.stringify(position)).toString('base64url');
  const { body } = await api.call('GET', `/imports/${importId}/rows?cursor=${cursor}`);
  expect(body.code).toBe('invalid-cursor');
});
