// Claims that another request made before: each is taken over if it has ended, or else its row is excluded. Loaded only
// where there are any.

import { lookUpOnce } from '#shared/operations/catalogue.ts';
import { sendableAgain } from '#shared/outcome/outcome.ts';
import { resultsOf } from '#shared/outcome/request-results.ts';
import {
  describePrediction,
  hasSent,
  type NumberItem,
  type NumberPrediction,
  portedNumberOf,
  predictNumber,
} from '#shared/request/number-claim.ts';
import { partWithLine } from '#shared/request/packed-lines.ts';
import type { ExcludedRow, RequestItem } from '#shared/request/request.ts';
import type { Numbers } from '#shared/store/numbers.ts';
import { isSameRequest } from '#shared/text/identity.ts';
import type { Attempt, SubmitPipeline } from './attempt.ts';

/** A claim that another request has made before. */
export interface HeldClaim {
  readonly seen: NumberItem;
  readonly claim: NumberItem;
}

export async function excludeHeld(
  attempt: Attempt,
  held: readonly HeldClaim[],
  pipeline: SubmitPipeline,
): Promise<Attempt> {
  const { send } = attempt;
  const holders = createHolders(attempt, pipeline);
  const subjects = new Map(send.rows.map(({ correctedRow, subject }) => [correctedRow, subject]));
  const excluded = new Map<string | undefined, ExcludedRow>();
  for (const { seen, claim } of held) {
    const subject = subjects.get(claim.number);
    const exclusion =
      subject === undefined
        ? await excludeNumber(seen, claim, holders, pipeline)
        : await excludeRow(seen, { ...claim, subject }, holders, pipeline);
    if (exclusion !== undefined) excluded.set(claim.number, exclusion);
  }
  // A row may be excluded for its number and as a corrected row.
  const byLine = new Map([...excluded.values()].map((row) => [row.line, row]));
  const rows = send.rows.filter(({ subject, correctedRow }) => !excluded.has(subject) && !excluded.has(correctedRow));
  const excludedRows = [...byLine.values()].sort((left, right) => left.line - right.line);
  return { ...attempt, send: { ...send, rows }, excludedRows: [...attempt.excludedRows, ...excludedRows] };
}

/** Why the row is excluded: its number was ported before, or another request holds it. */
async function excludeNumber(
  seen: NumberItem,
  claim: NumberItem,
  { predict }: Holders,
  { numbers, validation }: SubmitPipeline,
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
  { numbers }: SubmitPipeline,
): Promise<ExcludedRow | undefined> {
  const holder = (await isRowOver(seen)) ? await takeOver(seen, claim, numbers) : seen;
  if (holder === undefined) return undefined;
  const message = `row ${claim.number.split('/')[1]} of the first file is already in the import ${holder.importId}`;
  return { line: claim.line, subject, code: 'CORRECTION_ROW_ANSWERED', message };
}

/** The claim that another request made in the meantime; undefined: this request took over the claim. */
async function takeOver(seen: NumberItem, claim: NumberItem, numbers: Numbers): Promise<NumberItem | undefined> {
  if (await numbers.takeOver(seen, claim)) return undefined;
  const holder = (await numbers.get(claim.number)) ?? seen;
  return isSameRequest(holder, claim) ? undefined : holder;
}

interface Holders {
  /** What would happen to the number if it were sent now. */
  predict(claim: NumberItem): Promise<NumberPrediction | undefined>;
  /** Whether the row may be sent again: it was not sent, or ended without success. */
  isRowOver(claim: NumberItem): Promise<boolean>;
}

/** Reads each other request once: when a file is imported again, the same few requests hold all of its numbers. */
function createHolders({ request: own }: Attempt, { requests, ports }: SubmitPipeline): Holders {
  const { replaces } = own;
  const find = lookUpOnce((importId: string, request: number) => requests.get(importId, request));
  /** A divided request holds the claims of its parts until they are sent. */
  const findOfLine = async ({ importId, request, line }: NumberItem): Promise<RequestItem | undefined> => {
    let item = await find(importId, request);
    for (let part = item && partWithLine(item, line); part !== undefined; part = item && partWithLine(item, line))
      item = await find(importId, part);
    return item;
  };
  const findResults = lookUpOnce(async (importId: string, request: number) => {
    const item = await find(importId, request);
    if (item === undefined) return undefined;
    const rows = item.portId === undefined ? undefined : await ports.rows(item.portId);
    return { item, results: resultsOf(item, { rows }) };
  });

  /** The port of the row was cancelled, so that this request replaces it. */
  const isReplaced = (claim: NumberItem): boolean => replaces !== undefined && isSameRequest(replaces, claim);

  return {
    predict: async (claim) => {
      const prediction = predictNumber(claim, await find(claim.importId, claim.request));
      // Its number was on its way, whenever it was ported before: left out, it would be in no port.
      return prediction?.kind === 'ported' && isReplaced(claim) ? undefined : prediction;
    },
    isRowOver: async (claim) => {
      if (isReplaced(claim)) return true;
      const item = await findOfLine(claim);
      if (item === undefined || isSameRequest(item, own)) return true;
      const { importId, line } = claim;
      const holder = await findResults(importId, item.request);
      if (holder === undefined) return true;
      const outcome = holder.results.get(line)?.outcome;
      if (outcome === undefined || outcome === 'skipped') return hasSent(holder.item);
      return sendableAgain.has(outcome);
    },
  };
}
