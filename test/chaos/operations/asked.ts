// What the requests of submissions ask for, read from their plans as in submit. Assigns the submissions of the service
// to requests, because no key connects them.
import { unpackLines } from '#shared/request/packed-lines.ts';
import { plannedRequest, type RequestItem } from '#shared/request/request.ts';
import { buckets } from '../pipeline.ts';
import type { World } from '../world.ts';

export interface RequestedBy {
  readonly item: RequestItem;
  readonly head: Readonly<Record<string, unknown>>;
  /** Of the rows that are not excluded. */
  readonly subjects: readonly string[];
}

export function askedOf({ table, bucket }: World): RequestedBy[] {
  const items = table.items().filter(({ sk }) => String(sk).startsWith('request#')) as unknown as RequestItem[];
  // The rows of a divided request are asked for by its parts.
  const undivided = items.filter(({ parts }) => parts === undefined);
  return undivided.map((item) => {
    const { key, start, end } = item.plan;
    const line = Buffer.from(bucket.text(buckets.work, key)).subarray(start, end).toString('utf8');
    const { head, rows } = plannedRequest.parse(JSON.parse(line));
    const excluded = (item.excludedRows ?? []).map((row) => row.line);
    const own = item.part === undefined ? undefined : unpackLines(item.part);
    const sent = rows.filter(({ line }) => !excluded.includes(line) && own?.includes(line) !== false);
    return { item, head: head as RequestedBy['head'], subjects: sent.map(({ subject }) => subject) };
  });
}

/** The same operation for the same SIMs and, for text messages, the same text. */
export function isFor({ item, head, subjects }: RequestedBy, path: string, body: unknown): boolean {
  const sent = body as {
    readonly type?: string;
    readonly message?: string;
    readonly serialNumbers?: readonly string[];
    readonly stock?: readonly { readonly serialNumber: string }[];
    readonly commands?: readonly { readonly serialNumbers: readonly string[] }[];
  };
  const sims = sent.serialNumbers ?? sent.stock?.map(({ serialNumber }) => serialNumber);
  const named = sims ?? sent.commands?.flatMap(({ serialNumbers }) => serialNumbers) ?? [];
  const name = (sent.type ?? path.split('/').at(-1) ?? '').toLowerCase();
  const isSame = name === item.operation.replaceAll('-', '') && head.message === sent.message;
  return isSame && named.length === subjects.length && subjects.every((subject) => named.includes(subject));
}
