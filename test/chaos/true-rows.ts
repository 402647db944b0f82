// What each row of a file shows in truth: one fold over the ledger, which is written here once more, and whether it
// agrees with the ports of the service (decision 27).
import type { ApiReader } from '#functions/api/context.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { mayBeSent } from '#shared/import/import-state.ts';
import type { Outcome } from '#shared/outcome/outcome.ts';
import type { RowResult } from '#shared/outcome/row-result.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { allPortsOf } from '#shared/request/request-state.ts';
import { openOutcomes } from '#shared/results/file-rows.ts';
import { tokenOfPortName } from '#shared/text/identity.ts';
import type { Port } from '#simulator/ports/port.ts';
import type { World } from './world.ts';

/** What a row shows, and of its own import without parts. */
export interface TrueRow {
  readonly result: RowResult;
  readonly own: Outcome;
  /** E.164 digits; another text where the row has none. */
  readonly number: string;
}
export type TrueRows = ReadonlyMap<number, TrueRow>;

export const isInvalid = (outcome: Outcome): boolean => outcome === 'rejected' || outcome === 'duplicate';
const ranks: readonly (readonly Outcome[])[] = [
  ['skipped', 'not-sent', 'rejected'],
  ['duplicate'],
  ['declined', 'cancelled'],
  ['waiting', 'scheduled'],
  ['complete', 'accepted', 'in-progress', 'action-required', 'unknown'],
];
export const rankOf = (outcome: Outcome): number => ranks.findIndex((rank) => rank.includes(outcome));

/** The parts that decide rows, oldest first, by reading the whole table. */
function rowPartsOf(first: ImportItem, items: readonly ImportItem[]): ImportItem[] {
  return items
    .filter(({ partOf }) => partOf?.importId === first.importId)
    .filter(({ partOf }) => partOf?.kind === 'correction' || partOf?.kind === 'move')
    .filter((item) => item.state !== 'planning' && mayBeSent(item))
    .sort((one, other) => (one.receivedAt + one.importId < other.receivedAt + other.importId ? -1 : 1));
}

interface Ledger {
  readonly imports: readonly ImportItem[];
  readonly requests: readonly RequestItem[];
}

export const ledgerOf = ({ table: { items } }: World): Ledger => ({
  imports: items().filter(({ sk }) => sk === 'import') as unknown as ImportItem[],
  requests: items().filter(({ sk }) => String(sk).startsWith('request#')) as unknown as RequestItem[],
});

export async function readTrueRows(first: ImportItem, ledger: Ledger, reader: ApiReader): Promise<TrueRows> {
  const rows = new Map<number, TrueRow>();
  for (const { line, result, number } of await readOutcomes(first, reader)) {
    rows.set(line, { result, own: result.outcome, number });
  }
  for (const part of rowPartsOf(first, ledger.imports)) {
    const decided = (await readOutcomes(part, reader)).filter(({ line }) => isInMove(part, line, ledger));
    for (const { rootLine, result, number } of decided) {
      const row = rows.get(rootLine);
      if (row !== undefined && !isHidden(row.result, result)) rows.set(rootLine, { ...row, result, number });
    }
  }
  return rows;
}

async function readOutcomes(item: ImportItem, reader: ApiReader) {
  const { batches, columnIndexes } = await openOutcomes(item, reader);
  const rows = (await Array.fromAsync(batches)).flat();
  return rows.map((row) => ({ ...row, number: `44${(row.cells[columnIndexes.msisdn ?? -1] ?? '').slice(1)}` }));
}

/** Whether a row stays as it is, whatever a later part did. */
const isHidden = ({ outcome: before }: RowResult, { outcome: after }: RowResult): boolean =>
  isInvalid(after) || rankOf(after) < rankOf(before);

/**
 * A move reads a whole file, of which it moves some rows; it says nothing about them before their old port was
 * cancelled for it.
 */
const isInMove = ({ importId: id, partOf }: ImportItem, line: number, { requests }: Ledger): boolean =>
  partOf?.kind !== 'move' ||
  requests.some(
    ({ importId, replaces, lines = '', excludedRows = [] }) =>
      importId === id &&
      replaces?.cancelledAt !== undefined &&
      (unpackLines(lines).includes(line) || excludedRows.some((row) => row.line === line)),
  );

export interface Service {
  readonly servicePorts: readonly Port[];
  /** Tokens of calls that were executed hours later: nobody can know of their ports before. */
  readonly lateTokens: ReadonlySet<string>;
}

const isLive = (port: Port | undefined, number: string): boolean =>
  port !== undefined &&
  port.status !== 'Cancelled' &&
  port.rows.some((row) => row.number === number && row.status !== 'Cancelled');

/** What a row shows is true of its number at the service, as far as anybody can know it. */
function contradictionOf(row: TrueRow, family: readonly RequestItem[], { servicePorts, lateTokens }: Service) {
  const { result, number } = row;
  const { outcome, portId } = result;
  const port = servicePorts.find(({ id }) => id === portId);
  if (outcome === 'complete')
    return port?.status === 'Complete' && isLive(port, number) ? undefined : 'is not complete';
  if (outcome === 'cancelled') return isLive(port, number) ? 'is not cancelled' : undefined;
  if (outcome === 'in-progress' || outcome === 'action-required') {
    const isThere = portId === '' || port?.rows.some((each) => each.number === number);
    return isThere || family.some((request) => isUnread(request, portId)) ? undefined : 'is not in its port';
  }
  if (outcome === 'unknown') return undefined;
  const tokens = new Set(family.filter(({ token }) => !lateTokens.has(token)).map(({ token }) => token));
  const given = new Set(family.flatMap((request) => (isGivenUp(request) ? allPortsOf(request) : [])));
  const live = servicePorts.find(
    (each) => tokens.has(tokenOfPortName(each.name) ?? '') && !given.has(each.id) && isLive(each, number),
  );
  return live && `is in port ${live.id}`;
}

/** The service answered with this id, perhaps of another port; nobody can know that before the port is read. */
const isUnread = (request: RequestItem, portId: string): boolean =>
  request.state === 'created' && request.portId === portId && request.portRows === undefined;

const isGivenUp = ({ error, isLate }: RequestItem): boolean => error?.kind === 'abandoned' || isLate === true;

/** Rows that do not agree with the service. */
export function checkService(first: ImportItem, rows: TrueRows, ledger: Ledger, service: Service): string[] {
  const parts = new Set(rowPartsOf(first, ledger.imports).map(({ importId }) => importId));
  const family = ledger.requests.filter(({ importId }) => importId === first.importId || parts.has(importId));
  return [...rows].flatMap(([line, row]) => {
    const contradiction = contradictionOf(row, family, service);
    const { outcome, portId } = row.result;
    return contradiction === undefined
      ? []
      : [`I8 line ${line} of ${first.importId} is shown as ${outcome} ${portId}, and its number ${contradiction}`];
  });
}
