// A row is found over all imports by any cell that is no code, and an answer says how far it has searched.
import { expect, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import { findRows, type SearchPlace } from '#shared/results/find-rows.ts';
import { rowsFrom } from '../../chaos/scenario.ts';
import { person, startApiWorld } from '../../support/api/simulated-api.ts';
import { accountWith } from '../../support/cli/account.ts';
import { someImport } from '../../support/cli/imports.ts';
import { simAt } from '../../support/ingest/valid-rows.ts';

const viewer = person('vera@example.com', 'viewer');

test('a SIM, a number that was not sent, and a part of a cell are found, the newest import first; a PAC is not', async () => {
  const { call, send, plan } = startApiWorld();
  const older = await send('june.csv', rowsFrom(0, ['ABC123456']));
  const newer = await send('july.csv', [...rowsFrom(1, ['ABC123457']), { ...rowsFrom(2, ['BAD'])[0] } as never]);
  await plan('plan.csv', rowsFrom(3, ['ABC123458']));
  const search = async (text: string) =>
    (await call('GET', `/rows?text=${encodeURIComponent(text)}`, { as: viewer })).body;
  expect(await search(simAt(0))).toMatchObject({
    rows: [{ importId: older, file: 'june.csv', line: 2, column: 'serialNo', cell: simAt(0), outcome: 'in-progress' }],
    searched: 2,
    withoutResults: 1,
    since: expect.stringMatching(/Z$/),
    nextCursor: null,
  });
  const { msisdn } = rowsFrom(2, ['BAD'])[0] ?? { msisdn: '' };
  expect((await search(`+44 ${msisdn.slice(-10)}`)).rows).toMatchObject([{ importId: newer, outcome: 'rejected' }]);
  const { rows } = await search(simAt(0).slice(0, 8));
  expect(rows.map(({ importId }: { importId: string }) => importId)).toEqual([newer, newer, older]);
  expect((await search('ABC123456')).rows).toEqual([]);
  expect((await call('GET', '/rows?text=abc', { as: viewer })).status).toBe(400);
});

test('an answer searches some imports, and the next one goes on behind them', async () => {
  const imports: ImportItem[] = Array.from({ length: 120 }, (_, index) =>
    someImport({
      importId: `import-${String(index).padStart(3, '0')}`,
      // Several arrived in the same millisecond.
      receivedAt: new Date(Date.parse('2026-07-06T09:00:00Z') - Math.floor(index / 7) * 60_000).toISOString(),
    }),
  );
  const account = accountWith({ imports });
  const list = async ({ before = '~', limit = 50 } = {}) =>
    imports.filter(({ receivedAt }) => receivedAt < before).slice(0, limit);
  const counts: number[] = [];
  let next: SearchPlace | undefined;
  do {
    const found = await findRows({ ...account, imports: { ...account.imports, list } }, 'SIM 1', next);
    counts.push(found.withoutResults);
    next = found.next;
  } while (next !== undefined);
  expect(counts).toEqual([50, 50, 20]);
});
