// What attention makes of what it reads: nothing that waits is left unsaid, however much it is.
import { expect, test } from 'vitest';
import { readAttention } from '#cli/attention.ts';
import { restLines, tellWithdrawn } from '#cli/show-attention.ts';
import type { Target } from '#cli/target.ts';
import type { ImportItem, PortItem, RequestItem } from '#shared/domain/ledger.ts';
import { someImport } from '../support/cli-imports.ts';
import { iso, noon, portItemOf, requestItemOf } from '../support/results-ledger.ts';

interface Waiting {
  readonly ports?: readonly PortItem[];
  readonly requests?: readonly RequestItem[];
  readonly imports?: readonly ImportItem[];
}

/** Lists answer at most as many as they are asked for, imports only those received at `since` or later. */
const targetOf = ({ ports = [], requests = [], imports = [] }: Waiting) =>
  ({
    resources: { account: 1001 },
    ports: {
      attention: async (_account: number, limit: number) => ports.slice(0, limit),
      rowsOf: async function* () {},
    },
    requests: { leftToPeople: async (limit: number) => requests.slice(0, limit) },
    drifts: { found: async () => [] },
    imports: {
      list: async (_account: number, { since = '', limit = 50 }) =>
        imports.filter(({ receivedAt }) => receivedAt >= since).slice(0, limit),
    },
  }) as unknown as Target;

const portsOf = (length: number) =>
  Array.from({ length }, (_, index) => portItemOf({ portId: `port-${index}`, goodLines: index, attention: 1 }));
const inDoubt = (request: number) => requestItemOf({ request, state: 'needs-human', rowCount: 7 });

test('the worst of each kind are shown, and how many more there are', async () => {
  const target = targetOf({ ports: portsOf(5), requests: [1, 2, 3].map(inDoubt) });
  const { entries, more, isCut } = await readAttention(target, noon, 2);
  expect(entries.map(({ id }) => id).sort()).toEqual(['import-a/1', 'import-a/2', 'port-3', 'port-4']);
  expect([more, isCut]).toEqual([4, false]);
  expect(restLines({ more, isCut })).toEqual(['', 'and 4 more that wait: npm run simporter -- attention --json']);
});

test('all of it is shown where nobody says how much', async () => {
  const { entries, more, isCut } = await readAttention(targetOf({ ports: portsOf(500) }), noon);
  expect([entries.length, more, isCut]).toEqual([500, 0, false]);
  expect(restLines({ more, isCut })).toEqual([]);
});

test('more than can be read at once is told as the least that it may be', async () => {
  const { more, isCut } = await readAttention(
    targetOf({ requests: Array.from({ length: 10_001 }, (_, index) => inDoubt(index + 1)) }),
    noon,
    200,
  );
  expect([more, isCut]).toEqual([9_800, true]);
  expect(restLines({ more, isCut })[1]).toMatch(/^and at least 9,800 more that wait/);
  expect(restLines({ more: 0, isCut: true })[1]).toMatch(/^There may be more/);
});

test('what was refused is told by its import, behind all that waits, for a week', async () => {
  const receivedAt = iso(noon - 6 * 86_400_000);
  const imports = [
    someImport({ importId: 'refused', receivedAt, requests: { created: 2, refused: 1 }, withdrawnRows: 12 }),
    someImport({ importId: 'twice', receivedAt, requests: { withdrawn: 3 }, withdrawnRows: 300 }),
    someImport({ importId: 'well', receivedAt }),
    someImport({ importId: 'old', receivedAt: iso(noon - 8 * 86_400_000), requests: { refused: 1 } }),
  ];
  const { entries } = await readAttention(targetOf({ imports, requests: [inDoubt(1)] }), noon);
  expect(entries.map(({ kind, id, status }) => [kind, id, status])).toEqual([
    ['request', 'import-a/1', 'needs-human'],
    ['import', 'refused', 'refused'],
  ]);
  expect(entries[1]).toMatchObject({
    summary: '1 request refused, 12 rows withdrawn',
    next: 'npm run simporter -- results refused',
    held: 0,
    whatToDo: expect.stringMatching(/^1 request refused, 12 rows withdrawn: /),
  });
});

test('rows that were withdrawn need nobody and are told all the same: how many, of which imports, and what says why', async () => {
  const twice = (rows: number, index: number) =>
    someImport({ importId: `twice-${index}`, receivedAt: iso(noon), withdrawnRows: rows });
  const notes: string[] = [];
  const tell = async (imports: readonly ImportItem[]) => {
    const found = await readAttention(targetOf({ imports }), noon);
    tellWithdrawn(found, { note: (text = '') => notes.push(text) });
    return found.entries;
  };
  expect(await tell([someImport({ receivedAt: iso(noon) })])).toEqual([]);
  expect(notes).toEqual([]);
  expect(await tell([1, 2, 3, 4, 5].map(twice))).toEqual([]);
  expect(notes).toEqual([
    '15 good rows of the last week withdrawn before sending, in twice-0, twice-1, twice-2, 2 more: npm run simporter -- results IMPORT says why.',
  ]);
});
