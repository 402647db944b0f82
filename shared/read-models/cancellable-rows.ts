// The numbers of an import, and of its corrections, that are in ports which have not ended: what a file for cancel-port
// can name. A port that is locked by now is among them, so that its plan states the reason for each row.
import { csvRow } from '#shared/files/csv/csv-row.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { PortRowState } from '#shared/items/port.ts';
import { resultsOf } from '#shared/outcome/request-results.ts';
import type { Outcome } from '#shared/outcome/row-result.ts';
import type { RequestItem, RequestState } from '#shared/request/request.ts';
import { listCorrections } from '#shared/results/corrected-rows.ts';
import type { ResultSources } from './sources.ts';

interface CancellableRow {
  readonly msisdn: string;
  readonly portId: string;
  readonly reference: string;
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

export async function readCancellableRows(sources: ResultSources, item: ImportItem): Promise<CancellableRows> {
  const rows: CancellableRow[] = [];
  const open = new Map<string, RequestItem>();
  let unread = 0;
  let unknown = 0;
  for (const { importId } of [item, ...(await listCorrections(item, sources))]) {
    for await (const request of sources.requests.ofImport(importId)) {
      const { portId, endedAt, state } = request;
      if (portId !== undefined && endedAt === undefined) open.set(portId, request);
      else if (state === 'in-flight') unread += 1;
      else if (isUnknown(state)) unknown += 1;
    }
  }
  for await (const port of sources.ports.rowsOf([...open.keys()])) {
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
    .map(({ msisdn, line }) => ({ msisdn: `+${msisdn}`, portId, reference: `line ${line}` }));
}

/** A file for `cancel-port`. */
export const cancellationCsv = (rows: readonly CancellableRow[]): string =>
  [['msisdn', 'portId', 'reference'], ...rows.map(({ msisdn, portId, reference }) => [msisdn, portId, reference])]
    .map((cells) => csvRow(cells))
    .join('');
