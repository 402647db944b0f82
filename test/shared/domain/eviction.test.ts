import { describe, expect, test } from 'vitest';
import { decideEviction, isEvictionDue } from '#shared/domain/eviction.ts';
import { iso, noon, portItemOf } from '../../support/results-ledger.ts';

const hour = 3_600_000;
const waiting = portItemOf({ status: 'Pac Check Failed', goodLines: 3, changedAt: iso(noon) });

describe('the wait', () => {
  test('is counted from the last change of the port', () => {
    expect(isEvictionDue(waiting, 24 * hour, noon + 24 * hour - 1)).toBe(false);
    expect(isEvictionDue(waiting, 24 * hour, noon + 24 * hour)).toBe(true);
  });

  test('ends two hours before the cut-off, so that what is freed can still make its date', () => {
    const soon = { ...waiting, cancelBy: iso(noon + 6 * hour) };
    expect(isEvictionDue(soon, 24 * hour, noon + 4 * hour - 1)).toBe(false);
    expect(isEvictionDue(soon, 24 * hour, noon + 4 * hour)).toBe(true);
  });

  test.each([{ goodLines: 0 }, { status: 'Submitted' }, { status: 'Network Rejected' }])(
    'never ends for a port that holds nothing back by a bad PAC: %j',
    (changes) => {
      expect(isEvictionDue({ ...waiting, ...changes }, 0, noon + 1_000 * hour)).toBe(false);
    },
  );
});

describe('what is taken out', () => {
  const port = (...statuses: string[]) => ({
    statusName: 'Pac Check Failed',
    lines: new Map(statuses.map((statusName, index) => [`44770090000${index}`, { statusName }])),
  });
  const taken = (...statuses: string[]) => {
    const { call, due } = decideEviction(port(...statuses));
    return [call, due.size];
  };

  test('are the lines with a bad PAC, and no others', () => {
    expect(taken('PacValid', 'PacInvalid', 'PacInvalidDate', 'PacValid')).toEqual(['cancel-lines', 2]);
  });

  test('is nothing where no good line waits', () => {
    expect(taken('PacInvalid', 'PacInvalid')[0]).not.toBe('cancel-lines');
    expect(taken('PacInvalid', 'Amended')[0]).not.toBe('cancel-lines');
    expect(taken('PacValid', 'Amended')[0]).toBe('nothing');
  });
});
