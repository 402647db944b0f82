import { describe, expect, it } from 'vitest';
import { followImport, isSettled, needsSomebody, tallyText } from '#cli/follow-import.ts';
import { noProgress } from '#cli/output/progress.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { someImport } from '../support/cli-imports.ts';
import { memoryTerminal } from '../support/cli-terminal.ts';

describe('isSettled', () => {
  it.each(['refused', 'completed'] as const)('is over when the import is %s', (state) => {
    expect(isSettled(someImport({ state }))).toBe(true);
  });

  it('is over with the plan when only the plan was asked for', () => {
    expect(isSettled(someImport({ state: 'planned', planOnly: true }))).toBe(true);
    expect(isSettled(someImport({ state: 'planned', planOnly: false }))).toBe(false);
  });

  it.each(['planning', 'submitting'] as const)('goes on while the import is %s', (state) => {
    expect(isSettled(someImport({ state }))).toBe(false);
  });

  const following = (ports: Record<string, number>, attention = 1) =>
    someImport({ state: 'following', requestCount: 3, requests: { created: 2, refused: 1 }, ports, attention });

  it('goes on while a port is on its way', () => {
    expect(isSettled(following({ Complete: 1, Submitted: 1 }))).toBe(false);
  });

  it('is over when every port has ended or waits for a person', () => {
    expect(isSettled(following({ Complete: 1, 'Pac Check Failed': 1 }))).toBe(true);
  });

  it('goes on while a port that was mended is being checked again', () => {
    expect(isSettled(following({ Complete: 1, 'Pac Check Failed': 1 }, 0))).toBe(false);
  });

  it('goes on until every port that was made has been looked at', () => {
    expect(isSettled(following({ Complete: 1 }))).toBe(false);
  });

  it('never takes a status that nobody knows for an end', () => {
    expect(isSettled(following({ Complete: 1, 'Quantum Flux': 1 }))).toBe(false);
  });
});

describe('needsSomebody', () => {
  it('is false when every row came through', () => {
    expect(needsSomebody(someImport())).toBe(false);
  });

  it.each<Partial<ImportItem>>([
    { rejected: 1 },
    { attention: 2 },
    { withdrawnRows: 1 },
    { state: 'refused' },
    { requests: { refused: 1 } },
    { requests: { 'needs-human': 1 } },
  ])('is true with %j', (changes) => {
    expect(needsSomebody(someImport(changes))).toBe(true);
  });
});

describe('tallyText', () => {
  it('names the most frequent first and leaves out what there is none of', () => {
    expect(tallyText({ refused: 1, created: 1200, planned: 0 })).toBe('created 1,200, refused 1');
  });
});

describe('followImport', () => {
  /** An import that stands as it is, on a clock of its own, for `seconds`. */
  const follow = async (state: ImportItem['state'], seconds: number): Promise<string> => {
    const { terminal, stderr } = memoryTerminal();
    let now = 0;
    const session = {
      terminal,
      clock: () => now,
      wait: async (milliseconds: number) => {
        now += milliseconds;
      },
    };
    const item = someImport({ state });
    const target = { kind: 'engine' as const, imports: { get: async () => item } };
    await followImport(session, target, item, () => now >= seconds * 1000, noProgress);
    return stderr();
  };

  it('says once that reading stands still', async () => {
    expect((await follow('planning', 200)).match(/log of ingest/g)).toHaveLength(1);
  });

  it('is silent while ports rest, or reading has just begun', async () => {
    expect([await follow('following', 200), await follow('planning', 30)]).toEqual(['', '']);
  });
});
