// Reads one port, the ports of some days, and the list of every port.

import type * as z from 'zod';
import { csvHeader, csvRow, unguardFormula } from '#shared/files/csv/csv-row.ts';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import { describeHold } from '#shared/import/import-state.ts';
import { adviceForRow } from '#shared/outcome/row-result.ts';
import { dayOfPort, type PortItem, type PortOfDay as StoredPortOfDay } from '#shared/port/port.ts';
import { blockedRows, isPortStatus, normaliseStatus, shownRowStatus } from '#shared/port/port-status.ts';
import type { AccountReader } from '#shared/store/account.ts';
import type { ObjectHead, ObjectReader } from '#shared/store/files.ts';
import { portListKey } from '#shared/store/object-keys.ts';
import type { Period, PortReader } from '#shared/store/ports.ts';
import { withoutToken } from '#shared/text/identity.ts';
import type { listedPort, PortDetails, portDay, portOfDay } from './answers.ts';

// One port: its rows, what blocks them, and its history.

export interface DescribedPort {
  readonly item: PortItem;
  readonly details: PortDetails;
  /** Which rows block which; empty where none is blocked. */
  readonly blocked: string;
}

/** undefined: simporter created no such port. */
export async function readPortDetails(reader: AccountReader, id: string): Promise<DescribedPort | undefined> {
  const { ports, imports, resources } = reader;
  const [item, rows = [], events] = await Promise.all([ports.get(id), ports.rows(id), ports.events(id)]);
  if (item === undefined) return undefined;
  const owner = isOver(item) ? undefined : await imports.get(item.importId);
  const concern = (owner && describeHold(owner, resources.account)) ?? item.concern;
  const { blocked, blocking, summary } = blockedRows(
    rows.map(({ msisdn, status }) => ({ msisdn, statusName: status })),
  );
  const { portId, name, status, importId, request, connectionDate, rowCount, readyRows, blockingRows } = item;
  const details = {
    portId,
    name,
    status,
    importId,
    request,
    connectionDate,
    rowCount,
    readyRows,
    blockingRows,
    ...(concern === undefined ? {} : { concern }),
    ...(item.cancelBy === undefined ? {} : { cancelBy: item.cancelBy }),
    readAt: item.readAt,
    changedAt: item.changedAt,
    rows: rows.map((row) => ({
      ...row,
      status: shownRowStatus(row.status, status),
      whatToDo: adviceForRow(row.status),
      blockedBy: blocked.includes(row.msisdn) ? [...blocking] : [],
    })),
    events: events.map(({ at, status: to, was }) => ({ at, status: to, ...(was === undefined ? {} : { was }) })),
  };
  return { item, details, blocked: summary };
}

/** No run of sync reads it. */
const isOver = ({ dueAt }: PortItem): boolean => dueAt === undefined;

// The ports of simporter by their day, from the index of the results table: what moves today and on the next days.

export type PortOfDay = z.infer<typeof portOfDay>;
export type PortDay = z.infer<typeof portDay>;

export interface PortDays {
  /** The days that have ports. */
  readonly days: PortDay[];
  /** By day; also the cancelled ones. */
  readonly ports: PortOfDay[];
  /** Otherwise the period has more ports than were read. */
  readonly isComplete: boolean;
}

/** About 400 read units. */
const mostOfPeriod = 10_000;

export async function readPortDays({ ports, resources }: AccountReader, period: Period): Promise<PortDays> {
  const found: PortOfDay[] = [];
  let isComplete = true;
  for await (const port of ports.ofDays(resources.account, period)) {
    isComplete = found.length < mostOfPeriod;
    if (!isComplete) break;
    found.push(toPortOfDay(port));
  }
  found.sort((one, other) => compare(one.day, other.day) || compare(one.portId, other.portId));
  const days = [...Map.groupBy(found, ({ day }) => day)].map(([day, ofDay]) => sumUp(day, ofDay));
  return { days, ports: found, isComplete };
}

const toPortOfDay = (port: StoredPortOfDay): PortOfDay => ({
  portId: port.portId,
  importId: port.importId,
  name: withoutToken(port.name),
  status: port.status,
  day: dayOfPort(port),
  rowCount: port.rowCount,
  blockedRows: port.readyRows,
  actionRequired: port.actionRequired,
  cancelBy: port.cancelBy ?? null,
});

function sumUp(day: string, all: readonly PortOfDay[]): PortDay {
  const moving = all.filter(({ status }) => !isPortStatus(status, 'Cancelled'));
  const sum = (of: (port: PortOfDay) => number): number => moving.reduce((total, port) => total + of(port), 0);
  const [cancelBy = null] = moving.flatMap((port) => port.cancelBy ?? []).sort();
  return {
    day,
    ports: moving.length,
    numbers: sum(({ rowCount }) => rowCount),
    complete: sum(({ status, rowCount }) => (isPortStatus(status, 'Complete') ? rowCount : 0)),
    blocked: sum(({ blockedRows }) => blockedRows),
    actionRequired: sum(({ actionRequired }) => actionRequired),
    cancelBy,
  };
}

// Every port of the account, also those that were made elsewhere: one CSV in the results bucket, which sync writes when
// a person asks for it, the latest date first (docs/decisions/0055). Without PACs.

export type ListedPort = z.infer<typeof listedPort>;

/** Numbers as in the file, separated by `;`: there may be millions. */
export interface PortRecord extends Omit<ListedPort, 'numbers'> {
  readonly numbers: string | null;
}

