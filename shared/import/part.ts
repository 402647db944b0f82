// The parts of an import: what people did with its file afterwards. Each is an import of its own, which sends rows of
// the file again or changes their ports; an item in the partition of the first import names it (decision 27).
import * as z from 'zod/mini';
import type { OperationName, PartKind } from '#shared/text/identity.ts';
import { expiresAt, type ItemKey, instant, text } from '#shared/text/stored-values.ts';
import { type ImportItem, importPk } from './import.ts';

export const partItem = z.object({
  importId: text,
  partId: text,
  /** When the part was received: they are in this order. */
  at: instant,
  expiresAt,
});
export type PartItem = z.infer<typeof partItem>;

export const partPrefix = 'part#';

/** The same for every delivery, so two that record one part write one item. */
export const partKey = ({ importId, partId, at }: Pick<PartItem, 'importId' | 'partId' | 'at'>): ItemKey => ({
  pk: importPk(importId),
  sk: `${partPrefix}${at}#${partId}`,
});

/**
 * What a file with rows of an import is to it. undefined: rows that return in another operation are an import of their
 * own, which changes SIMs, not the ports of the file.
 */
export function partKindOf(first: OperationName | null, operation: string): PartKind | undefined {
  if (first === null) return undefined;
  if (first === operation) return 'correction';
  if (first !== 'create-port') return undefined;
  return { 'update-port': 'pacs' as const, 'cancel-port': 'cancel' as const }[operation];
}

/** Its requests send rows of the file: they decide the results of these rows. Others change ports, which show it. */
export const sendsRows = (kind: PartKind): boolean => kind === 'correction' || kind === 'move';

/** The import to which the rows of this one belong: its first import, or itself. */
export const firstImportOf = ({ importId, partOf }: ImportItem): string => partOf?.importId ?? importId;

/** Whether its file has rows of the first import. A move has the file of the import that it moves. */
export const hasRowsOfFirst = ({ partOf, reschedules }: ImportItem): boolean =>
  partOf !== undefined && partOf.importId !== reschedules?.importId;

/** @param first the id of the first import */
export const partItemOf = ({ importId, receivedAt, expiresAt }: ImportItem, first: string): PartItem => ({
  importId: first,
  partId: importId,
  at: receivedAt,
  expiresAt,
});

/** The limit of numbers a day is one of all parts: its cycle is at the first import. */
export const createReadDayCycle =
  ({ get }: { readonly get: (importId: string) => Promise<ImportItem | undefined> }) =>
  async (importId: string): Promise<number | undefined> => {
    const item = await get(importId);
    const first = item?.partOf === undefined ? item : await get(item.partOf.importId);
    return first?.dayCycle;
  };
