// Writes plan.ndjson, one line per request, and beside it the index of the requests (`plan-index.ts`).
import { hash } from 'node:crypto';
import type { OperationName } from '#shared/domain/imports/operation-name.ts';
import type { Shape } from '#shared/operations/operation.ts';
import { createPlanHash, type IndexedRequest } from '#shared/store/files/plan-index.ts';
import type { Files } from '#shared/store/files.ts';
import { planIndexKey, planKey } from '#shared/store/object-keys.ts';
import { requestToken } from '#shared/text/identity.ts';
import { BufferedWriter } from './utf8-buffer.ts';

/** In JSON, a quote within a text is escaped: so these match members only. */
const linesAndPacs = /"line":\d+,|"pac":"[^"]*",?/g;
const rowStart = '{"line":';

/**
 * What is sent, without lines and PACs, whatever the order of the rows and however they are put into requests: the sum
 * of the hashes of all rows.
 */
class ContentSum {
  #rows = 0;
  #high = 0;
  #low = 0;

  /** @param shared of all rows of a request. @param rows their JSON */
  add(shared: string, rows: Uint8Array): void {
    const start = hash('sha256', shared, 'buffer');
    const [high, low] = [start.readInt32BE(0), start.readInt32BE(4)];
    const text = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength).toString('latin1');
    for (const row of text.split(rowStart).slice(1)) {
      const sent = (rowStart + row).replace(linesAndPacs, '').replace(/,$/, '');
      this.#rows += 1;
      this.#high = (this.#high + hashText(sent, high, 0x9e3779b1)) | 0;
      this.#low = (this.#low + hashText(sent, low, 0x85ebca6b)) | 0;
    }
  }

  get value(): string {
    return hash('sha256', `${this.#rows} ${this.#high} ${this.#low}`);
  }
}

/** 32 bits: much faster than sha256, and two of them are enough to distinguish files. */
function hashText(text: string, seed: number, factor: number): number {
  let sum = seed;
  for (let at = 0; at < text.length; at += 1) {
    sum = Math.imul(sum ^ text.charCodeAt(at), factor);
    sum ^= sum >>> 15;
  }
  return sum;
}

/** Of a request that replaces a port. */
export type Replacement = Required<Pick<IndexedRequest, 'replaces' | 'lines'>>;

export interface PlanOf {
  readonly importId: string;
  readonly operation: OperationName;
  /** Of a delivery that begins the import again: its own. */
  readonly attemptId?: string | undefined;
}

export class PlanWriter {
  requestCount = 0;
  readonly #importId: string;
  readonly #key: string;
  readonly #operation: OperationName;
  readonly #plan: BufferedWriter;
  readonly #index: BufferedWriter;
  readonly #hash = createPlanHash();
  readonly #content = new ContentSum();

  constructor(files: Files, bucket: string, { importId, operation, attemptId }: PlanOf) {
    this.#importId = importId;
    this.#operation = operation;
    this.#key = planKey(importId, attemptId);
    this.#plan = new BufferedWriter(files.open(bucket, this.#key, 'application/x-ndjson'));
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
    const range = { key: this.#key, start, end: plan.length, digest: hash('sha256', plan.since(start)) };
    plan.add('\n');
    const indexed: IndexedRequest = { request, token, label, why, rowCount, plan: range, ...replacement };
    this.#hash.add(indexed);
    this.#content.add(`${this.#operation}${head}`, rows);
    this.#index.add(`${JSON.stringify(indexed)}\n`);
  }

  /** Of all requests so far. */
  get planHash(): string {
    return this.#hash.value();
  }

  /** The same for the same rows in another file or format: of what is sent, without lines, and without PACs. */
  get contentHash(): string {
    return this.#content.value;
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
