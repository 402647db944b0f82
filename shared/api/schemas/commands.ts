// What people order: approve, reschedule, cancel, resolve.
import * as z from 'zod';
import { requestStates } from '#shared/domain/requests/ledger.ts';
import { count, ordinal } from '#shared/domain/schemas.ts';

/** Why a person does something; it is recorded and shown. */
const because = z.string().max(200).optional();

export const approveBody = z.object({
  /** As `GET /imports/{importId}/plan` answered it: exactly this plan is approved. */
  planHash: z.string().min(1).max(200),
  because,
});
/** Submission begins within a few seconds. */
export const approved = z.object({ importId: z.string(), rows: count, requestCount: count });

export const rescheduleBody = z.object({
  date: z.union([z.literal('auto'), z.iso.date()]),
  /** Only these requests; all of them where absent. */
  requests: z.array(ordinal).min(1).max(1_000).optional(),
  because,
});
/** `importId` is the import that moves the ports: poll it while it answers 404. */
export const rescheduled = z.object({ importId: z.string(), reschedules: z.string() });

export const maxCancelledLines = 10_000;
export const cancelBody = z.object({
  /** The lines of the rows to cancel. */
  lines: z.array(ordinal).min(1).max(maxCancelledLines),
  because,
});
/** `importId` cancels the rows once it is approved. `notCancellable`: lines of rows that are not in a live port. */
export const cancelPlanned = z.object({
  importId: z.string(),
  rows: count,
  notCancellable: z.array(ordinal),
});

export const maxCorrectedRows = 10_000;
/** Invalid rows by their line, with the cells that a person has fixed, by column name of the operation. */
export const correctionBody = z.object({
  rows: z
    .array(z.object({ line: ordinal, cells: z.record(z.string().min(1).max(100), z.string().max(2_000)) }))
    .min(1)
    .max(maxCorrectedRows),
  because,
});
/** `importId` sends the rows once it is approved. */
export const correctionPlanned = z.object({ importId: z.string(), rows: count });

const portId = z.string().min(1).max(100);
export const resolveBody = z.object({
  what: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('adopt'), portId }),
    // `yes` prevents a number from being sent again by mistake.
    z.object({ kind: z.literal('resend'), yes: z.literal(true) }),
    z.object({ kind: z.literal('abandon') }),
    z.object({ kind: z.literal('keep'), portId, cancelOthers: z.boolean() }),
  ]),
  because,
});
export const resolved = z.object({
  importId: z.string(),
  request: ordinal,
  state: z.enum(requestStates),
  portId: z.string().nullable(),
  /** Ports that the service is cancelling: repeat the request once they are cancelled. */
  cancelling: z.array(z.string()),
});
