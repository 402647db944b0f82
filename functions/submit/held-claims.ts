// Claims that another request made before: each is taken over if it has ended, or else its row is excluded. Loaded only
// where there are any.
import type { ExcludedRow, NumberItem } from '#shared/domain/requests/ledger.ts';
import { describePrediction } from '#shared/domain/requests/number-prediction.ts';
import { portedNumberOf } from '#shared/domain/requests/ported-number.ts';
import { createHolders, type Holders } from './claim-holders.ts';
import { type ClaimDependencies, type ClaimedRows, type HeldClaim, isSameRequest, type RowsToClaim } from './claims.ts';

export async function excludeHeld(
  planned: RowsToClaim,
  held: readonly HeldClaim[],
  dependencies: ClaimDependencies,
): Promise<ClaimedRows> {
  const holders = createHolders(planned, dependencies);
  const subjects = new Map(planned.rows.map(({ correctedRow, subject }) => [correctedRow, subject]));
  const excluded = new Map<string | undefined, ExcludedRow>();
  for (const { seen, claim } of held) {
    const subject = subjects.get(claim.number);
    const exclusion =
      subject === undefined
        ? await excludeNumber(seen, claim, holders, dependencies)
        : await excludeRow(seen, { ...claim, subject }, holders, dependencies);
    if (exclusion !== undefined) excluded.set(claim.number, exclusion);
  }
  // A row may be excluded for its number and as a corrected row.
  const byLine = new Map([...excluded.values()].map((row) => [row.line, row]));
  return {
    rows: planned.rows.filter(({ subject, correctedRow }) => !excluded.has(subject) && !excluded.has(correctedRow)),
    excludedRows: [...byLine.values()].sort((left, right) => left.line - right.line),
  };
}

/** Why the row is excluded: its number was ported before, or another request holds it. */
async function excludeNumber(
  seen: NumberItem,
  claim: NumberItem,
  { predict }: Holders,
  { numbers, validation }: ClaimDependencies,
): Promise<ExcludedRow | undefined> {
  const { line, number: subject } = claim;
  const prediction = await predict(seen);
  const { alreadyPorted = 'error' } = validation.settings;
  const isKept = prediction?.kind === 'in-progress' || (prediction?.kind === 'ported' && alreadyPorted === 'error');
  if (isKept) return { line, subject, ...describePrediction(subject, prediction) };
  const ported = portedNumberOf(seen);
  const holder = await takeOver(seen, { ...claim, ...(ported && { ported }) }, numbers);
  if (holder === undefined) return undefined;
  const { importId, line: heldLine } = holder;
  return { line, subject, ...describePrediction(subject, { kind: 'in-progress', importId, line: heldLine }) };
}

/** Why the row is excluded: another correction of the same row sends it, or has sent it. */
async function excludeRow(
  seen: NumberItem,
  { subject, ...claim }: NumberItem & { readonly subject: string },
  { isRowOver }: Holders,
  { numbers }: ClaimDependencies,
): Promise<ExcludedRow | undefined> {
  const holder = (await isRowOver(seen)) ? await takeOver(seen, claim, numbers) : seen;
  if (holder === undefined) return undefined;
  const message = `row ${claim.number.split('/')[1]} of the first file is already in the import ${holder.importId}`;
  return { line: claim.line, subject, code: 'CORRECTION_ROW_ANSWERED', message };
}

/** The claim of the request that was faster; undefined: the claim was taken over. */
async function takeOver(
  seen: NumberItem,
  claim: NumberItem,
  numbers: ClaimDependencies['numbers'],
): Promise<NumberItem | undefined> {
  if (await numbers.takeOver(seen, claim)) return undefined;
  const holder = (await numbers.get(claim.number)) ?? seen;
  return isSameRequest(holder, claim) ? undefined : holder;
}
