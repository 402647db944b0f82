// Takes the numbers of a request, one claim each, so that none is ever in two live requests (decision 22).
import type { Numbers } from '#shared/aws/numbers.ts';
import type { Requests } from '#shared/aws/requests.ts';
import type { NumberItem, RequestItem, WithdrawnRow } from '#shared/domain/ledger.ts';
import type { PlannedRequest, PlannedRow } from '#shared/domain/plan.ts';

export interface ClaimedRows {
  readonly rows: readonly PlannedRow[];
  readonly withdrawn: readonly WithdrawnRow[];
}

export interface ClaimStores {
  readonly numbers: Pick<Numbers, 'claim' | 'takeOver' | 'get'>;
  readonly requests: Pick<Requests, 'get'>;
}

/** Claims every row's number at `now` (wall time, ISO); rows whose number another live request holds are withdrawn. */
export async function claimNumbers(planned: PlannedRequest, now: string, stores: ClaimStores): Promise<ClaimedRows> {
  const claims = new Map(planned.rows.map((row) => [row.subject, claimOf(planned, row, now)]));
  const holders = await stores.numbers.claim([...claims.values()]);
  const requestOf = rememberRequests(stores.requests);
  const withdrawn = new Map<string, WithdrawnRow>();
  for (const holder of holders) {
    const claim = claims.get(holder.number);
    if (claim === undefined || isSameClaim(holder, claim)) continue;
    const winner = (await isOver(holder, requestOf)) ? await takeOver(holder, claim, stores) : holder;
    if (!isSameClaim(winner, claim)) withdrawn.set(claim.number, withdrawal(claim, winner));
  }
  return {
    rows: planned.rows.filter(({ subject }) => !withdrawn.has(subject)),
    withdrawn: [...withdrawn.values()].sort((left, right) => left.line - right.line),
  };
}

const claimOf = ({ importId, request }: PlannedRequest, { subject, line }: PlannedRow, now: string): NumberItem => ({
  number: subject,
  importId,
  request,
  line,
  claimedAt: now,
});

const isSameClaim = (left: NumberItem, right: NumberItem): boolean =>
  left.importId === right.importId && left.request === right.request;

type FindRequest = (importId: string, request: number) => Promise<RequestItem | undefined>;

/** The numbers of a file that was dropped again are all held by the same few requests. */
function rememberRequests(requests: Pick<Requests, 'get'>): FindRequest {
  const found = new Map<string, Promise<RequestItem | undefined>>();
  return (importId, request) => {
    const key = `${importId}/${request}`;
    const known = found.get(key) ?? requests.get(importId, request);
    found.set(key, known);
    return known;
  };
}

/** A claim lapses by itself when its row or its whole request has ended: nobody has to release it. */
async function isOver(holder: NumberItem, requestOf: FindRequest): Promise<boolean> {
  if (holder.told?.ended) return true;
  const request = await requestOf(holder.importId, holder.request);
  if (request === undefined || request.endedAt !== undefined) return true;
  // A row that was taken out of its request is not on its way, whatever became of the others.
  return (request.withdrawn ?? []).some(({ subject }) => subject === holder.number);
}

/** Answers the claim that stands in the end: ours, or that of somebody who was quicker. */
async function takeOver(holder: NumberItem, claim: NumberItem, { numbers }: ClaimStores): Promise<NumberItem> {
  if (await numbers.takeOver(holder, claim)) return claim;
  return (await numbers.get(claim.number)) ?? holder;
}

const withdrawal = (claim: NumberItem, holder: NumberItem): WithdrawnRow => ({
  line: claim.line,
  subject: claim.number,
  code: 'MSISDN_IN_LIVE_IMPORT',
  message: `${claim.number} is on line ${holder.line} of import ${holder.importId}, which has not ended with it`,
});
