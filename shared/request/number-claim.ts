// The claim of a number: its item, its key, and what would happen if the number were sent now.
import * as z from 'zod/mini';
import { isPortStatus } from '#shared/port/port-status.ts';
import { expiresAt, type ItemKey, instant, optionalText, ordinal, text } from '#shared/text/stored-values.ts';
import { unpackLines } from './packed-lines.ts';
import type { ExcludedRow, RequestItem } from './request.ts';

// The item of a number: one claim, so that no number is in two requests at once.

/** The last reading of one row. Written only when the row starts or stops to need action, or has ended. */
export const latestReading = z.object({
  portId: text,
  status: text,
  message: optionalText,
  /** Calendar time at which the read began: an earlier read never overwrites it. */
  readAt: instant,
  /** The row has ended: the number is free for another import. */
  ended: z.boolean(),
});
export type LatestReading = z.infer<typeof latestReading>;

/** A port of a number that is complete. `at`: calendar time at which it was read to be complete. */
export const portedNumber = z.object({ importId: text, line: ordinal, at: instant });
type PortedNumber = z.infer<typeof portedNumber>;

/** The claim of a number: the row that it belongs to. Its current state is read from that request and its port. */
export const numberItem = z.object({
  number: text,
  importId: text,
  request: ordinal,
  line: ordinal,
  /** In the first file, where a correction sends the row. */
  firstLine: z.optional(ordinal),
  claimedAt: instant,
  latest: z.optional(latestReading),
  /** The latest complete port by an earlier claim. */
  ported: z.optional(portedNumber),
  expiresAt,
});
export type NumberItem = z.infer<typeof numberItem>;

// What would happen to a number if it were sent now: the one rule of planning, validation and submit.

/** An earlier row with the number. */
interface EarlierRow {
  readonly importId: string;
  readonly line: number;
}

/** `ported`: before. `in-progress`: another request holds it. `cancelled`: a person has cancelled it before. */
export type NumberPrediction =
  | { readonly kind: 'ported'; readonly ported: PortedNumber }
  | ({ readonly kind: 'in-progress' } & EarlierRow)
  | ({ readonly kind: 'cancelled'; readonly at: string } & EarlierRow);

/**
 * undefined: the number can be sent.
 * @param claim the number as the table has it
 * @param holder the request that the claim names; undefined where it does not exist any more
 */
export function predictNumber(claim: NumberItem, holder: RequestItem | undefined): NumberPrediction | undefined {
  const { importId, line, latest } = claim;
  if (!isClaimOver(claim, holder)) return { kind: 'in-progress', importId, line };
  const ported = portedNumberOf(claim);
  if (ported !== undefined) return { kind: 'ported', ported };
  const isCancelled = latest !== undefined && isPortStatus(latest.status, 'Cancelled');
  // The source network gives a reason when it rejects a number. simporter removes rows so that they are imported again.
  if (!isCancelled || latest.message !== undefined || isRemoved(line, holder)) return undefined;
  return { kind: 'cancelled', importId, line, at: latest.readAt };
}

/** By number of the claims, for those that cannot simply be sent. */
export async function predictNumbers(
  claims: readonly NumberItem[],
  findHolder: (importId: string, request: number) => Promise<RequestItem | undefined>,
): Promise<Map<string, NumberPrediction>> {
  const holders = await Promise.all(claims.map(({ importId, request }) => findHolder(importId, request)));
  const predictions = new Map<string, NumberPrediction>();
  for (const [index, claim] of claims.entries()) {
    const prediction = predictNumber(claim, holders[index]);
    if (prediction !== undefined) predictions.set(claim.number, prediction);
  }
  return predictions;
}

const isRemoved = (line: number, holder: RequestItem | undefined): boolean =>
  unpackLines(holder?.removedRows ?? '').includes(line);

/**
 * A claim is never released: it ends with its row, or with its whole request. A second port of the request may port the
 * number as well, until a person has chosen one of them and the other has ended.
 */
function isClaimOver({ number, latest }: NumberItem, holder: RequestItem | undefined): boolean {
  if (holder?.duplicatePortIds !== undefined) return false;
  if (latest?.ended || holder === undefined || holder.endedAt !== undefined) return true;
  const isFreed = ({ subject, code }: ExcludedRow): boolean =>
    subject === number && (code === 'ROW_REFUSED' || hasSent(holder));
  return holder.excludedRows?.some(isFreed) === true;
}

/** Until then the next attempt may send a row that the last one skipped, but never one that the service declined. */
export const hasSent = ({ endedAt, state }: RequestItem): boolean => endedAt !== undefined || state === 'created';

/** The code of the finding, and its message. */
export function describePrediction(number: string, prediction: NumberPrediction) {
  if (prediction.kind === 'ported') {
    return { code: 'MSISDN_ALREADY_PORTED', message: describePorted(number, prediction.ported) } as const;
  }
  const { importId, line } = prediction;
  if (prediction.kind === 'in-progress') {
    const message = `${number} is already in progress on line ${line} of import ${importId}`;
    return { code: 'MSISDN_IN_LIVE_IMPORT', message } as const;
  }
  const message = `${number} was cancelled on ${prediction.at.slice(0, 10)} (line ${line} of import ${importId})`;
  return { code: 'MSISDN_CANCELLED_BEFORE', message } as const;
}

// Whether a number was ported before, from its item in the table.

/** The latest successful port of the number. A later import that claims the number keeps it with its claim. */
export function portedNumberOf({ importId, line, latest, ported }: NumberItem): PortedNumber | undefined {
  if (latest?.ended !== true || !isPortStatus(latest.status, 'Complete')) return ported;
  return { importId, line, at: latest.readAt };
}

/** `447700900123 was already ported on 2026-07-02 by import 0123456789abcdef (line 4)` */
export const describePorted = (number: string, { at, importId, line }: PortedNumber): string =>
  `${number} was already ported on ${at.slice(0, 10)} by import ${importId} (line ${line})`;

export const numberKey = (number: string): ItemKey => ({ pk: `number#${number}`, sk: 'current' });
/** A claim that another import took over, under the time at which it was made. */
export const formerNumberPrefix = 'history#';
export const formerNumberKey = (number: string, claimedAt: string): ItemKey => ({
  pk: `number#${number}`,
  sk: `${formerNumberPrefix}${claimedAt}`,
});
