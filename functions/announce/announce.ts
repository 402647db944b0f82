// Which event a change of an item is, if any. Ids are made of the change itself, so a record that is delivered again, or read
// again from the stream a day later, is the same event.
import type { ItemChange, NamedPortEvent } from '#shared/aws/stream-records.ts';
import type { ImportItem, NumberItem, NumberTold, PortItem, RequestItem } from '#shared/domain/ledger.ts';
import { portStatus, rowStatus } from '#shared/domain/lifecycle.ts';
import { requestResult } from '#shared/domain/outcome.ts';
import { notInPort } from '#shared/domain/port-look.ts';
import { shortId } from '#shared/domain/short-id.ts';
import type { Announcement, EventName } from '#shared/events/events.ts';

/** undefined: nothing that anybody outside needs to hear of. */
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
  /** Tells the change from all others of the same name, import and time. */
  readonly mark?: readonly (string | number)[];
}

/** What all details begin with. */
const stamp = (name: EventName, { at, importId, mark = [] }: Change) => ({
  version: 1 as const,
  id: shortId([name, importId, at, ...mark]),
  at,
  importId,
});

const fileOf = ({ operation, key, rows, accepted, rejected }: ImportItem) => ({
  operation,
  file: key,
  ...{ rows, accepted, rejected },
});

const mostCodes = 10;

function ofImport(was: ImportItem | undefined, is: ImportItem): Announcement | undefined {
  if (was?.state === is.state) return undefined;
  const change = { at: is.changedAt, importId: is.importId };
  if (is.state === 'planned') {
    const name = 'ImportPlanned';
    const waitsForApproval = is.planOnly && is.approvedAt === undefined;
    return { name, detail: { ...stamp(name, change), ...fileOf(is), requests: is.requestCount, waitsForApproval } };
  }
  if (is.state === 'refused') {
    const name = 'ImportRejected';
    return { name, detail: { ...stamp(name, change), ...fileOf(is), codes: codesOf(is) } };
  }
  if (is.state !== 'completed') return undefined;
  const name = 'ImportCompleted';
  const { requests, ports, attention, withdrawnRows: withdrawn } = is;
  return { name, detail: { ...stamp(name, change), ...fileOf(is), requests, ports, attention, withdrawn } };
}

const codesOf = ({ issues }: ImportItem) =>
  [...new Set(issues.filter(({ severity }) => severity === 'error').map(({ code }) => code))].slice(0, mostCodes);

function ofStatus({ importId, request, portId, at, status, was }: NamedPortEvent): Announcement {
  const name = 'PortStatusChanged';
  const before = was === undefined ? {} : { was };
  const detail = { ...stamp(name, { at, importId, mark: [portId, status] }), request, portId, status, ...before };
  return { name, detail: { ...detail, ended: portStatus(status).terminal } };
}

const attention = 'RowNeedsAttention';

const waits = ({ status, ended }: NumberTold): boolean =>
  !ended && (status === notInPort || rowStatus(status).attention);

/** A number is told when its row begins or ceases to need a person, and when it has ended: only the first is news here. */
function ofNumber(was: NumberItem | undefined, is: NumberItem): Announcement | undefined {
  const { importId, request, line, told } = is;
  if (told === undefined || !waits(told)) return undefined;
  const before = was?.importId === importId && was.request === request ? was.told : undefined;
  // A look that is told once more after a crash, or only with other words of the service.
  if (before?.portId === told.portId && before.status === told.status) return undefined;
  const { portId, status, lookedAt: at } = told;
  const whatToDo = rowStatus(status).advice || 'ask the service operator: it was sent, and its port does not hold it';
  const detail = { ...stamp(attention, { at, importId, mark: ['row', line, portId] }), request, rows: 1, line };
  return { name: attention, detail: { ...detail, scope: 'row', portId, status, whatToDo } };
}

/** What to do where no single row is to blame: the port itself has stopped, or is not what was asked for. */
function adviceForWhole({ status, attention: waiting, badLines, concern }: PortItem): string | undefined {
  if (concern !== undefined) return 'look at the port: it is not what was sent, or the service does not know it';
  return waiting > 0 && badLines === 0 ? portStatus(status).advice || undefined : undefined;
}

function ofPort(was: PortItem | undefined, is: PortItem): Announcement | undefined {
  const whatToDo = adviceForWhole(is);
  if (whatToDo === undefined) return undefined;
  if (was !== undefined && adviceForWhole(was) === whatToDo && was.concern === is.concern) return undefined;
  const { importId, request, portId, status, changedAt: at } = is;
  const detail = { ...stamp(attention, { at, importId, mark: ['port', portId] }), request, portId, status, whatToDo };
  return { name: attention, detail: { ...detail, scope: 'port', rows: Math.max(1, is.attention) } };
}

function ofRequest(was: RequestItem | undefined, is: RequestItem): Announcement | undefined {
  if (is.state !== 'needs-human' || was?.state === 'needs-human') return undefined;
  const { importId, request, rowCount: rows, changedAt: at } = is;
  const { whatToDo } = requestResult(is);
  const detail = { ...stamp(attention, { at, importId, mark: ['request', request] }), request, rows, whatToDo };
  return { name: attention, detail: { ...detail, scope: 'request' } };
}
