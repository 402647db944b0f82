// Which rows of the plan a request sends: none that the service declined, and only those of the current part.
import { expect, test } from 'vitest';
import { claimRows } from '#functions/submit/choose-rows.ts';
import type { ExcludedRow, RequestItem } from '#shared/request/request.ts';
import { createNumbers } from '#shared/store/numbers.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { noon } from '../../support/steps/ledger-items.ts';
import { attemptOf } from '../../support/steps/submit-attempt.ts';

const rows = [2, 3, 4, 5].map((line) => ({ line, subject: `44770090000${line}`, wire: {} }));
const named = (line: number, code: ExcludedRow['code'] = 'ROW_REFUSED'): ExcludedRow => ({
  line,
  subject: `44770090000${line}`,
  code,
  message: 'no',
});

/** The lines that are sent, those that are excluded, and those whose number is claimed. */
async function claimedLines(item: Partial<RequestItem>) {
  const numbers = createNumbers(createTableTwin({ now: () => noon }) as never, 'results');
  const claimed = await claimRows(attemptOf(rows, { claims: true }, item), {
    numbers,
    clocks: { wall: () => noon },
  } as never);
  if ('how' in claimed) throw new Error('no row is left');
  const seen = await Promise.all(rows.map(({ subject }) => numbers.get(subject)));
  return {
    sent: claimed.send.rows.map(({ line }) => line),
    excluded: claimed.excludedRows.map(({ line }) => line),
    claimed: seen.flatMap((claim) => claim?.line ?? []),
  };
}

test('all rows are sent and claimed', async () => {
  expect(await claimedLines({})).toEqual({ sent: [2, 3, 4, 5], excluded: [], claimed: [2, 3, 4, 5] });
});

test('rows that the service declined by name are neither sent nor claimed, and stay excluded', async () => {
  const excludedRows = [named(3), named(5), named(4, 'MSISDN_IN_LIVE_IMPORT')];
  expect(await claimedLines({ excludedRows })).toEqual({ sent: [2, 4], excluded: [3, 5], claimed: [2, 4] });
});

test('of a request that is sent in parts, only the rows of the current part are sent and claimed', async () => {
  const split = { steps: 1, current: '3-4', waiting: ['5'], accepted: [{ lines: '2', ticket: 't' }] };
  expect(await claimedLines({ split, excludedRows: [named(3)] })).toEqual({ sent: [4], excluded: [3], claimed: [4] });
});
