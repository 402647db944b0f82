// What happened to a number, and what of an import can be cancelled.

import { correctionColumns } from '#shared/files/added-columns.ts';
import { csvRow } from '#shared/files/csv/csv-row.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { describeHold } from '#shared/import/import-state.ts';
import { lookUpOnce } from '#shared/operations/catalogue.ts';
import type { Outcome } from '#shared/outcome/outcome.ts';
import { type PortOfRequest, resultsOf } from '#shared/outcome/request-results.ts';
import { explainWaiting, type RowResult, requestResult } from '#shared/outcome/row-result.ts';
import type { PortRowState } from '#shared/port/port.ts';
import type { NumberItem } from '#shared/request/number-claim.ts';
import type { RequestItem, RequestState } from '#shared/request/request.ts';
import type { AccountReader, ResultsReader } from '#shared/store/account.ts';
import { chunksOf } from '#shared/store/backoff.ts';
import type { NumberDetails } from './answers.ts';
import { readFirst, readRowParts } from './parts.ts';
import { fileNameOf } from './results.ts';

// What happened to one number: its current import, request and port, and the imports before.

/** A later claim with one of these outcomes changed nothing about a number that was ported before. */
const changesNothing: ReadonlySet<Outcome> = new Set(['declined', 'skipped', 'cancelled', 'not-sent']);

/** @param number E.164 digits. Returns undefined when no import has sent it. A later decline never hides a success. */
export async function readNumberDetails(reader: AccountReader, number: string): Promise<NumberDetails | undefined> {
  const claim = await reader.numbers.get(number);
  if (claim === undefined) return undefined;
  const [earlier, current] = await Promise.all([reader.numbers.history(number), readClaim(reader, claim)]);
  const { ported } = claim;
  const success = earlier.findLast(({ importId, line }) => importId === ported?.importId && line === ported.line);
  if (success === undefined || !changesNothing.has(current.outcome)) {
    return { ...current, earlierImports: earlier.map(claimOf), laterImports: [] };
  }
  const { outcome, message } = current;
  return {
    ...(await readClaim(reader, success)),
    earlierImports: earlier.filter(({ claimedAt }) => claimedAt < success.claimedAt).map(claimOf),
    laterImports: [{ ...claimOf(claim), outcome, message: message ?? '' }],
  };
}

const readAtOnce = 32;

/** The numbers that an import has sent. What several of them share is read once. */
export async function readManyNumbers(
  reader: AccountReader,
  numbers: readonly string[],
): Promise<Map<string, NumberDetails>> {
  const shared = { ...reader, ...readingOnce(reader) };
  const found = new Map<string, NumberDetails>();
  for (const chunk of chunksOf([...new Set(numbers)], readAtOnce)) {
    for (const details of await Promise.all(chunk.map((number) => readNumberDetails(shared, number)))) {
      if (details !== undefined) found.set(details.number, details);
    }
  }
  return found;
}

function readingOnce({ imports, requests, ports, comparisons }: AccountReader): Partial<AccountReader> {
  return {
    imports: { ...imports, get: lookUpOnce((importId) => imports.get(importId)) },
    requests: { ...requests, get: lookUpOnce((importId, request) => requests.get(importId, request)) },
    comparisons: {
      ...comparisons,
      get: lookUpOnce((importId, request) => comparisons.get(importId, request)),
    },
    ports: {
      ...ports,
      get: lookUpOnce((portId) => ports.get(portId)),
      rows: lookUpOnce((portId) => ports.rows(portId)),
      events: lookUpOnce((portId) => ports.events(portId)),
    },
  };
}

const claimOf = ({ importId, line, claimedAt }: NumberItem) => ({ importId, line, claimedAt });

async function readClaim(
  reader: AccountReader,
  claim: NumberItem,
): Promise<Omit<NumberDetails, 'earlierImports' | 'laterImports'>> {
  const { number, importId, line, claimedAt } = claim;
  const [item, request] = await Promise.all([
    reader.imports.get(importId),
    reader.requests.get(importId, claim.request),
  ]);
  const { result: read, history, ...port } = await readResult(reader, claim, request);
  const result = read && item ? explainWaiting(read, item) : read;
  const isOver = request === undefined || request.endedAt !== undefined;
  const held = item === undefined || isOver ? undefined : describeHold(item, reader.resources.account);
  return {
    number,
    outcome: result?.outcome ?? 'waiting',
    status: result?.status || null,
    message: result?.message || null,
    whatToDo: held ?? (result?.whatToDo || null),
    importId,
    line,
    request: claim.request,
    claimedAt,
    file: item === undefined ? null : fileNameOf(item.key),
    requestState: request?.state ?? null,
    submittedAt: (request?.state === 'planned' ? undefined : request?.submittedAt) ?? null,
    ...port,
    adoptedPort: item?.adoptedPort ?? null,
    history,
  };
}