interface PortListFacts {
  /** Calendar time of the last reading. */
  readonly readAt: string;
  /** Otherwise the last reading did not reach the end of the list. */
  readonly isComplete: boolean;
  /** Wall time at which the list was written: the calendar of a simulator may be paused. Empty in earlier files. */
  readonly writtenAt: string;
}

export interface PortList extends PortListFacts {
  readonly file: ObjectHead;
  /** Can be read once. */
  readonly batches: AsyncIterable<PortRecord[]>;
}

export const portListHeader = [
  ...(['portId', 'name', 'status', 'connectionDate', 'rowCount', 'numbers', 'importId', 'readAt'] as const),
] as const;

export const portListCells = ({ rowCount, numbers, importId, ...port }: PortRecord): string[] => [
  port.portId,
  port.name,
  port.status,
  port.connectionDate,
  String(rowCount),
  numbers ?? '',
  importId ?? '',
  port.readAt,
];

const portsPerText = 1_000;

/** The text of the file, in pieces. */
export function* portListCsv(ports: readonly PortRecord[]): Iterable<string> {
  yield csvHeader(portListHeader, ',');
  for (let start = 0; start < ports.length; start += portsPerText) {
    const batch = ports.slice(start, start + portsPerText);
    yield batch.map((port) => csvRow(portListCells(port))).join('');
  }
}

/** Metadata of the file. */
export const portListFacts = ({ readAt, writtenAt, isComplete }: PortListFacts) => ({
  'read-at': readAt,
  'written-at': writtenAt,
  'is-complete': String(isComplete),
});

interface PortListPlace {
  readonly files: ObjectReader;
  readonly resources: { readonly account: string; readonly resultsBucket: string };
}

const portListRef = ({ resources }: PortListPlace) => ({
  bucket: resources.resultsBucket,
  key: portListKey(resources.account),
});

/** The file without its ports: no connection waits until they are read. undefined: the list was never read. */
export const findPortList = (place: PortListPlace): Promise<ObjectHead | undefined> =>
  place.files.head(portListRef(place));

/** undefined: the list was never read. */
export async function openPortList(place: PortListPlace): Promise<PortList | undefined> {
  const { files } = place;
  const ref = portListRef(place);
  const file = await findPortList(place);
  if (file === undefined) return undefined;
  const { 'read-at': readAt = '', 'written-at': writtenAt = '', 'is-complete': isComplete } = file.metadata;
  const opened = await readCsv(await files.read(ref), { delimiter: ',', encoding: 'utf-8', headerLine: 1 });
  if (!opened.ok) throw new Error(opened.issue.message);
  return { file, readAt, writtenAt, isComplete: isComplete === 'true', batches: portsOf(opened.value.batches) };
}

type Batches = Extract<Awaited<ReturnType<typeof readCsv>>, { ok: true }>['value']['batches'];

async function* portsOf(batches: Batches): AsyncIterable<PortRecord[]> {
  for await (const { lines, cellsOf } of batches) yield lines.map((_, index) => portOf(cellsOf(index)));
}

function portOf(cells: readonly string[]): PortRecord {
  const [portId = '', name = '', status = '', connectionDate = '', rowCount, numbers, importId, readAt = ''] =
    cells.map(unguardFormula);
  return {
    portId,
    name,
    status,
    connectionDate,
    readAt,
    rowCount: Number(rowCount),
    numbers: numbers || null,
    importId: importId || null,
  };
}

export interface PortFilter {
  readonly status?: string | undefined;
  /** `own`: an import follows the port. */
  readonly origin?: 'own' | 'foreign' | undefined;
  /** E.164 digits. */
  readonly number?: string | undefined;
  /** Only those behind this one. */
  readonly after?: PlaceInList | undefined;
}

/** The order of the file. */
export const comparePorts = (one: PlaceInList, other: PlaceInList): number =>
  compare(other.connectionDate, one.connectionDate) || compare(one.portId, other.portId);

interface PlaceInList {
  readonly connectionDate: string;
  readonly portId: string;
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

export const toListedPort = (port: PortRecord): ListedPort => ({
  ...port,
  numbers: port.numbers?.split(';') ?? null,
});

/** undefined: any status. */
export function withStatus(status: string | undefined): (port: { readonly status: string }) => boolean {
  const wanted = status && normaliseStatus(status);
  return (port) => !wanted || normaliseStatus(port.status) === wanted;
}

/** A port that was adopted since the list was read is shown with its import. */
export async function* findPorts(
  { batches }: PortList,
  { status, origin, number, after }: PortFilter,
  ports: PortReader,
): AsyncIterable<PortRecord> {
  const hasStatus = withStatus(status);
  for await (const batch of batches) {
    const fitting = batch.filter(
      (port) =>
        hasStatus(port) &&
        (number === undefined || `;${port.numbers};`.includes(`;${number};`)) &&
        (after === undefined || comparePorts(after, port) < 0),
    );
    const foreign = fitting.filter(({ importId }) => importId === null).map(({ portId }) => portId);
    const owners = new Map<string, string>();
    const leaveOut = () => {}; // Sync names the items that cannot be read.
    for await (const { portId, importId } of ports.itemsOf(foreign, leaveOut)) owners.set(portId, importId);
    for (const port of fitting) {
      const importId = port.importId ?? owners.get(port.portId) ?? null;
      if (origin === undefined || (origin === 'own') === (importId !== null)) yield { ...port, importId };
    }
  }
}
