// mismatches-bar-service-config.csv: the services that differ from those requested. Importing it into
// bar-service-config/ sets them again.
import { csvRow } from '#shared/csv/csv-row.ts';
import { aliasFor } from '#shared/domain/ports/service-aliases.ts';
import type { ComparisonItem, MismatchedSim } from '#shared/domain/ports/service-mismatch.ts';

/** Columns of bar-service-config; the reference names the number and the line. */
const columns = ['serialNumber', 'network', 'services', 'reference'];

/** The text of the file, in pieces. A service that the SIM does not have cannot be set, and is left out. */
export async function* mismatchesCsv(items: AsyncIterable<ComparisonItem>): AsyncIterable<string> {
  yield csvRow(columns);
  for await (const { networkNumber, sims } of items) yield sims.map((sim) => rowText(sim, networkNumber)).join('');
}

function rowText({ serialNumber, msisdn, line, services }: MismatchedSim, networkNumber: number | undefined): string {
  const settable = services.filter(({ type }) => type !== '');
  if (settable.length === 0) return '';
  const cell = settable.map(({ name, type, requested }) => `${name}=${aliasFor(type, requested)}`).join(';');
  return csvRow([serialNumber, String(networkNumber ?? ''), cell, `${msisdn} line ${line}`]);
}
