// drift-bar-service-config.csv: the services that differ from what was asked for, ready to be dropped into
// bar-service-config/ so that they are set again.
import { csvRow } from '#shared/csv/writer.ts';
import type { DriftedSim, DriftItem } from '#shared/domain/drift.ts';
import { wordFor } from '#shared/domain/service-words.ts';

/** In the results bucket. */
export const driftKey = (importId: string): string => `imports/${importId}/drift-bar-service-config.csv`;

/** Columns of bar-service-config; the reference tells a person which number and line it is about. */
const columns = ['serialNumber', 'network', 'services', 'reference'];

/** The file's text, piece by piece. A service that a SIM does not know at all cannot be set, and is left out. */
export async function* driftCsv(items: AsyncIterable<DriftItem>): AsyncIterable<string> {
  yield csvRow(columns);
  for await (const { networkNumber, sims } of items) {
    const text = sims.map((sim) => rowOf(sim, networkNumber)).join('');
    if (text !== '') yield text;
  }
}

function rowOf({ serialNumber, msisdn, line, services }: DriftedSim, networkNumber: number | undefined): string {
  const settable = services.filter(({ type }) => type !== '');
  if (settable.length === 0) return '';
  const cell = settable.map(({ name, type, asked }) => `${name}=${wordFor(type, asked)}`).join(';');
  return csvRow([serialNumber, String(networkNumber ?? ''), cell, `${msisdn} line ${line}`]);
}
