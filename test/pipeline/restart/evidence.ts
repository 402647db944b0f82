// Everything that is compared, by source.
import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { type ImportItem, importItem } from '#shared/import/import.ts';
import { portItem } from '#shared/port/port.ts';
import { numberItem } from '#shared/request/number-claim.ts';
import { requestItem } from '#shared/request/request.ts';
import type { EmulatorClient, StoredItem } from './emulator-client.ts';
import type { UploadedFile } from './files.ts';
import type { SimulatorState } from './simulator-process.ts';

const resultRow = z.looseObject({
  line: z.coerce.number(),
  outcome: z.string(),
  portId: z.string(),
  status: z.string(),
  msisdn: z.string().optional(),
  message: z.string(),
});
export type ResultRow = z.infer<typeof resultRow>;

export interface Evidence {
  readonly uploads: readonly UploadedFile[];
  readonly imports: readonly ImportItem[];
  /** The rows of results.csv, by import. */
  readonly results: ReadonlyMap<string, readonly ResultRow[]>;
  readonly items: readonly StoredItem[];
  readonly service: SimulatorState;
}

export async function gatherEvidence(
  client: EmulatorClient,
  uploads: readonly UploadedFile[],
  service: SimulatorState,
): Promise<Evidence> {
  const items = await client.readItems();
  const imports = importsAmong(items);
  const results = new Map<string, ResultRow[]>();
  for (const { importId } of imports) {
    results.set(importId, await readResultRows(client, importId));
  }
  return { uploads, imports, results, items, service };
}

/** The rows of results.csv; none before report has written it. */
export async function readResultRows(client: EmulatorClient, importId: string): Promise<ResultRow[]> {
  const text = (await client.readResult(`imports/${importId}/results.csv`)) ?? '';
  return z.array(resultRow).parse(parse(text, { columns: true, bom: true }));
}

export const importsAmong = (items: readonly StoredItem[]) =>
  items.filter(({ sk }) => sk === 'import').map((item) => importItem.parse(item));
export const requestsAmong = (items: readonly StoredItem[]) =>
  items.filter(({ sk }) => sk.startsWith('request#')).map((item) => requestItem.parse(item));
export const portsAmong = (items: readonly StoredItem[]) =>
  items.filter(({ sk }) => sk === 'port').map((item) => portItem.parse(item));
export const claimsAmong = (items: readonly StoredItem[]) =>
  items.filter(({ pk, sk }) => pk.startsWith('number#') && sk === 'current').map((item) => numberItem.parse(item));