interface RowReading extends Pick<NumberDetails, 'portId' | 'portStatus' | 'history'> {
  /** undefined: there is no such request. */
  readonly result: RowResult | undefined;
}

/** As in results.csv. A row that the service declined by name is not in the port of the other rows. */
async function readResult(
  { ports, comparisons }: AccountReader,
  { importId, line }: NumberItem,
  request: RequestItem | undefined,
): Promise<RowReading> {
  const none = { portId: null, portStatus: null, history: [] };
  if (request === undefined) return { result: undefined, ...none };
  const { portId } = request;
  const comparison = await comparisons.get(importId, request.request);
  const resultFor = (port: PortOfRequest) => resultsOf(request, port, comparison).get(line) ?? requestResult(request);
  if (portId === undefined) return { result: resultFor({}), ...none };
  const [item, rows, events] = await Promise.all([ports.get(portId), ports.rows(portId), ports.events(portId)]);
  const result = resultFor({ item, rows });
  if (result.portId !== portId) return { result, ...none };
  const history = events.map(({ at, status, was }) => ({ at, status, ...(was === undefined ? {} : { was }) }));
  return { result, portId, portStatus: item?.status ?? request.portStatus ?? null, history };
}

// The numbers of an import, and of its parts, that are in ports which have not ended: what a file for cancel-port
// can name. A port that is locked by now is among them, so that its plan states the reason for each row.

interface CancellableRow {
  readonly msisdn: string;
  readonly portId: string;
  /** In the first file. */
  readonly line: number;
}

export interface CancellableRows {
  readonly rows: readonly CancellableRow[];
  /**
   * Ports whose rows sync has not read yet, and requests in flight. A plan made now would leave their numbers out; it
   * takes seconds, or as long as the service is down.
   */
  readonly unread: number;
  /** Requests of unknown outcome: whether they have a port is found out later, which can take hours. */
  readonly unknown: number;
}

export async function readCancellableRows(reader: ResultsReader, item: ImportItem): Promise<CancellableRows> {
  const rows: CancellableRow[] = [];
  const open = new Map<string, RequestItem>();
  let unread = 0;
  let unknown = 0;
  const first = await readFirst(reader.imports, item);
  for (const { importId } of [first, ...(await readRowParts(first, reader.imports))]) {
    for await (const request of reader.requests.ofImport(importId)) {
      const { portId, endedAt, state } = request;
      if (portId !== undefined && endedAt === undefined) open.set(portId, request);
      else if (state === 'in-flight') unread += 1;
      else if (isUnknown(state)) unknown += 1;
    }
  }
  for await (const port of reader.ports.rowsOf([...open.keys()])) {
    rows.push(...cancellableOf(port, open.get(port.portId)));
    unread -= 1;
  }
  return { rows, unread: unread + open.size, unknown };
}

const isUnknown = (state: RequestState): boolean => state === 'unknown' || state === 'action-required';

const notEnded: ReadonlySet<Outcome | undefined> = new Set(['in-progress', 'action-required']);

function cancellableOf(
  { portId, rows }: { readonly portId: string; readonly rows: readonly PortRowState[] },
  request: RequestItem | undefined,
): CancellableRow[] {
  const results = request && resultsOf(request, { rows });
  return rows
    .filter(({ line }) => notEnded.has(results?.get(line)?.outcome))
    .map(({ msisdn, line, firstLine = line }) => ({ msisdn: `+${msisdn}`, portId, line: firstLine }));
}

/** A file for `cancel-port`, which is a part of this import. */
export const cancellationCsv = ({ importId }: ImportItem, rows: readonly CancellableRow[]): string =>
  [
    ['msisdn', 'portId', 'reference', ...correctionColumns.slice(0, 2)],
    ...rows.map(({ msisdn, portId, line }) => [msisdn, portId, `line ${line}`, importId, String(line)]),
  ]
    .map((cells) => csvRow(cells))
    .join('');
