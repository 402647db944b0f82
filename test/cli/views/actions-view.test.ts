// The list of actions reports everything that requires an action, however much there is.

import { expect, test } from 'vitest';
import { formatRemaining, printSkipped, toActionJson } from '#cli/views/actions-view.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { readActionList } from '#shared/results/actions.ts';
import { accountWith } from '../../support/cli/account.ts';
import { someImport } from '../../support/cli/imports.ts';
import { double } from '../../support/double.ts';
import { iso, noon, portItemOf, portRowsOf, requestItemOf } from '../../support/steps/ledger-items.ts';

const portsOf = (length: number) =>
  Array.from({ length }, (_, index) => portItemOf({ portId: `port-${index}`, readyRows: index, actionRequired: 1 }));
const unknownRequest = (request: number) => requestItemOf({ request, state: 'action-required', rowCount: 7 });

test('shows the most urgent of each kind, and how many more exist', async () => {
  const sources = accountWith({ ports: portsOf(5), requests: [1, 2, 3].map(unknownRequest) });
  const { entries, more, isIncomplete } = await readActionList(sources, noon, 2);
  expect(entries.map(({ id }) => id).sort()).toEqual(['import-a/1', 'import-a/2', 'port-3', 'port-4']);
  expect([more, isIncomplete]).toEqual([4, false]);
  expect(formatRemaining(double({ more, isIncomplete }))).toEqual([
    '',
    'and 4 more: npm run simporter -- actions --json',
  ]);
});

test('shows all without a limit', async () => {
  const { entries, more, isIncomplete } = await readActionList(accountWith({ ports: portsOf(500) }), noon);
  expect([entries.length, more, isIncomplete]).toEqual([500, 0, false]);
  expect(formatRemaining(double({ more, isIncomplete }))).toEqual([]);
});

test('shows a lower bound when not everything was read', async () => {
  const { more, isIncomplete } = await readActionList(
    accountWith({ requests: Array.from({ length: 10_001 }, (_, index) => unknownRequest(index + 1)) }),
    noon,
    200,
  );
  expect([more, isIncomplete]).toEqual([9_800, true]);
  expect(formatRemaining(double({ more, isIncomplete }))[1]).toMatch(/^and at least 9,800 more:/);
  expect(formatRemaining(double({ more: 0, isIncomplete: true }))[1]).toMatch(/^There may be more/);
});

test('lists an import with declined requests last, for a week', async () => {
  const receivedAt = iso(noon - 6 * 86_400_000);
  const imports = [
    someImport({ importId: 'declined', receivedAt, requests: { created: 2, declined: 1 }, skippedRows: 12 }),
    someImport({ importId: 'twice', receivedAt, requests: { skipped: 3 }, skippedRows: 300 }),
    someImport({ importId: 'well', receivedAt }),
    someImport({ importId: 'old', receivedAt: iso(noon - 8 * 86_400_000), requests: { declined: 1 } }),
  ];
  const { entries } = await readActionList(accountWith({ imports, requests: [unknownRequest(1)] }), noon);
  expect(entries.map(({ kind, id, status }) => [kind, id, status])).toEqual([
    ['request', 'import-a/1', 'action-required'],
    ['import', 'declined', 'declined'],
  ]);
  expect(entries[1] && toActionJson(entries[1])).toMatchObject({
    summary: '1 request declined, 12 rows skipped',
    next: 'npm run simporter -- results declined',
    blockedRows: 0,
    whatToDo: expect.stringMatching(/^1 request declined, 12 rows skipped: /),
  });
});

test('names the file with the declined rows, which an import beside it has of new PACs', async () => {
  const nextOf = async (operation: 'create-port' | 'send-sms') => {
    const item = someImport({ operation, receivedAt: iso(noon), requests: { declined: 1 }, outcomes: { declined: 1 } });
    const { entries } = await readActionList(accountWith({ imports: [item] }), noon);
    return entries.map((entry) => toActionJson(entry).next);
  };
  const command = 'npm run simporter -- corrections 0123456789abcdef --csv';
  expect(await nextOf('create-port')).toEqual([`${command} correct-create-port.csv --operation create-port`]);
  expect(await nextOf('send-sms')).toEqual([`${command} correct.csv`]);
});

test('lists a port without a time to cancel before rejected rows, with all rows that wait for it', async () => {
  const receivedAt = iso(noon - 3_600_000);
  const imports = [someImport({ importId: 'invalid', receivedAt, accepted: 2, rejected: 9 })];
  const ports = [portItemOf({ portId: 'failed', status: 'SubmittedWithErrors', actionRequired: 1 })];
  const sources = accountWith({ imports, ports });
  const rows = portRowsOf('Submitted', 'Submitted', 'Cancelled');
  const rowsOf = async function* () {
    yield { portId: 'failed', rows };
  };
  const { entries } = await readActionList({ ...sources, ports: { ...sources.ports, rowsOf } }, noon);
  expect(entries.map(({ id, rows, numbers }) => [id, rows, numbers])).toEqual([
    ['failed', 2, []],
    ['invalid', 9, []],
  ]);
});

test('reports skipped rows, which require no action: how many, in which imports, and how to see the reasons', async () => {
  const twice = (rows: number, index: number) =>
    someImport({ importId: `twice-${index}`, receivedAt: iso(noon), skippedRows: rows });
  const notes: string[] = [];
  const readEntries = async (imports: readonly ImportItem[]) => {
    const found = await readActionList(accountWith({ imports }), noon);
    printSkipped(found, double({ note: (text = '') => notes.push(text) }));
    return found.entries;
  };
  expect(await readEntries([someImport({ receivedAt: iso(noon) })])).toEqual([]);
  expect(notes).toEqual([]);
  expect(await readEntries([1, 2, 3, 4, 5].map(twice))).toEqual([]);
  expect(notes).toEqual([
    '15 rows skipped in the last week, in twice-0, twice-1, twice-2, 2 more.',
    'To see the reasons: npm run simporter -- results IMPORT',
  ]);
});
