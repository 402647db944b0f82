// The numbers of an import, and of its corrections, that are in ports which have not ended: what a file for cancel-port
// can name. A port that is locked by now is among them, so that its plan states the reason for each row.
import { csvRow } from '#shared/csv/csv-row.ts';
import { rowStatus } from '#shared/domain/ports/port-status.ts';
import type { ImportItem } from '#shared/items/import.ts';
import { listCorrections } from '#shared/results/answered-rows.ts';
import type { ResultSources } from './sources.ts';

interface CancellableRow {
  readonly msisdn: string;
  readonly portId: string;
  readonly reference: string;
}

const portsPerRead = 100;

export async function* readCancellableRows(sources: ResultSources, item: ImportItem): AsyncGenerator<CancellableRow> {
  for (const { importId } of [item, ...(await listCorrections(item, sources))]) {
    let open: string[] = [];
    for await (const { portId, endedAt } of sources.requests.ofImport(importId)) {
      if (portId !== undefined && endedAt === undefined) open.push(portId);
      if (open.length < portsPerRead) continue;
      yield* rowsOfPorts(sources, open);
      open = [];
    }
    yield* rowsOfPorts(sources, open);
  }
}

async function* rowsOfPorts({ ports }: ResultSources, portIds: readonly string[]): AsyncGenerator<CancellableRow> {
  for await (const { portId, rows } of ports.rowsOf(portIds)) {
    for (const { msisdn, status, line } of rows) {
      if (!rowStatus(status).terminal) yield { msisdn: `+${msisdn}`, portId, reference: `line ${line}` };
    }
  }
}

/** A file for `cancel-port`. */
export const cancellationCsv = (rows: readonly CancellableRow[]): string =>
  [['msisdn', 'portId', 'reference'], ...rows.map(({ msisdn, portId, reference }) => [msisdn, portId, reference])]
    .map((cells) => csvRow(cells))
    .join('');
