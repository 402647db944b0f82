// Records of the table's stream as Lambda delivers them: which item changed, from what to what.
import * as z from 'zod/mini';
import { type ImportItem, importItem } from '#shared/import/import.ts';
import { type NumberItem, numberItem } from '#shared/items/number.ts';
import { type PortItem, portEvent, portItem } from '#shared/items/port.ts';
import { type RequestItem, requestItem } from '#shared/request/request.ts';
import { portEventPrefix, requestPrefix } from '#shared/text/stored-values.ts';

/** An event of a port as it is written today. Older ones do not name the import. */
const namedPortEvent = z.required(portEvent, { importId: true, request: true });
export type NamedPortEvent = z.infer<typeof namedPortEvent>;

/** `was` is absent where the item is new. */
export type ItemChange =
  | { readonly kind: 'import'; readonly was: ImportItem | undefined; readonly is: ImportItem }
  | { readonly kind: 'request'; readonly was: RequestItem | undefined; readonly is: RequestItem }
  | { readonly kind: 'number'; readonly was: NumberItem | undefined; readonly is: NumberItem }
  | { readonly kind: 'port'; readonly was: PortItem | undefined; readonly is: PortItem }
  | { readonly kind: 'port-event'; readonly was: NamedPortEvent | undefined; readonly is: NamedPortEvent };

const image = z.record(z.string(), z.unknown());
const streamRecord = z.object({
  dynamodb: z.object({
    Keys: z.object({ sk: z.object({ S: z.string() }) }),
    NewImage: z.optional(image),
    OldImage: z.optional(image),
  }),
});

/**
 * undefined: a deletion, or an item of a kind that makes no events.
 * @throws when the item has another shape than its kind
 */
export function readChange(record: unknown): ItemChange | undefined {
  const { Keys, NewImage, OldImage } = streamRecord.parse(record).dynamodb;
  if (NewImage === undefined) return undefined;
  const sk = Keys.sk.S;
  const pair = <Item>(schema: z.ZodMiniType<Item>) => ({
    was: OldImage && schema.parse(itemOf(OldImage)),
    is: schema.parse(itemOf(NewImage)),
  });
  if (sk === 'import') return { kind: 'import', ...pair(importItem) };
  if (sk === 'current') return { kind: 'number', ...pair(numberItem) };
  if (sk === 'port') return { kind: 'port', ...pair(portItem) };
  if (sk.startsWith(requestPrefix)) return { kind: 'request', ...pair(requestItem) };
  if (sk.startsWith(portEventPrefix)) return { kind: 'port-event', ...pair(namedPortEvent) };
  return undefined;
}

const itemOf = (attributes: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, plain(value)]));

/** Only the attribute types that the items have. */
function plain(attribute: unknown): unknown {
  const [[type, value] = []] = Object.entries(attribute ?? {});
  if (type === 'S' || type === 'BOOL') return value;
  if (type === 'N') return Number(value);
  if (type === 'NULL') return null;
  if (type === 'L') return (value as unknown[]).map(plain);
  if (type === 'M') return itemOf(value as Record<string, unknown>);
  throw new Error(`no item has an attribute of the type ${type}`);
}
