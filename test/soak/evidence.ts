// Everything that is compared at the end of a soak, by whom it was said.
import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { type ImportItem, importItem, numberItem, portItem, requestItem } from '#shared/domain/ledger.ts';
import type { SoakFile } from './files.ts';
import type { ServiceDump } from './outside.ts';
import type { StoredItem, View } from './view.ts';

const resultLine = z.looseObject({
  line: z.coerce.number(),
  outcome: z.string(),
  portId: z.string(),
  status: z.string(),
  msisdn: z.string().optional(),
  message: z.string(),
});
export type ResultLine = z.infer<typeof resultLine>;

export interface Evidence {
  readonly dropped: readonly SoakFile[];
  readonly imports: readonly ImportItem[];
  /** The lines of results.csv, by import. */
  readonly results: ReadonlyMap<string, readonly ResultLine[]>;
  readonly items: readonly StoredItem[];
  readonly service: ServiceDump;
}

export async function gather(view: View, dropped: readonly SoakFile[], service: ServiceDump): Promise<Evidence> {
  const items = await view.items();
  const imports = importsAmong(items);
  const results = new Map<string, ResultLine[]>();
  for (const { importId } of imports) {
    const text = (await view.result(`imports/${importId}/results.csv`)) ?? '';
    results.set(importId, z.array(resultLine).parse(parse(text, { columns: true, bom: true })));
  }
  return { dropped, imports, results, items, service };
}

export const importsAmong = (items: readonly StoredItem[]) =>
  items.filter(({ sk }) => sk === 'import').map((item) => importItem.parse(item));
export const requestsAmong = (items: readonly StoredItem[]) =>
  items.filter(({ sk }) => sk.startsWith('request#')).map((item) => requestItem.parse(item));
export const portsAmong = (items: readonly StoredItem[]) =>
  items.filter(({ sk }) => sk === 'port').map((item) => portItem.parse(item));
export const claimsAmong = (items: readonly StoredItem[]) =>
  items.filter(({ pk, sk }) => pk.startsWith('number#') && sk === 'current').map((item) => numberItem.parse(item));
