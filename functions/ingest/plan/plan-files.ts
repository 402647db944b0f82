// The files of a plan: plan.ndjson with its index, rejected.csv, issues.ndjson.
import { hash } from 'node:crypto';
import {
  type CorrectionMark,
  correctionColumnsBeside,
  findCorrectionMark,
  originalLine,
  ownColumns,
} from '#shared/files/added-columns.ts';
import { csvHeader, csvRow, unguardFormula } from '#shared/files/csv/csv-row.ts';
import type { Delimiter } from '#shared/files/csv/record-batch.ts';
import type { Shape } from '#shared/operations/operation.ts';
import { describeIssue, type Issue } from '#shared/row/issue.ts';
import type { Files } from '#shared/store/files.ts';
import { issuesKey, planIndexKey, planKey, rejectedKey } from '#shared/store/object-keys.ts';
import { createPlanHash, type IndexedRequest } from '#shared/store/plans.ts';
import { type OperationName, requestToken } from '#shared/text/identity.ts';
import { BufferedWriter, ByteHash, createSearch } from './utf8-buffer.ts';

// Writes plan.ndjson, one line per request, and beside it the index of the requests (`shared/store/plans.ts`).

/** In JSON, a quote within a text is escaped: so these are members only. */
const lineStart = '{"line":';
const findRow = createSearch(`,${lineStart}`);
const pacStart = '"pac":"';
const findPac = createSearch(pacStart);
const comma = 0x2c;
const quote = 0x22;

/**
 * What is sent, without lines and PACs, whatever the order of the rows and however they are put into requests: the sum
 * of the hashes of all rows. Their 64 bits are much faster than sha256, and enough to distinguish files.
 */
class ContentSum {
  #rows = 0;
  #high = 0;
  #low = 0;

  /** @param shared of all rows of a request. @param rows their JSON, with commas between them */
  add(shared: string, rows: Uint8Array): void {
    const digest = hash('sha256', shared);
    const [high, low] = [Number.parseInt(digest.slice(0, 8), 16), Number.parseInt(digest.slice(8, 16), 16)];
    const view = new DataView(rows.buffer, rows.byteOffset, rows.length);
    const row = new ByteHash();
    let pac = findPac(rows, 0);
    for (let at = 0; at < rows.length; at += 1) {
      const start = indexOfByte(rows, comma, at + lineStart.length);
      at = findRow(rows, start);
      const beforePac = Math.min(pac, at);
      const afterPac = pac < at ? indexOfByte(rows, quote, pac + pacStart.length) : at;
      row.begin(high, low);
      row.add(view, start, beforePac);
      row.add(view, afterPac, at);
      row.end();
      this.#rows += 1;
      this.#high = (this.#high + row.high) | 0;
      this.#low = (this.#low + row.low) | 0;
      if (pac < at) pac = findPac(rows, at);
    }
  }

  get value(): string {
    return hash('sha256', `${this.#rows} ${this.#high} ${this.#low}`);
  }
}

/** The next one is near: a loop is faster than a native search. The length where there is none. */
function indexOfByte(bytes: Uint8Array, byte: number, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== byte) at += 1;
  return at;
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
    await this.#plan.close();
    // The deliveries of an import share one index: it must never name a plan that a killed delivery did not write.
    await this.#index.close();
  }

  async abort(): Promise<void> {
    await Promise.all([this.#plan.abort(), this.#index.abort()]);
  }
}

// The files for the user about rows with issues: rejected.csv, the invalid rows with their errors, to fix and import
// again; and issues.ndjson, every issue of every row in file order.

export class RejectedWriter {
  readonly #rejected: BufferedWriter;
  readonly #issues: BufferedWriter;
  readonly #importId: string;
  #ownColumns: readonly number[] = [];
  #mark: CorrectionMark | undefined;
  #width = 0;
  #delimiter: Delimiter = ',';

  constructor(files: Files, bucket: string, importId: string) {
    this.#importId = importId;
    this.#rejected = new BufferedWriter(files.open(bucket, rejectedKey(importId), 'text/csv; charset=utf-8'));
    this.#issues = new BufferedWriter(files.open(bucket, issuesKey(importId), 'application/x-ndjson'));
  }

  /** Must be called before the first record. */
  begin(header: readonly string[], delimiter: Delimiter): void {
    this.#delimiter = delimiter;
    this.#width = header.length;
    this.#ownColumns = ownColumns(header);
    this.#mark = findCorrectionMark(header);
    const own = this.#ownColumns.map((index) => header[index] ?? '');
    this.#rejected.add(csvHeader([...own, ...correctionColumnsBeside(own)], delimiter));
  }

  /** One record and its issues; only an error makes it a rejected row. */
  add(line: number, cells: readonly string[], issues: readonly Issue[]): void {
    for (const issue of issues) this.addIssue(issue);
    const errors = issues.filter((issue) => issue.severity === 'error').map(describeIssue);
    if (errors.length === 0) return;
    const row = this.#ownColumns.map((index) => unguardFormula(cells[index] ?? ''));
    const original = (this.#mark && originalLine(this.#mark, cells)) ?? line;
    // Cells beyond the header go behind the errors: nothing is lost, and nothing is shifted.
    const beyond = cells.slice(this.#width).map(unguardFormula);
    // Empty ones have nothing to lose, and the fixed row would have as many too many.
    const surplus = beyond.slice(0, beyond.findLastIndex((cell) => cell.trim() !== '') + 1);
    const added = [this.#importId, String(original), errors.join('; ')];
    this.#rejected.add(csvRow([...row, ...added, ...surplus], this.#delimiter));
  }

  addIssue(issue: Issue): void {
    this.#issues.add(`${JSON.stringify(issue)}\n`);
  }

  async drain(): Promise<void> {
    await this.#rejected.drain();
    await this.#issues.drain();
  }

  async close(): Promise<void> {
    // Without a header there are no rows to return.
    await Promise.all([this.#width === 0 ? this.#rejected.abort() : this.#rejected.close(), this.#issues.close()]);
  }

  async abort(): Promise<void> {
    await Promise.all([this.#rejected.abort(), this.#issues.abort()]);
  }
}
