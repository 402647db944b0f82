// Writes plan.ndjson, one line per request, and beside it the index of the requests (`plan-index.ts`).
import { hash } from 'node:crypto';
import type { OperationName } from '#shared/domain/imports/operation-name.ts';
import { requestToken } from '#shared/domain/requests/identity.ts';
import type { Shape } from '#shared/operations/kit/operation.ts';
import type { Files } from '#shared/store/files/files.ts';
import { planIndexKey, planKey } from '#shared/store/files/object-keys.ts';
import { createPlanHash, type IndexedRequest } from '#shared/store/files/plan-index.ts';
import { BufferedWriter } from './utf8-buffer.ts';

/** In JSON, a quote within a text is escaped: so these match members only. */
const withoutLinesAndPacs = (rows: Uint8Array): string =>
  Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength)
    .toString('latin1')
    .replace(/"line":\d+,|"pac":"[^"]*",?/g, '');

/** Of a request that replaces a port. */
export type Replacement = Required<Pick<IndexedRequest, 'replaces' | 'lines'>>;

export class PlanWriter {
  requestCount = 0;
  readonly #importId: string;
  readonly #operation: OperationName;
  readonly #plan: BufferedWriter;
  readonly #index: BufferedWriter;
  readonly #hash = createPlanHash();
  readonly #contents: string[] = [];

  constructor(files: Files, bucket: string, importId: string, operation: OperationName) {
    this.#importId = importId;
    this.#operation = operation;
    this.#plan = new BufferedWriter(files.open(bucket, planKey(importId), 'application/x-ndjson'));
    this.#index = new BufferedWriter(files.open(bucket, planIndexKey(importId), 'application/x-ndjson'));
  }

  /** Adds one request. `rows` is the JSON of `rowCount` planned rows in UTF-8, with commas between them. */
  add({ label, head, why }: Shape, rows: Uint8Array, rowCount: number, replacement?: Replacement): void {
    this.requestCount += 1;
    const [importId, request, plan] = [this.#importId, this.requestCount, this.#plan];
    const token = requestToken(importId, request);
    const start = plan.length;
    const opening = JSON.stringify({ importId, request, operation: this.#operation, token });
    const begin = `${opening.slice(0, -1)},"label":${JSON.stringify(label)},"head":${head},"rows":[`;
    plan.add(begin);
    plan.addBytes(rows);
    plan.add(']}');
    const range = { key: planKey(importId), start, end: plan.length, digest: hash('sha256', plan.since(start)) };
    plan.add('\n');
    const indexed: IndexedRequest = { request, token, label, why, rowCount, plan: range, ...replacement };
    this.#hash.add(indexed);
    this.#contents.push(hash('sha256', `${this.#operation}${head}${withoutLinesAndPacs(rows)}`));
    this.#index.add(`${JSON.stringify(indexed)}\n`);
  }

  /** Of all requests so far. */
  get planHash(): string {
    return this.#hash.value();
  }

  /** The same for the same rows in another file or format: of what is sent, without lines, and without PACs. */
  get contentHash(): string {
    return hash('sha256', this.#contents.sort().join());
  }

  async drain(): Promise<void> {
    await this.#plan.drain();
    await this.#index.drain();
  }

  async close(): Promise<void> {
    await Promise.all([this.#plan.close(), this.#index.close()]);
  }

  async abort(): Promise<void> {
    await Promise.all([this.#plan.abort(), this.#index.abort()]);
  }
}
