// Moves ports to another date, and plans the cancellation of numbers.
import * as z from 'zod';
import type { ImportItem } from '#shared/import/import.ts';
import { isActive } from '#shared/import/import-state.ts';
import { cancellationCsv, readCancellableRows } from '#shared/results/numbers.ts';
import { readFirst } from '#shared/results/parts.ts';
import { columnsForPeople } from '#shared/results/results-csv.ts';
import type { ReadRow } from '#shared/results/row-page.ts';
import { reschedulingId } from '#shared/text/identity.ts';
import { count, ordinal } from '#shared/text/stored-values.ts';
import { counted } from '#shared/text/wording.ts';
import type { ApiWriter } from '../context.ts';
import { checkLinesAreUnique, findImportToSend, readRows, recordAudit } from '../find-import.ts';
import { ApiProblem, endpoint } from '../http/endpoint.ts';
import { because, importPath } from '../schemas.ts';
import { putCsvUpload } from './uploads.ts';

const rescheduleBody = z.strictObject({
  date: z.union([z.literal('auto'), z.iso.date()]),
  /** Only these requests; all of them where absent. */
  requests: z.array(ordinal).min(1).max(1_000).optional(),
  because,
});

const maxLines = 10_000;
const cancelBody = z.strictObject({
  /** The lines of the rows to cancel; absent for every number in a port that has not ended, also of corrections. */
  lines: z.array(ordinal).min(1).max(maxLines).optional(),
  because,
});

/**
 * `importId` cancels the rows once it is approved. `notCancellable`: lines of rows that are not in a live port.
 * `unknownRequests`: requests of unknown outcome; if they have a port, its numbers are not among the rows.
 */
const cancelPlanned = z.object({
  importId: z.string(),
  rows: count,
  notCancellable: z.array(ordinal),
  unknownRequests: count,
});

export const rescheduleImport = endpoint(
  {
    at: 'POST /imports/{importId}/reschedule',
    role: 'approver',
    summary: 'Move ports to another date',
    accepts: { path: importPath, body: rescheduleBody },
    status: 202,
    answer: z.object({ importId: z.string(), reschedules: z.string() }),
    problems: ['state-changed'],
  },
  async ({ path, body, caller, writeId }, writer: ApiWriter) => {
    const item = await findImportToSend(writer, path.importId);
    const { importId, state, operation } = item;
    if (operation !== 'create-port' || !isActive(item)) {
      const detail = 'Only ports of an import that is in progress can be moved to another date.';
      throw new ApiProblem('state-changed', detail, { changed: { state, operation } });
    }
    const { date, requests, because } = body;
    const moved = reschedulingId(importId, writeId);
    await recordAudit(importId, { action: 'rescheduled', caller, because, details: { date, import: moved } }, writer);
    await writer.command({
      reschedule: importId,
      date,
      ask: writeId,
      by: caller.name,
      ...(requests && { requests }),
      ...(because && { because }),
    });
    return { importId: moved, reschedules: importId };
  },
);

const cancellable: readonly ReadRow['outcome'][] = ['in-progress', 'action-required'];

/** The cancellation is an import that waits for approval: what it cancels is seen before it is done. */
export const cancelRows = endpoint(
  {
    at: 'POST /imports/{importId}/cancel',
    role: 'approver',
    summary: 'Plan the cancellation of numbers',
    accepts: { path: importPath, body: cancelBody },
    status: 202,
    answer: cancelPlanned,
    problems: ['state-changed', 'line-not-unique', 'not-ready', 'file-expired'],
  },
  async ({ path, body, caller, writeId }, writer: ApiWriter) => {
    const item = await findImportToSend(writer, path.importId);
    const first = await readFirst(writer.imports, item);
    const { live, notCancellable, unknownRequests } =
      body.lines === undefined
        ? await everyLiveRow(item, writer)
        : { ...(await chooseRows(item, body.lines, writer)), unknownRequests: 0 };
    if (live.length === 0) {
      const detail = 'None of these rows is in a port that is in progress: there is nothing to cancel.';
      throw new ApiProblem('state-changed', detail, { changed: { state: item.state } });
    }
    const upload = {
      operation: 'cancel-port',
      folder: writeId,
      fileName: `cancel-${item.importId}.csv`,
      caller,
      details: { cancels: item.importId },
    };
    const importId = await putCsvUpload(upload, cancellationCsv(first, live), {}, writer);
    const details = { import: importId, rows: String(live.length) };
    await recordAudit(item.importId, { action: 'cancelled', caller, because: body.because, details }, writer);
    return { importId, rows: live.length, notCancellable, unknownRequests };
  },
);

/** @throws ApiProblem while a port is not read yet: the plan would leave its numbers out */
async function everyLiveRow(item: ImportItem, writer: ApiWriter) {
  const { rows, unread, unknown } = await readCancellableRows(writer, item);
  if (unread === 0) return { live: rows, notCancellable: [], unknownRequests: unknown };
  const detail = `The numbers of ${counted(unread, 'port')} are not known yet. Try again in a minute.`;
  throw new ApiProblem('state-changed', detail, { changed: { state: item.state, unreadPorts: unread } });
}

async function chooseRows(item: ImportItem, named: readonly number[], writer: ApiWriter) {
  const lines = [...new Set(named)].sort((one, other) => one - other);
  const rows = await readLines(item, lines, writer);
  const live = rows.filter(({ outcome, portId }) => portId !== '' && cancellable.includes(outcome));
  checkLinesAreUnique(live.map(({ line }) => line));
  const found = new Set(live.map(({ line }) => line));
  const { msisdn } = columnsForPeople(item);
  const chosen = live.map(({ cells, portId, line }) => ({
    msisdn: cells[msisdn ?? -1] ?? '',
    portId,
    line,
  }));
  return {
    live: msisdn === undefined ? [] : chosen,
    notCancellable: lines.filter((line) => !found.has(line)),
  };
}

async function readLines(item: ImportItem, lines: readonly number[], writer: ApiWriter): Promise<ReadRow[]> {
  const rows: ReadRow[] = [];
  for (let afterRow: number | null = -1; afterRow !== null; ) {
    const page = await readRows(item, { lines, afterRow, limit: Number.MAX_SAFE_INTEGER }, writer);
    if (page === undefined) {
      const detail = 'The rows of this import are not written yet. Repeat the request after the time in Retry-After.';
      throw new ApiProblem('not-ready', detail, { retryAfterSeconds: 5 });
    }
    rows.push(...page.rows);
    afterRow = page.nextAfterRow;
  }
  return rows;
}
