// How many rejected rows an action names, compared with a plain model of what corrects a row.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldResults } from '#shared/outcome/fold.ts';
import type { Outcome } from '#shared/outcome/outcome.ts';
import type { RowOutcome } from '#shared/results/file-rows.ts';
import { countUncorrectedRows } from '#shared/results/rejected-rows.ts';
import { createResultsIndex } from '#shared/results/results-csv.ts';
import { rejectedKey, resultsIndexKey, resultsKey } from '#shared/store/object-keys.ts';
import { accountWith } from '../../support/cli/account.ts';
import { someImport } from '../../support/cli/imports.ts';
import { iso, noon } from '../../support/steps/ledger-items.ts';

const importId = 'july';
const receivedAt = iso(noon);
const numberOf = (index: number): string => `44770090000${index}`;

/** A row of the first file. */
interface Row {
  readonly number: number;
  readonly own: Outcome;
  /** What a correction did with it, perhaps with another number. */
  readonly correction?: Outcome | undefined;
}

/** `claims`: when each number was sent last. */
interface World {
  readonly rows: readonly Row[];
  readonly claims: readonly ('never' | 'before' | 'since')[];
}

const outcomeOf = ({ own, correction }: Row): Outcome =>
  foldResults({ outcome: own }, { outcome: correction ?? own }).outcome;

/** A row that was valid in the first file, and not in a correction, is corrected by a further correction only. */
const countedByModel = ({ rows, claims }: World): number =>
  rows.filter((row) => outcomeOf(row) === 'rejected' && !(row.own === 'rejected' && claims[row.number] === 'since'))
    .length;

const tallyOf = (outcomes: readonly Outcome[]) =>
  Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([outcome, all]) => [outcome, all.length]));

function count({ rows, claims }: World, isReported: boolean): Promise<number> {
  const index = createResultsIndex(0);
  const placed = rows.map((row, place) => ({ ...row, line: place + 2, outcome: outcomeOf(row) }));
  const written = placed.map(({ line: rootLine, own, outcome }) => {
    const row = { rootLine, result: { outcome }, ...(own !== outcome && { ownOutcome: own }) };
    return row as RowOutcome;
  });
  index.add(written, 1);
  const invalid = placed.filter(({ own }) => own === 'rejected' || own === 'duplicate');
  const rejected = invalid.map(({ number, line }) => `${numberOf(number)},${importId},${line},x\r\n`);
  const files = {
    [rejectedKey({ importId })]: `msisdn,importId,line,errors\r\n${rejected.join('')}`,
    ...(isReported && { [resultsKey(importId)]: 'x', [resultsIndexKey(importId)]: JSON.stringify(index.build()) }),
  };
  const sent = claims.flatMap((when, number) => {
    const claimedAt = iso(noon + (when === 'since' ? 60_000 : -60_000));
    const about = { importId: 'august', request: 1, line: 2, claimedAt, expiresAt: 1_850_000_000 };
    return when === 'never' ? [] : [{ number: numberOf(number), ...about }];
  });
  const item = someImport({
    importId,
    receivedAt,
    rows: rows.length,
    rejected: invalid.length,
    duplicates: rows.filter(({ own }) => own === 'duplicate').length,
    columnIndexes: { msisdn: 0 },
    ...(isReported && { outcomes: tallyOf(placed.map(({ outcome }) => outcome)) }),
  });
  return countUncorrectedRows(accountWith({ imports: [item], files, claims: sent }), item);
}

const numbers = 4;
const own = fc.constantFrom<Outcome[]>('rejected', 'duplicate', 'in-progress', 'skipped', 'declined');
const correction = fc.constantFrom<(Outcome | undefined)[]>(undefined, 'rejected', 'skipped', 'in-progress');
const claims = fc.array(fc.constantFrom<World['claims'][number][]>('never', 'before', 'since'), {
  minLength: numbers,
  maxLength: numbers,
});
const worldOf = (corrections: typeof correction): fc.Arbitrary<World> => {
  const number = fc.nat(numbers - 1);
  const row = fc.record({ number, own, correction: corrections });
  return fc.record({ rows: fc.array(row, { minLength: 1, maxLength: 8 }), claims });
};

describe('the rejected rows that require an action', () => {
  test('are those that neither a correction nor another import has sent since', async () => {
    await fc.assert(
      fc.asyncProperty(worldOf(correction), async (world) => {
        expect(await count(world, true)).toBe(countedByModel(world));
      }),
    );
  });

  test('may include some that were sent before the rows are written, and miss none', async () => {
    await fc.assert(
      fc.asyncProperty(worldOf(fc.constant(undefined)), async (world) => {
        const open = world.rows.filter(({ own: outcome }) => outcome === 'rejected').length;
        const counted = await count(world, false);
        expect(counted).toBeGreaterThanOrEqual(countedByModel(world));
        expect(counted).toBeLessThanOrEqual(open);
      }),
    );
  });
});
