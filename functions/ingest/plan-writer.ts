// Writes plan.ndjson, and beside it an index with one short line per request: where it stands and what it is called.
// Release needs only the index, so it never reads the rows again.
import * as z from 'zod/mini';
import type { Files } from '#shared/aws/files.ts';
import { requestToken } from '#shared/domain/identity.ts';
import { replacedPort } from '#shared/domain/ledger.ts';
import type { OperationName } from '#shared/domain/operation-name.ts';
import { planRange } from '#shared/domain/plan.ts';
import type { Shape } from '#shared/operations/operation.ts';
import { createByteSink } from './byte-sink.ts';

export const indexedRequest = z.object({
  request: z.int().check(z.positive()),
  token: z.string(),
  label: z.string(),
  why: z.optional(z.string()),
  rowCount: z.int().check(z.positive()),
  plan: planRange,
  replaces: z.optional(replacedPort),
  /** Packed; only of a request that replaces a port, which is shown with its lines while it waits. */
  lines: z.optional(z.string()),
});
/** One line of the index. */
export type IndexedRequest = z.infer<typeof indexedRequest>;

/** Of a request that takes the place of a port. */
export type Replacement = Required<Pick<IndexedRequest, 'replaces' | 'lines'>>;

export const planKey = (importId: string): string => `imports/${importId}/plan.ndjson`;
export const planIndexKey = (importId: string): string => `imports/${importId}/plan-index.ndjson`;

export interface PlanWriter {
  /** Adds one request; `rows` is the JSON of so many `PlannedRow`s in UTF-8, with commas between them. */
  add(shape: Shape, rows: Uint8Array, rowCount: number, replacement?: Replacement): void;
  drain(): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
  readonly requestCount: number;
}

export function openPlan(
  files: Pick<Files, 'open'>,
  bucket: string,
  importId: string,
  operation: OperationName,
): PlanWriter {
  const key = planKey(importId);
  const plan = createByteSink(files.open(bucket, key, 'application/x-ndjson'));
  const index = createByteSink(files.open(bucket, planIndexKey(importId), 'application/x-ndjson'));
  let requestCount = 0;

  const add = (shape: Shape, rows: Uint8Array, rowCount: number, replacement?: Replacement): void => {
    requestCount += 1;
    const request = requestCount;
    const token = requestToken(importId, request);
    const { label, head, why } = shape;
    const start = plan.length;
    const open = JSON.stringify({ importId, request, operation, token });
    plan.add(`${open.slice(0, -1)},"label":${JSON.stringify(label)},"head":${head},"rows":[`);
    plan.addBytes(rows);
    plan.add(']}\n');
    const range = { key, start, end: plan.length - 1 };
    const indexed: IndexedRequest = { request, token, label, why, rowCount, plan: range, ...replacement };
    index.add(`${JSON.stringify(indexed)}\n`);
  };

  return {
    add,
    drain: async () => {
      await plan.drain();
      await index.drain();
    },
    close: async () => {
      await plan.close();
      await index.close();
    },
    abort: async () => {
      await Promise.all([plan.abort(), index.abort()]);
    },
    get requestCount() {
      return requestCount;
    },
  };
}

/** Reads an index back, line by line. */
export async function* readPlanIndex(bytes: AsyncIterable<Uint8Array>): AsyncIterable<IndexedRequest> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield indexedRequest.parse(JSON.parse(line));
  }
}
