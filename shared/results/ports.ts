// One port; the list of every port.

import type * as z from 'zod';
import { csvHeader, csvRow, unguardFormula } from '#shared/files/csv/csv-row.ts';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import { adviceForRow } from '#shared/outcome/row-result.ts';
import type { PortItem } from '#shared/port/port.ts';
import { blockedRows, normaliseStatus, shownRowStatus } from '#shared/port/port-status.ts';
import type { ResultsReader } from '#shared/store/account.ts';
import type { ObjectHead, ObjectReader } from '#shared/store/files.ts';
import { portListKey } from '#shared/store/object-keys.ts';
import type { PortReader } from '#shared/store/ports.ts';
import type { listedPort, PortDetails } from './answers.ts';

// One port: its rows, what blocks them, and its history.

export interface ReadPort {
  readonly item: PortItem;
  readonly details: PortDetails;
  /** Which rows block which; empty where none is blocked. */
  readonly blocked: string;
}

/** undefined: simporter created no such port. */
export async function readPortDetails({ ports }: ResultsReader, id: string): Promise<ReadPort | undefined> {
  const [item, rows = [], events] = await Promise.all([ports.get(id), ports.rows(id), ports.events(id)]);
  if (item === undefined) return undefined;
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
    ...(item.concern === undefined ? {} : { concern: item.concern }),
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
  readonly resources: { readonly account: number; readonly resultsBucket: string };
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

/** A port that was adopted since the list was read is shown with its import. */
export async function* findPorts(
  { batches }: PortList,
  { status, origin, number, after }: PortFilter,
  ports: PortReader,
): AsyncIterable<PortRecord> {
  const wanted = status && normaliseStatus(status);
  for await (const batch of batches) {
    const fitting = batch.filter(
      (port) =>
        (!wanted || normaliseStatus(port.status) === wanted) &&
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
