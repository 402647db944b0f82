import { describe, expect, it } from 'vitest';
import { formatTally } from '#cli/views/import-view.ts';

describe('formatTally', () => {
  it('keeps the order of the states, whatever their counts, and omits zeros', () => {
    expect(formatTally({ declined: 1200, created: 1, planned: 0 })).toBe('created 1, declined 1,200');
    expect(formatTally({ Complete: 1, 'Pac Check Failed': 2, Created: 3 })).toBe(
      'Created 3, Pac Check Failed 2, Complete 1',
    );
  });

  it('lists a status that the specification does not name last', () => {
    expect(formatTally({ 'Quantum Flux': 1, Cancelled: 1 })).toBe('Cancelled 1, Quantum Flux 1');
  });
});
