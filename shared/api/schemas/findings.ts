// Numbers, ports, actions, reports, and what changed.
import * as z from 'zod';
import { importStates } from '#shared/domain/requests/ledger.ts';
import { count, instant } from '#shared/domain/schemas.ts';
import { actionEntry, importProgress, outage, solutions } from '#shared/read-models/answers.ts';
import { importPath } from './path.ts';

/** In any notation: `07700 900123`, `+44 7700 900123`, `447700900123`. */
export const numberPath = z.object({ msisdn: z.string().min(1).max(50) });
export const portPath = z.object({ portId: z.string().min(1).max(100) });

export const actionItem = actionEntry.extend({
  /** `IMPORT/REQUEST`; empty for an import. */
  requestId: z.string(),
  /** How to continue; null when only `whatToDo` helps. */
  solution: z.enum(solutions).nullable(),
});
export const actionList = z.object({
  actions: z.array(actionItem),
  /** Not all were read. */
  isIncomplete: z.boolean(),
  outage: outage.optional(),
});

/** `by` names a column of the file, such as the cost centre. */
export const reportQuery = z.object({ by: z.string().min(1).max(200).optional() });
const reportGroup = z.object({ name: z.string(), rows: count, outcomes: importProgress.shape.outcomes });
export const report = z.object({
  importId: z.string(),
  file: z.string(),
  state: z.enum(importStates),
  rows: count,
  outcomes: importProgress.shape.outcomes,
  byNetwork: z.array(reportGroup),
  /** By connection date: planned, and completed so far. */
  byDay: z.array(z.object({ day: z.string(), rows: count, complete: count })),
  /** By the column that the query names; empty without one. */
  byColumn: z.array(reportGroup),
  /** The columns of the file that `by` can name. */
  columns: z.array(z.string()),
  asOf: instant,
});
export const reportFilePath = importPath.extend({ format: z.enum(['xlsx', 'csv']) });

/** Changes with every change of an import, an action or the service. Its ETag answers If-None-Match with 304. */
export const events = z.object({
  /** The imports that changed last, newest change first. */
  imports: z.array(
    z.object({
      importId: z.string(),
      file: z.string(),
      state: z.enum(importStates),
      changedAt: instant,
      actionRequired: count,
    }),
  ),
  actionRequired: count,
  outage: outage.optional(),
});
