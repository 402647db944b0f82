// Parses the items of the table: the only place that does. Two versions run on one table during a canary release and
// after a rollback, so an item keeps what this version does not know: a write that replaces the item writes it again.
import type * as z from 'zod/mini';
import { type OnUnreadable, UnreadableItem } from '#shared/domain/requests/unreadable-item.ts';
import { withoutKeys } from '#shared/text/stored-values.ts';
import type { RawItem } from './query.ts';

/**
 * The item as it is stored, with the attributes of a newer version at every level, and without the keys of the table.
 * The schemas only check: none of them changes a value.
 * @throws UnreadableItem
 */
export function readItem<Schema extends z.ZodMiniType>(schema: Schema, raw: RawItem): z.output<Schema> {
  const read = schema.safeParse(raw);
  if (read.success) return withoutKeys(raw) as z.output<Schema>;
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
