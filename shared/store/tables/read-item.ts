// Parses the items of the table: the only place that does.
import type * as z from 'zod/mini';
import { type OnUnreadable, UnreadableItem } from '#shared/domain/requests/unreadable-item.ts';
import type { RawItem } from './query.ts';

/** @throws UnreadableItem */
export function readItem<Schema extends z.ZodMiniType>(schema: Schema, raw: RawItem): z.output<Schema> {
  const read = schema.safeParse(raw);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  throw new UnreadableItem(placeOf(raw), problems.slice(0, 3).join('; '));
}

/**
 * The items that can be read, in their order.
 * @param onUnreadable is called with the others; if absent, the first is thrown
 */
export function readEach<Schema extends z.ZodMiniType>(
  schema: Schema,
  items: readonly RawItem[],
  onUnreadable?: OnUnreadable,
): z.output<Schema>[] {
  return items.flatMap((raw) => {
    try {
      return [readItem(schema, raw)];
    } catch (error) {
      if (!(error instanceof UnreadableItem) || onUnreadable === undefined) throw error;
      onUnreadable(error);
      return [];
    }
  });
}

/** Without the phone number in the key of a claim: no log may have it. */
const placeOf = ({ pk, sk }: RawItem): string => `${String(pk).replace(/^(number#).*/s, '$1…')} ${String(sk)}`;
