// Turns the records of the table's stream into events.
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Announcement, EventName } from '#shared/api/events.ts';
import { type ImportItem, importItem } from '#shared/import/import.ts';
import { mayBeSent } from '#shared/import/import-state.ts';
import { adviceForRow, mismatchAdvice, requestResult } from '#shared/outcome/row-result.ts';
import { type ComparisonItem, comparisonItem, comparisonPrefix } from '#shared/outcome/service-comparison.ts';
import { type PortEvent, type PortItem, portEvent, portEventPrefix, portItem } from '#shared/port/port.ts';
import { portStatus, rowNeedsAction } from '#shared/port/port-status.ts';
import { type NumberItem, numberItem } from '#shared/request/number-claim.ts';
import { openRows } from '#shared/request/packed-lines.ts';
import { type RequestItem, requestItem, requestPrefix } from '#shared/request/request.ts';
import { plainName } from '#shared/row/redact.ts';
import type { Log } from '#shared/runtime/logger.ts';
import { createStepHandler } from '#shared/runtime/step.ts';
import type { EventBus } from '#shared/store/event-bus.ts';
import { shortId } from '#shared/text/identity.ts';

const numbered = z.object({ dynamodb: z.object({ SequenceNumber: z.string().check(z.minLength(1)) }) });

interface RecordedAnnouncement {
  readonly sequenceNumber: string;
  readonly announcement: Announcement;
}

/**
 * Records that cannot be read fail, as do those whose events the bus did not take. Lambda delivers again from the first
 * failed record on. What was published after it is then published twice, under the same id.
 */
export const createAnnounceHandler = ({ bus, log }: { readonly bus: EventBus; readonly log: Log }) =>
  createStepHandler({ log }, async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const failed: string[] = [];
    const announcements: RecordedAnnouncement[] = [];
    for (const record of Records) {
      const sequenceNumber = numbered.parse(record).dynamodb.SequenceNumber;
      try {
        const change = readChange(record);
        const announcement = change && announcementOf(change);
        if (announcement !== undefined) announcements.push({ sequenceNumber, announcement });
      } catch (error) {
        log.error('a record of the stream could not be read', { sequenceNumber, error });
        failed.push(sequenceNumber);
      }
    }
    failed.push(...(await publish(announcements, bus, log)));
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  });

/** Returns the records whose events the bus did not accept. */
async function publish(announcements: readonly RecordedAnnouncement[], bus: EventBus, log: Log): Promise<string[]> {
  if (announcements.length === 0) return [];
  const events = announcements.map(({ announcement: { name, detail } }) => ({ name, at: detail.at, detail }));
  const left = (await bus.publish(events)).flatMap((index) => announcements[index] ?? []);
  if (left.length > 0) log.error('the bus did not take all events', { left: left.length, of: events.length });
  else log.info('announced', { events: events.length });
  return left.map(({ sequenceNumber }) => sequenceNumber);
}

// Records of the table's stream as Lambda delivers them: which item changed, from what to what.

/** `was` is absent where the item is new. */
type ItemChange =
  | { readonly kind: 'import'; readonly was: ImportItem | undefined; readonly is: ImportItem }
  | { readonly kind: 'request'; readonly was: RequestItem | undefined; readonly is: RequestItem }
  | { readonly kind: 'number'; readonly was: NumberItem | undefined; readonly is: NumberItem }
  | { readonly kind: 'port'; readonly was: PortItem | undefined; readonly is: PortItem }
  | { readonly kind: 'port-event'; readonly was: PortEvent | undefined; readonly is: PortEvent }
  | { readonly kind: 'comparison'; readonly was: ComparisonItem | undefined; readonly is: ComparisonItem };

const image = z.record(z.string(), z.unknown());
const streamRecord = z.object({
  dynamodb: z.object({
    Keys: z.object({ sk: z.object({ S: z.string() }) }),
    NewImage: z.optional(image),
    OldImage: z.optional(image),
  }),
});

/**
 * undefined: a deletion, or an item of a kind that makes no events.
 * @throws when the item has another shape than its kind
 */
export function readChange(record: unknown): ItemChange | undefined {
  const { Keys, NewImage, OldImage } = streamRecord.parse(record).dynamodb;
  if (NewImage === undefined) return undefined;
  const sk = Keys.sk.S;
  const pair = <Item>(schema: z.ZodMiniType<Item>) => ({
    was: OldImage && schema.parse(itemOf(OldImage)),
    is: schema.parse(itemOf(NewImage)),
  });
  if (sk === 'import') return { kind: 'import', ...pair(importItem) };
  if (sk === 'current') return { kind: 'number', ...pair(numberItem) };
  if (sk === 'port') return { kind: 'port', ...pair(portItem) };
  if (sk.startsWith(requestPrefix)) return { kind: 'request', ...pair(requestItem) };
  if (sk.startsWith(comparisonPrefix)) return { kind: 'comparison', ...pair(comparisonItem) };
  if (sk.startsWith(portEventPrefix)) return { kind: 'port-event', ...pair(portEvent) };
  return undefined;
}

const itemOf = (attributes: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, plain(value)]));

/** Only the attribute types that the items have. */
function plain(attribute: unknown): unknown {
  const [[type, value] = []] = Object.entries(attribute ?? {});
  if (type === 'S' || type === 'BOOL') return value;
  if (type === 'N') return Number(value);
  if (type === 'NULL') return null;
  if (type === 'L') return (value as unknown[]).map(plain);
  if (type === 'M') return itemOf(value as Record<string, unknown>);
  throw new Error(`no item has an attribute of the type ${type}`);
}

// Which event the change of an item is, if any. The id of an event depends on the change only, so a record that is
// delivered again is the same event.

/** undefined: the change causes no event. */
export function announcementOf(change: ItemChange): Announcement | undefined {
  if (change.kind === 'import') return ofImport(change.was, change.is);
  if (change.kind === 'port-event') return change.was === undefined ? ofStatus(change.is) : undefined;
  if (change.kind === 'number') return ofNumber(change.was, change.is);
  if (change.kind === 'port') return ofPort(change.was, change.is);
  if (change.kind === 'comparison') return ofComparison(change.was, change.is);
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
  const { importId, operation, key, rows, accepted, rejected, partOf, changedAt: at } = is;
  const about = (name: EventName) => ({
    ...common(name, { at, importId }),
    operation,
    file: plainName(key),
    ...(partOf && { part: partOf.kind, firstImportId: partOf.importId }),
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

function ofStatus({ importId, request, portId, at, status, was }: PortEvent): Announcement {
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
  const { importId, request, changedAt: at } = is;
  const rows = openRows(is);
  const { whatToDo } = requestResult(is);
  const detail = {
    ...common(actionRequired, { at, importId, subject: ['request', request] }),
    request,
    rows,
    whatToDo,
  };
  return { name: actionRequired, detail: { ...detail, scope: 'request' } };
}

/** SIMs that were seen with other services than those requested, and were not before. */
function ofComparison(was: ComparisonItem | undefined, is: ComparisonItem): Announcement | undefined {
  const known = new Set(was?.sims.map(({ line }) => line));
  const rows = is.sims.filter(({ line }) => !known.has(line)).length;
  if (rows === 0) return undefined;
  const { importId, request, revision, changedAt: at } = is;
  const detail = { ...common(actionRequired, { at, importId, subject: ['sims', request, revision] }), request, rows };
  return { name: actionRequired, detail: { ...detail, scope: 'request', whatToDo: mismatchAdvice } };
}
