import { expect, it } from 'vitest';
import { watchChanges } from '#cli/imports/watch-changes.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { emptyAccount } from '../../support/cli/account.ts';
import { someImport } from '../../support/cli/imports.ts';
import { double } from '../../support/double.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';

interface Moment {
  readonly item: ImportItem;
  /** Numbers that the service has accepted so far, of 100. */
  readonly accepted: number;
  /** The table does not answer. */
  readonly isDown?: boolean;
}

/** The lines that appear while an import passes through the moments, one for each second of a virtual clock. */
async function linesOf(moments: readonly Moment[], notes: string[] = []): Promise<string[]> {
  let now = 0;
  const end = new AbortController();
  const moment = () => moments[Math.floor(now / 1_000)];
  const requestsNow = (): RequestItem[] => [
    requestItemOf({ request: 1, rowCount: 100 - (moment()?.accepted ?? 0), state: 'in-flight' }),
    requestItemOf({ request: 2, rowCount: moment()?.accepted ?? 0, state: 'accepted' }),
  ];
  const listNow = (): ImportItem[] => {
    if (moment()?.isDown) throw new Error('connect ECONNREFUSED 127.0.0.1:8000');
    return [moment()?.item].filter((item) => item !== undefined);
  };
  const watcher = {
    terminal: { note: (line: string) => notes.push(line) },
    target: {
      ...emptyAccount,
      resources: { ...emptyAccount.resources } as never,
      imports: { ...emptyAccount.imports, list: async () => listNow() },
      requests: {
        ...emptyAccount.requests,
        ofImport: async function* () {
          yield* requestsNow();
        },
      },
    },
    clock: () => now,
    signal: end.signal,
    wait: async (milliseconds: number) => {
      now += milliseconds;
      if (now >= moments.length * 1_000) end.abort();
    },
  };
  const lines: string[] = [];
  for await (const { texts } of watchChanges(double(watcher))) lines.push(...texts);
  return lines;
}

const sending = (second: number, changes: Partial<ImportItem> = {}): ImportItem =>
  someImport({
    state: 'in-progress',
    operation: 'send-sms',
    rows: 100,
    accepted: 100,
    requestCount: 2,
    changedAt: new Date(second * 1_000).toISOString(),
    ...changes,
  });

it('reports counts together every ten seconds, however often they change', async () => {
  const moments = Array.from({ length: 35 }, (_, second) => ({ item: sending(second), accepted: second }));
  expect(await linesOf(moments)).toEqual([
    'july.csv 10 of 100 accepted, 90 in progress',
    'july.csv 20 of 100 accepted, 80 in progress',
    'july.csv 30 of 100 accepted, 70 in progress',
  ]);
});

it('reports a new state and a required action at once', async () => {
  const moments = [
    { item: sending(0), accepted: 1 },
    { item: sending(1, { actionRequired: 2 }), accepted: 1 },
    { item: sending(2, { actionRequired: 2, state: 'finished' }), accepted: 100 },
  ];
  expect(await linesOf(moments)).toEqual([
    'july.csv action required: 2 rows (npm run simporter -- actions)',
    'july.csv finished: 100 of 100 accepted',
  ]);
});

it('reports a required action that came together with a new state', async () => {
  const moments = [
    { item: sending(0, { state: 'submitting' }), accepted: 1 },
    { item: sending(1, { actionRequired: 2 }), accepted: 1 },
    { item: sending(2, { state: 'finished', actionRequired: 2 }), accepted: 100 },
  ];
  expect(await linesOf(moments)).toEqual([
    'july.csv submitted: 1 of 100 accepted, 99 in progress',
    'july.csv action required: 2 rows (npm run simporter -- actions)',
    'july.csv finished: 100 of 100 accepted',
  ]);
});

it('reports nothing when nothing has changed, or only before it began', async () => {
  const item = sending(0);
  expect(await linesOf(Array.from({ length: 60 }, () => ({ item, accepted: 5 })))).toEqual([]);
});

it('goes on after the table was away, and reports once that it cannot read', async () => {
  const away = { item: sending(1), accepted: 1, isDown: true };
  const finished = { item: sending(2, { state: 'finished' }), accepted: 100 };
  const notes: string[] = [];
  const expected = ['july.csv finished: 100 of 100 accepted'];
  expect(await linesOf([{ item: sending(0), accepted: 1 }, away, away, finished], notes)).toEqual(expected);
  expect(notes).toEqual([expect.stringContaining('connect ECONNREFUSED 127.0.0.1:8000')]);
});

it('waits for a table that is away when it begins', async () => {
  const item = sending(0);
  const finished = { item: sending(2, { state: 'finished' }), accepted: 100 };
  const moments = [{ item, accepted: 1, isDown: true }, { item, accepted: 1 }, finished];
  expect(await linesOf(moments)).toEqual(['july.csv finished: 100 of 100 accepted']);
});
