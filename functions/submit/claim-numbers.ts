// Claims the numbers of a request, so that no number is ever in two requests that are in progress (decision 22).
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import type { PlannedRequest, PlannedRow } from '#shared/domain/imports/plan.ts';
import type { ExcludedRow, NumberItem, RequestItem } from '#shared/domain/requests/ledger.ts';
import { describePorted, portedNumberOf } from '#shared/domain/requests/ported-number.ts';
import { lookUpOnce } from '#shared/operations/kit/look-up-once.ts';
import type { Requests } from '#shared/store/tables/requests.ts';
import type { SubmitDependencies } from './dependencies.ts';

export interface ClaimedRows {
  readonly rows: readonly PlannedRow[];
  readonly excludedRows: readonly ExcludedRow[];
}

type ClaimDependencies = Pick<SubmitDependencies, 'numbers' | 'validation'> & {
  readonly requests: Pick<Requests, 'get'>;
};

/**
 * Claims the number of every row at `now` (wall time, epoch ms). Excludes rows whose number another request holds, or
 * was ported before: validation does not see what was ported since, or in the rest of a large file.
 */
export async function claimNumbers(
  planned: Pick<PlannedRequest, 'importId' | 'request' | 'rows'> & Pick<RequestItem, 'expiresAt'>,
  now: number,
  dependencies: ClaimDependencies,
): Promise<ClaimedRows> {
  const { importId, request, expiresAt } = planned;
  const about = { importId, request, claimedAt: isoTime(now), ...(expiresAt && { expiresAt }) };
  const claims = new Map(planned.rows.map(({ subject, line }) => [subject, { ...about, number: subject, line }]));
  const others = await dependencies.numbers.claim([...claims.values()]);
  const { requests } = dependencies;
  // When a file is imported again, the same few requests hold all of its numbers.
  const findRequest = lookUpOnce((holder: string, number: number) => requests.get(holder, number));
  const excluded = new Map<string, ExcludedRow>();
  for (const other of others) {
    const claim = claims.get(other.number);
    if (claim === undefined || isSameRequest(other, claim)) continue;
    const exclusion = (await isOver(other, findRequest))
      ? await takeOverUnlessPorted(other, claim, dependencies)
      : exclusionOf(claim, other);
    if (exclusion !== undefined) excluded.set(claim.number, exclusion);
  }
  return {
    rows: planned.rows.filter(({ subject }) => !excluded.has(subject)),
    excludedRows: [...excluded.values()].sort((left, right) => left.line - right.line),
  };
}

const isSameRequest = (left: NumberItem, right: NumberItem): boolean =>
  left.importId === right.importId && left.request === right.request;

/** A claim ends with its row or with its whole request: nothing has to release it. */
async function isOver(claim: NumberItem, findRequest: Requests['get']): Promise<boolean> {
  if (claim.latest?.ended) return true;
  const request = await findRequest(claim.importId, claim.request);
  if (request === undefined || request.endedAt !== undefined) return true;
  return (request.excludedRows ?? []).some(({ subject }) => subject === claim.number);
}

/** Why the row is excluded: its number was ported before, or another request was faster. */
async function takeOverUnlessPorted(
  seen: NumberItem,
  claim: NumberItem,
  { numbers, validation }: ClaimDependencies,
): Promise<ExcludedRow | undefined> {
  const ported = portedNumberOf(seen);
  const { alreadyPorted = 'error' } = validation.settings;
  if (ported !== undefined && alreadyPorted === 'error') {
    const { line, number: subject } = claim;
    return { line, subject, code: 'MSISDN_ALREADY_PORTED', message: describePorted(subject, ported) };
  }
  if (await numbers.takeOver(seen, { ...claim, ...(ported && { ported }) })) return undefined;
  const holder = (await numbers.get(claim.number)) ?? seen;
  return isSameRequest(holder, claim) ? undefined : exclusionOf(claim, holder);
}

const exclusionOf = (claim: NumberItem, holder: NumberItem): ExcludedRow => ({
  line: claim.line,
  subject: claim.number,
  code: 'MSISDN_IN_LIVE_IMPORT',
  message: `${claim.number} is already in progress on line ${holder.line} of import ${holder.importId}`,
});
