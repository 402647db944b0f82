// A declined request that is sent again in parts: every row is sent, and answered, in exactly one of them.
import { describe, expect, test } from 'vitest';
import {
  countParts,
  endPart,
  excludeRows,
  maySplit,
  openRows,
  packLines,
  partFilter,
  sendAgain,
} from '#shared/request/lines.ts';
import type { ExcludedRow, RequestItem, Split } from '#shared/request/request.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';

const splitOf = (changes: Partial<Split> = {}): Split => ({
  steps: 1,
  current: '2-3',
  waiting: ['4-5', '6-9'],
  accepted: [],
  ...changes,
});
const declined = requestItemOf({ rowCount: 8, lines: '2-9', state: 'declined' });

describe('a part may be sent again in smaller ones', () => {
  test('unless it has one row', () => {
    expect([maySplit(declined, 2), maySplit(declined, 1)]).toEqual([true, false]);
  });

  test.each([
    [2, 4],
    [8, 12],
    [100, 28],
  ])('while a request of %i rows has made fewer than %i steps', (rowCount, steps) => {
    const canSplit = (made: number) => maySplit({ ...declined, rowCount, split: splitOf({ steps: made }) }, 2);
    expect([canSplit(0), canSplit(steps - 1), canSplit(steps)]).toEqual([true, true, false]);
  });
});

test('only the rows of the current part are sent', () => {
  const rows = [1, 2, 3, 4].map((line) => ({ line }));
  expect(rows.filter(partFilter({ ...declined, split: splitOf() }))).toEqual([{ line: 2 }, { line: 3 }]);
  expect(rows.filter(partFilter(declined))).toEqual(rows);
});

describe('the rows of the last call', () => {
  test('are sent again in halves, the first one next, before the parts that wait', () => {
    expect(sendAgain(declined, 2).split).toEqual({ steps: 1, current: '2-5', waiting: ['6-9'], accepted: [] });
    const accepted = [{ lines: '20-21', ticket: 't1' }];
    const again = sendAgain({ ...declined, lines: '2-4', split: splitOf({ waiting: ['6-9'], accepted }) }, 2);
    expect(again).toEqual({
      ...declined,
      lines: '2-4',
      split: { steps: 2, current: '2-3', waiting: ['4', '6-9'], accepted },
    });
  });

  test('are sent again as one part without the rows that were named', () => {
    const again = sendAgain({ ...declined, lines: '2-4', split: splitOf() }, 1);
    expect(again.split).toEqual(splitOf({ steps: 2, current: '2-4' }));
  });
});

test('excluded rows are added to those before', () => {
  const row = (line: number): ExcludedRow => ({ line, subject: 's', code: 'ROW_REFUSED', message: 'no' });
  const once = excludeRows(declined, [row(2)]);
  expect(excludeRows(once, [row(3)])).toEqual({ ...declined, excludedRows: [row(2), row(3)] });
});

describe('after the answer to a part', () => {
  const sent: RequestItem = { ...declined, lines: '2-3', state: 'accepted', hasUnknownAttempt: true };

  test('the next part is sent, and an accepted one keeps its ticket', () => {
    const split = splitOf({ accepted: [{ lines: '20', ticket: 't0' }] });
    const next = { ...split, current: '4-5', waiting: ['6-9'] };
    expect(endPart(sent, split)).toEqual({ ...sent, hasUnknownAttempt: undefined, split: next });
    expect(endPart(sent, split, 't1').split).toEqual({
      ...next,
      accepted: [...split.accepted, { lines: '2-3', ticket: 't1' }],
    });
  });

  test('an accepted last part leaves its lines and its ticket on the request', () => {
    const split = splitOf({ waiting: [], accepted: [{ lines: '20', ticket: 't0' }] });
    expect(endPart(sent, split, 't1')).toEqual({ ...sent, lines: '2-3', ticket: 't1', split });
  });

  test('a declined last part leaves those of the last accepted one', () => {
    const accepted = ['20', '22', '21'].map((lines) => ({ lines, ticket: `t${lines}` }));
    expect(endPart(sent, splitOf({ waiting: [], accepted }))).toEqual({
      ...sent,
      lines: '21',
      ticket: 't21',
      split: splitOf({ waiting: [], accepted: accepted.slice(0, 2) }),
    });
  });

  test('a request of which no part was accepted keeps its lines', () => {
    const split = splitOf({ waiting: [] });
    expect(endPart(sent, split)).toEqual({ ...sent, split });
  });
});

test('rows of accepted parts are not open', () => {
  const split = splitOf({ accepted: ['10-12', '14'].map((lines) => ({ lines, ticket: 't' })), waiting: ['4-5', '6'] });
  expect(countParts({ ...declined, split })).toEqual({ accepted: 4, waiting: 3 });
  expect(countParts(declined)).toEqual({ accepted: 0, waiting: 0 });
  expect([openRows({ ...declined, split }), openRows(declined)]).toEqual([4, 8]);
});

test('a request that is halved until every part was answered has sent each row once', () => {
  let item = sendAgain({ ...declined, lines: packLines([2, 3, 5, 8, 9]) }, 2);
  const answered: string[] = [];
  for (let left = 3; left > 0; left -= 1) {
    const split = item.split as Split;
    answered.push(split.current);
    item = endPart({ ...item, lines: split.current }, split, `t${left}`);
    if (left === 3) item = sendAgain({ ...item, lines: item.split?.current }, 2);
  }
  expect(answered).toEqual(['2-3,5', '8', '9']);
});
