import { describe, expect, test } from 'vitest';
import { chooseRowsToRemove, isRemovalDue } from '#functions/sync/ports/remove-blocking-rows.ts';
import { iso, noon, portItemOf } from '../../../support/steps/ledger-items.ts';

const hour = 3_600_000;
const waiting = portItemOf({ status: 'Pac Check Failed', readyRows: 3, changedAt: iso(noon) });

describe('the removal', () => {
  test('is due a fixed time after the last change of the port', () => {
    expect(isRemovalDue(waiting, 24 * hour, noon + 24 * hour - 1)).toBe(false);
    expect(isRemovalDue(waiting, 24 * hour, noon + 24 * hour)).toBe(true);
  });

  test('is due at the latest two hours before the cancellation deadline, so that freed rows keep their date', () => {
    const soon = { ...waiting, cancelBy: iso(noon + 6 * hour) };
    expect(isRemovalDue(soon, 24 * hour, noon + 4 * hour - 1)).toBe(false);
    expect(isRemovalDue(soon, 24 * hour, noon + 4 * hour)).toBe(true);
  });

  test.each([{ readyRows: 0 }, { status: 'Submitted' }, { status: 'Network Rejected' }])(
    'is never due for a port in which no invalid PAC blocks a row: %j',
    (changes) => {
      expect(isRemovalDue({ ...waiting, ...changes }, 0, noon + 1_000 * hour)).toBe(false);
    },
  );
});

describe('the rows to remove', () => {
  const port = (...statuses: string[]) => ({
    statusName: 'Pac Check Failed',
    rows: new Map(statuses.map((statusName, index) => [`44770090000${index}`, { statusName }])),
  });
  const removed = (...statuses: string[]) => {
    const { call, numbers } = chooseRowsToRemove(port(...statuses));
    return [call, numbers.size];
  };

  test('are the rows with an invalid PAC, and no others', () => {
    expect(removed('PacValid', 'PacInvalid', 'PacInvalidDate', 'PacValid')).toEqual(['cancel-rows', 2]);
  });

  test('are none where no ready row waits', () => {
    expect(removed('PacInvalid', 'PacInvalid')[0]).not.toBe('cancel-rows');
    expect(removed('PacInvalid', 'Amended')[0]).not.toBe('cancel-rows');
    expect(removed('PacValid', 'Amended')[0]).toBe('nothing');
  });
});
