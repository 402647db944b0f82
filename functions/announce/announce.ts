// Which event the change of an item is, if any. The id of an event depends on the change only, so a record that is
// delivered again is the same event.

import type { Announcement, EventName } from '#shared/api/events.ts';
import { mayBeSent } from '#shared/domain/imports/may-be-sent.ts';
import { shortId } from '#shared/domain/text/short-id.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { NumberItem } from '#shared/items/number.ts';
import type { PortItem } from '#shared/items/port.ts';
import { adviceForRow, requestResult } from '#shared/outcome/row-result.ts';
import { portStatus, rowNeedsAction } from '#shared/port/port-status.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { plainName } from '#shared/row/redact.ts';
import type { ItemChange, NamedPortEvent } from '#shared/store/tables/stream-records.ts';

/** undefined: the change causes no event. */
export function announcementOf(change: ItemChange): Announcement | undefined {
  if (change.kind === 'import') return ofImport(change.was, change.is);
  if (change.kind === 'port-event') return change.was === undefined ? ofStatus(change.is) : undefined;
  if (change.kind === 'number') return ofNumber(change.was, change.is);
  if (change.kind === 'port') return ofPort(change.was, change.is);
  return ofRequest(change.was, change.is);
}

interface Change {
  readonly at: string;
  readonly importId: string;
  /** Distinguishes the change from others with the same name, import and time. */
  readonly subject?: readonly (string | number)[];
}

/** The members that every event has. */
const common = (name: EventName, { at, importId, subject = [] }: Change) => ({
  version: 1 as const,
  id: shortId([name, importId, at, ...subject]),
  at,
  importId,
});

const mostCodes = 10;

function ofImport(was: ImportItem | undefined, is: ImportItem): Announcement | undefined {
  if (was?.state === is.state) return undefined;
  const { importId, operation, key, rows, accepted, rejected, changedAt: at } = is;
  const about = (name: EventName) => ({
    ...common(name, { at, importId }),
    operation,
    file: plainName(key),
    rows,
    accepted,
    rejected,
  });
  if (is.state === 'planned') {
    const name = 'ImportPlanned';
    return { name, detail: { ...about(name), requests: is.requestCount, waitsForApproval: !mayBeSent(is) } };
  }
  if (is.state === 'rejected') {
    const name = 'ImportRejected';
    const errors = is.issues.filter(({ severity }) => severity === 'error');
    const codes = [...new Set(errors.map(({ code }) => code))].slice(0, mostCodes);
    return { name, detail: { ...about(name), codes } };
  }
  if (is.state !== 'finished') return undefined;
  const name = 'ImportFinished';
  const { requests, ports, actionRequired, skippedRows: skipped, progress } = is;
  const { declined = 0 } = progress?.outcomes ?? {};
  return { name, detail: { ...about(name), requests, ports, actionRequired, skipped, declined } };
}

function ofStatus({ importId, request, portId, at, status, was }: NamedPortEvent): Announcement {
  const name = 'PortStatusChanged';
  const before = was === undefined ? {} : { was };
  const detail = { ...common(name, { at, importId, subject: [portId, status] }), request, portId, status, ...before };
  return { name, detail: { ...detail, ended: portStatus(status).terminal } };
}

const actionRequired = 'ActionRequired';

/** A row that requires action now and did not before. Other messages of the service about it cause no event. */
function ofNumber(was: NumberItem | undefined, is: NumberItem): Announcement | undefined {
  const { importId, request, line, latest } = is;
  if (latest === undefined || latest.ended) return undefined;
  const { portId, status, readAt: at } = latest;
  if (!rowNeedsAction(status)) return undefined;
  const before = was?.importId === importId && was.request === request ? was.latest : undefined;
  if (before?.portId === portId && before.status === status) return undefined;
  const whatToDo = adviceForRow(status);
  const detail = {
    ...common(actionRequired, { at, importId, subject: ['row', line, portId] }),
    request,
    rows: 1,
    line,
  };
  return { name: actionRequired, detail: { ...detail, scope: 'row', portId, status, whatToDo } };
}

/** What to do if no single row requires action, but the port as a whole does. */
function adviceForPort({ status, actionRequired: rows, blockingRows, concern }: PortItem): string | undefined {
  if (concern !== undefined) return 'Check the port: it differs from the request, or the service does not know it';
  return rows > 0 && blockingRows === 0 ? portStatus(status).advice || undefined : undefined;
}

function ofPort(was: PortItem | undefined, is: PortItem): Announcement | undefined {
  const whatToDo = adviceForPort(is);
  if (whatToDo === undefined) return undefined;
  if (was !== undefined && adviceForPort(was) === whatToDo && was.concern === is.concern) return undefined;
  const { importId, request, portId, status, changedAt: at } = is;
  const detail = { ...common(actionRequired, { at, importId, subject: ['port', portId] }), request, portId, status };
  const rows = Math.max(1, is.actionRequired);
  return { name: actionRequired, detail: { ...detail, scope: 'port', rows, whatToDo } };
}

function ofRequest(was: RequestItem | undefined, is: RequestItem): Announcement | undefined {
  if (is.state !== 'action-required' || was?.state === 'action-required') return undefined;
  const { importId, request, rowCount: rows, changedAt: at } = is;
  const { whatToDo } = requestResult(is);
  const detail = {
    ...common(actionRequired, { at, importId, subject: ['request', request] }),
    request,
    rows,
    whatToDo,
  };
  return { name: actionRequired, detail: { ...detail, scope: 'request' } };
}
