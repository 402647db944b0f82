import { describe, expect, it } from 'vitest';
import { describeProgress, formatTally } from '#cli/views/progress-text.ts';
import { someImport } from '../../support/cli-imports.ts';

describe('describeProgress', () => {
  it('counts duplicates apart from invalid rows', () => {
    const outcomes = { complete: 394, duplicate: 6 };
    expect(describeProgress(someImport({ rows: 400 }), { outcomes })).toBe('394 of 400 ported, 6 duplicates');
  });

  it('counts the ported numbers of all rows, then every other outcome, the most urgent first', () => {
    const outcomes = { rejected: 12, 'in-progress': 1185, complete: 120, 'action-required': 3 };
    expect(describeProgress(someImport({ rows: 1320 }), { outcomes })).toBe(
      '120 of 1,320 ported, 3 action required, 1,185 in progress, 12 invalid',
    );
  });

  it('states that nothing was ported', () => {
    expect(describeProgress(someImport({ rows: 318 }), { outcomes: { declined: 318 } })).toBe(
      '0 of 318 ported, 318 declined',
    );
  });

  it('counts accepted rows for an operation without ports', () => {
    const item = someImport({ operation: 'send-sms', rows: 2 });
    expect(describeProgress(item, { outcomes: { accepted: 2 } })).toBe('2 of 2 accepted');
  });
});

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
