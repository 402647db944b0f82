// How far an import is: its rows by outcome, and when the ports in progress are expected to complete.
import {
  acceptedResults,
  blockingLinesOf,
  excludedResult,
  type Outcome,
  outcomeOrder,
  requestResult,
  rowResult,
  waitingPartResult,
} from '#shared/domain/imports/outcome.ts';
import { portStatus } from '#shared/domain/ports/port-status.ts';
import { acceptedLines } from '#shared/domain/requests/read-back.ts';
import { countParts } from '#shared/domain/requests/split-request.ts';
import type { ImportItem } from '#shared/items/import.ts';
import type { RequestItem } from '#shared/items/request.ts';
import type { PortReader } from '#shared/store/tables/ports.ts';
import type { RequestReader } from '#shared/store/tables/requests.ts';
import type { ImportProgress } from './answers.ts';

type Tally = Map<Outcome, number>;

interface ProgressSources {
  readonly requests: RequestReader;
  readonly ports: PortReader;
}

/** The rows of an import with more requests are counted from what report has written: live they take seconds. */
export const countedRequests = 200;

const portsPerRead = 100;

export async function readImportProgress(sources: ProgressSources, item: ImportItem): Promise<ImportProgress> {
  const tally: Tally = new Map();
  const { importId, state, accepted, rejected, duplicates = 0 } = item;
  let requested = 0;
  let expectedDate: string | undefined;
  let split: ImportProgress['split'];
  let ports: RequestItem[] = [];
  const readPorts = async () => {
    await countPortRows(tally, sources.ports, ports);
    expectedDate = later(expectedDate, await readExpectedDate(sources.ports, ports));
    ports = [];
  };
  for await (const request of sources.requests.ofImport(importId)) {
    requested += request.rowCount;
    for (const row of request.excludedRows ?? []) add(tally, excludedResult(row).outcome, 1);
    if (request.split !== undefined) split = addSplit(split, request);
    if (request.portId === undefined) countRequestRows(tally, request);
    else ports.push(request);
    if (ports.length >= portsPerRead) await readPorts();
  }
  await readPorts();
  add(tally, 'duplicate', duplicates);
  add(tally, 'rejected', rejected - duplicates);
  add(tally, state === 'rejected' ? 'not-sent' : 'waiting', accepted - requested);
  return {
    outcomes: inOutcomeOrder(tally),
    ...(expectedDate === undefined ? {} : { expectedDate }),
    ...(split === undefined ? {} : { split }),
  };
}

const addSplit = (split: ImportProgress['split'], { attempt }: RequestItem) => ({
  requests: (split?.requests ?? 0) + 1,
  calls: (split?.calls ?? 0) + attempt,
});

function countRequestRows(tally: Tally, request: RequestItem): void {
  const { accepted, waiting } = countParts(request);
  add(tally, waitingPartResult(request).outcome, waiting);
  if (request.readBack !== undefined) {
    const resultOf = acceptedResults(request);
    for (const line of acceptedLines(request)) add(tally, resultOf(line).outcome, 1);
    if (request.state === 'accepted') return;
  } else add(tally, 'accepted', accepted);
  add(tally, requestResult(request).outcome, sentRows(request) - accepted - waiting);
}

export const inOutcomeOrder = (tally: ReadonlyMap<Outcome, number>): ImportProgress['outcomes'] =>
  Object.fromEntries(outcomeOrder.flatMap((outcome) => (tally.has(outcome) ? [[outcome, tally.get(outcome)]] : [])));

function add(tally: Tally, outcome: Outcome, rows: number): void {
  if (rows > 0) tally.set(outcome, (tally.get(outcome) ?? 0) + rows);
}

const sentRows = ({ rowCount, excludedRows = [] }: RequestItem): number => rowCount - excludedRows.length;

async function countPortRows(tally: Tally, ports: PortReader, requests: readonly RequestItem[]): Promise<void> {
  const unread = new Map(requests.map((request) => [request.portId, request]));
  for await (const { portId, rows } of ports.rowsOf(requests.flatMap((request) => request.portId ?? []))) {
    const request = unread.get(portId);
    if (request === undefined) continue;
    unread.delete(portId);
    const blocking = blockingLinesOf(request, rows);
    for (const row of rows) add(tally, rowResult(request, row, blocking).outcome, 1);
  }
  for (const request of unread.values()) add(tally, requestResult(request).outcome, sentRows(request));
}

async function readExpectedDate(ports: PortReader, requests: readonly RequestItem[]): Promise<string | undefined> {
  const inProgress = requests.filter(
    ({ portStatus: status = '', actionRequired = 0 }) => !portStatus(status).terminal && actionRequired === 0,
  );
  let latest: string | undefined;
  for await (const port of ports.itemsOf(inProgress.flatMap(({ portId }) => portId ?? []))) {
    latest = later(latest, port.connectionDate.slice(0, 10));
  }
  return latest;
}

/** Calendar text compares as text. */
const later = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one;
