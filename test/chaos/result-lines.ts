// What results.csv shows of the rows of an upload: each once, in agreement with the service, with the last state that
// the table has of it.
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'csv-parse/sync';
import type { ImportItem } from '#shared/import/import.ts';
import { resultsOf } from '#shared/outcome/request-results.ts';
import type { RowResult } from '#shared/outcome/row-result.ts';
import type { PortRowState } from '#shared/port/port.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { tokenOfPortName } from '#shared/text/identity.ts';
import { hasGoneFile, isUploadGone } from './gone-uploads.ts';
import type { Dropped, Outcome } from './outcome.ts';
import { buckets } from './pipeline.ts';

interface Requests {
  readonly requests: readonly RequestItem[];
}

interface ResultLine {
  readonly msisdn: string;
  readonly line: string;
  readonly outcome: string;
  readonly portId: string;
  readonly status: string;
  readonly message: string;
}

export const readResultLines = (id: string, text: Outcome['text']): ResultLine[] =>
  parse(text(buckets.results, `imports/${id}/results.csv`), { columns: true, bom: true });

/** The moves that took the rows of a request over: its port was cancelled for them. */
const movesOf = (old: RequestItem, requests: readonly RequestItem[]): RequestItem[] =>
  requests.filter(
    ({ replaces }) =>
      replaces?.cancelledAt !== undefined && replaces.importId === old.importId && replaces.request === old.request,
  );

/** The requests in which the rows are now. */
function currentRequests(own: readonly RequestItem[], { requests }: Requests): RequestItem[] {
  return own.flatMap((request) => {
    const moves = movesOf(request, requests);
    return moves.length === 0 ? [request] : currentRequests(moves, { requests });
  });
}

/** What a move says in the message of a row that it did not take over. */
const moveNote = /^(?:Moves to|Was not moved to) [^;]*(?:; |$)/;

/** results.csv has every row once and agrees with the service, as long as it can be written. */
export function checkResults(
  upload: Dropped,
  item: ImportItem,
  sent: readonly RequestItem[],
  outcome: Outcome & Requests,
): string[] {
  const imports = outcome.items.filter(({ sk }) => sk === 'import') as unknown as ImportItem[];
  if (isUploadGone(upload, outcome) || hasGoneFile(item, imports, outcome)) return [];
  const own = currentRequests(sent, outcome);
  const { importId: id, progress, outcomes = progress?.outcomes } = item;
  const lines = readResultLines(id, outcome.text);
  if (lines.length !== upload.rows.length) return [`I1 results.csv of ${id} has ${lines.length} lines`];
  const wrong = lines.filter(({ line, portId, outcome: told }) => {
    // A row that ended without a port is perhaps in that of a correction (test/chaos/surfaces.ts).
    const request = own
      .filter((each) => each.portId !== undefined || each.endedAt === undefined)
      .find(({ lines: packed }) => unpackLines(packed ?? '').includes(Number(line)));
    const port = outcome.servicePorts.find((each) => each.id === portId);
    const ended = port?.status === 'Complete' || port?.status === 'Cancelled';
    return request !== undefined && (request.portId ?? '') !== portId ? true : told === 'complete' && !ended;
  });
  return [
    ...wrong.map(
      ({ line, outcome: reported, portId }) => `I8 results.csv of ${id}, line ${line}: ${reported} in ${portId}`,
    ),
    ...checkDeclined(lines, id, own, outcome),
    ...checkLastState(lines, id, sent, outcome),
    ...(outcomes === undefined || isDeepStrictEqual(outcomes, countBy(lines))
      ? []
      : [`I8 import ${id} counts ${JSON.stringify(outcomes)}: ${JSON.stringify(countBy(lines))}`]),
  ];
}

const countBy = (lines: readonly ResultLine[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(lines, ({ outcome }) => outcome)].map(([name, rows]) => [name, rows.length]));

/** undefined: nobody knows it, because the port of the row was never read. */
type LastStates = Map<number, RowResult | undefined>;
type Recorded = Pick<Outcome, 'items'> & Requests;

/** By line. A row that a move left behind, because it had left its port before, keeps the end that it had there. */
function lastStates(request: RequestItem, recorded: Recorded): LastStates {
  const { lines = '', excludedRows = [] } = request;
  const found = recorded.items.find(({ pk, sk }) => pk === `port#${request.portId}` && sk === 'rows');
  const unread: LastStates = new Map(unpackLines(lines).map((line) => [line, undefined]));
  const states = found === undefined ? unread : new Map(resultsOf(request, { rows: found.rows as PortRowState[] }));
  if (request.replaces !== undefined) {
    for (const { line, code } of excludedRows) if (code === 'LINE_NOT_CHANGEABLE') states.delete(line);
  }
  for (const move of movesOf(request, recorded.requests)) {
    for (const [line, state] of lastStates(move, recorded)) states.set(line, state);
  }
  return states;
}

/** The rows that no port took, if the import has corrections: these decide what they show (test/chaos/surfaces.ts). */
function correctable(id: string, { items }: Recorded, requests: readonly RequestItem[]): ReadonlySet<number> {
  const parts = items.filter(({ sk }) => sk === 'import') as unknown as ImportItem[];
  if (!parts.some(({ partOf }) => partOf?.importId === id && partOf.kind === 'correction')) return new Set();
  const untaken = requests.flatMap(({ excludedRows = [] }) =>
    excludedRows.filter(({ code }) => code !== 'LINE_NOT_CHANGEABLE'),
  );
  return new Set(untaken.map(({ line }) => line));
}

/** Each row of a port has the last state of the table. */
function checkLastState(
  lines: readonly ResultLine[],
  id: string,
  sent: readonly RequestItem[],
  recorded: Recorded,
): string[] {
  const expected = new Map(sent.flatMap((request) => [...lastStates(request, recorded)]));
  const unchecked = correctable(id, recorded, [...sent, ...currentRequests(sent, recorded)]);
  return lines.flatMap(({ line, outcome, portId, status, message }) => {
    const result = expected.get(Number(line));
    const isLast =
      result === undefined ||
      unchecked.has(Number(line)) ||
      isDeepStrictEqual(
        [outcome, portId, status, message.replace(moveNote, '')],
        [result.outcome, result.portId, result.status, result.message],
      );
    return isLast
      ? []
      : [`I8 results.csv of ${id}, line ${line}: ${outcome}, ${status}, ${message} is not its last state`];
  });
}

/** No row is reported as declined whose number is in a port of the same import. */
function checkDeclined(
  lines: readonly ResultLine[],
  id: string,
  own: readonly RequestItem[],
  { servicePorts }: Outcome,
): string[] {
  const tokens = new Set(own.map(({ token }) => token));
  const held = new Set(
    servicePorts
      .filter(({ name, status }) => status !== 'Cancelled' && tokens.has(tokenOfPortName(name) ?? ''))
      .flatMap(({ rows }) => rows.filter(({ status }) => status !== 'Cancelled').map(({ number }) => number)),
  );
  return lines
    .filter(({ outcome, msisdn }) => outcome === 'declined' && held.has(`44${msisdn.slice(1)}`))
    .map(({ line }) => `I3 results.csv of ${id}, line ${line}: declined, and its number is in a port of the import`);
}
