// mismatches-bar-service-config.csv: the services that differ from those requested. Importing it into
// bar-service-config/ sets them again.

import type { Delimiter } from '#shared/csv/delimiter.ts';
import { aliasFor } from '#shared/domain/ports/service-aliases.ts';
import { csvHeader, csvRow } from '#shared/files/csv/csv-row.ts';
import type { ComparisonItem, MismatchedSim } from '#shared/outcome/service-comparison.ts';

/** Columns of bar-service-config; the reference names the number, if the file had it, and the line. */
const columns = ['serialNumber', 'network', 'services', 'reference'];

/** The text of the file, in pieces. A service that the SIM does not have cannot be set, and is left out. */
export async function* mismatchesCsv(
  items: AsyncIterable<ComparisonItem>,
  delimiter: Delimiter = ',',
): AsyncIterable<string> {
  yield csvHeader(columns, delimiter);
  for await (const { networkNumber, sims } of items) {
    for (const sim of sims) {
      const cells = cellsOf(sim, networkNumber);
      if (cells !== undefined) yield csvRow(cells, delimiter);
    }
  }
}

function cellsOf({ serialNumber, msisdn, line, services }: MismatchedSim, networkNumber: number | undefined) {
  const settable = services.filter(({ type }) => type !== '');
  if (settable.length === 0) return undefined;
  const cell = settable.map(({ name, type, requested }) => `${name}=${aliasFor(type, requested)}`).join(';');
  return [serialNumber, String(networkNumber ?? ''), cell, `${msisdn} line ${line}`.trim()];
}
