// The files of a plan: plan.ndjson with its index, rejected.csv, issues.ndjson.
import { hash } from 'node:crypto';
import { correctionColumnsBeside, createUnguard, ownColumns, type RootLineOf } from '#shared/files/added-columns.ts';
import { csvHeader, csvRow } from '#shared/files/csv/csv-row.ts';
import type { Delimiter } from '#shared/files/csv/record-batch.ts';
import type { ReadColumns } from '#shared/files/secret-columns.ts';
import type { Shape } from '#shared/operations/operation.ts';
import { packLines } from '#shared/request/packed-lines.ts';
import type { ReplacedPort } from '#shared/request/request.ts';
import { describeIssue, type Issue } from '#shared/row/issue.ts';
import { codeMask } from '#shared/row/redact.ts';
import type { Files } from '#shared/store/files.ts';
import { issuesKey, planIndexKey, planKey, type ReadImport, rejectedKey } from '#shared/store/object-keys.ts';
import { createPlanHash, type IndexedRequest, type PlanSample } from '#shared/store/plans.ts';
import { type OperationName, requestToken } from '#shared/text/identity.ts';
import { BufferedWriter } from './utf8-buffer.ts';

// Writes plan.ndjson, one line per request, and beside it the index of the requests (`shared/store/plans.ts`).

interface ReadingAttempt extends ReadImport {
  /** Of a delivery that begins the import again: its own. */
  readonly attemptId?: string | undefined;
}

export interface PlanOf extends ReadingAttempt {
  readonly operation: OperationName;
}

/** A plan of so few requests is released without reading its index. */
const keptRequests = 100;
/** A person looks at a sample of each kind of request before they approve. */
const mostSamples = 200;
const sampledRows = 3;

type SampledRow = PlanSample['rows'][number] & { readonly wire?: { readonly pac?: string | null } };

export class PlanWriter {
  requestCount = 0;
  /** The first ones, all of a small plan. */
  readonly requests: IndexedRequest[] = [];
  /** The contents of which there is a sample. */
  readonly #sampled = new Set<string>();
  /** After how many working days its days may repeat. @default - any number of rows may be ported on one day */
  dayCycle: number | undefined;
  readonly #importId: string;
  /** Of the line of each request, up to its number. */
  readonly #opening: string;
  readonly #key: string;
  readonly #operation: OperationName;
  readonly #plan: BufferedWriter;
  readonly #index: BufferedWriter;
  readonly #hash: ReturnType<typeof createPlanHash>;

  constructor(files: Files, bucket: string, planOf: PlanOf) {
    const { importId, operation, attemptId } = planOf;
    this.#importId = importId;
    this.#opening = `{"importId":${JSON.stringify(importId)},"request":`;
    this.#hash = createPlanHash(planOf);
    this.#operation = operation;
    this.#key = planKey(importId, attemptId);
    this.#plan = new BufferedWriter(files.open(bucket, this.#key, 'application/x-ndjson'));
    this.#index = new BufferedWriter(files.open(bucket, planIndexKey(planOf), 'application/x-ndjson'));
  }

  /**
   * Adds one request.
   * @param rows the JSON of its rows in UTF-8, with commas between them
   * @param lines of these rows, as people know them
   * @param replaces the port that it replaces
   */
  add({ label, head, why, day }: Shape, rows: Buffer, lines: readonly number[], replaces?: ReplacedPort): void {
    this.requestCount += 1;
    const [request, plan] = [this.requestCount, this.#plan];
    const token = requestToken(this.#importId, request);
    const start = plan.length;
    const named = `"token":"${token}","label":${JSON.stringify(label)}`;
    plan.add(`${this.#opening}${request},"operation":"${this.#operation}",${named},"head":${head},"rows":[`);
    plan.addBytes(rows);
    plan.add(']}');
    const range = { key: this.#key, start, end: plan.length, digest: hash('sha256', plan.since(start)) };
    plan.add('\n');
    const sample = this.#sampleOf(head, rows);
    const known = { request, token, label, why, day, rowCount: lines.length, lines: packLines(lines) };
    const indexed: IndexedRequest = { ...known, plan: range, replaces, sample };
    this.#hash.add(indexed);
    if (request <= keptRequests) this.requests.push(indexed);
    this.#index.add(`${JSON.stringify(indexed)}\n`);
  }

  #sampleOf(head: string, rows: Buffer): PlanSample | undefined {
    if (this.#sampled.size >= mostSamples || this.#sampled.has(head)) return undefined;
    this.#sampled.add(head);
    const planned = JSON.parse(`[${rows.toString('utf8')}]`) as SampledRow[];
    // A cell that the rows share may have the code of one of them, however it is written.
    const mask = codeMask(planned.flatMap(({ wire }) => wire?.pac ?? []));
    return {
      head: JSON.parse(head, (_, value) => (typeof value === 'string' ? mask(value) : value)),
      rows: planned.slice(0, sampledRows).map(({ line, subject }) => ({ line, subject: mask(subject) })),
    };
  }

  /** Of all requests so far. */
  get planHash(): string {
    return this.#hash.value();
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
  #rootLineOf: RootLineOf = (line) => line;
  #unguard: ReturnType<typeof createUnguard> = (cells) => [...cells];
  #width = 0;
  #hasRows = false;
  /** No earlier attempt has written files, which those of this one must replace, even with nothing in them. */
  readonly #isFirst: boolean;
  #delimiter: Delimiter = ',';

  constructor(files: Files, bucket: string, item: ReadingAttempt) {
    this.#importId = item.importId;
    this.#isFirst = item.attemptId === undefined;
    this.#rejected = new BufferedWriter(files.open(bucket, rejectedKey(item), 'text/csv; charset=utf-8'));
    this.#issues = new BufferedWriter(files.open(bucket, issuesKey(item), 'application/x-ndjson'));
  }

  /** Must be called before the first record. */
  begin(columns: ReadColumns, delimiter: Delimiter, rootLineOf: RootLineOf): void {
    const { header } = columns;
    this.#unguard = createUnguard(columns);
    this.#delimiter = delimiter;
    this.#width = header.length;
    this.#ownColumns = ownColumns(header);
    this.#rootLineOf = rootLineOf;
    const own = this.#ownColumns.map((index) => header[index] ?? '');
    this.#rejected.add(csvHeader([...own, ...correctionColumnsBeside(own)], delimiter));
  }

  /** One record and its issues; only an error makes it a rejected row. */
  add(line: number, cells: readonly string[], issues: readonly Issue[]): void {
    for (const issue of issues) this.addIssue(issue);
    const errors = issues.filter((issue) => issue.severity === 'error').map(describeIssue);
    if (errors.length === 0) return;
    const texts = this.#unguard(cells);
    const row = this.#ownColumns.map((index) => texts[index] ?? '');
    // Cells beyond the header go behind the errors: nothing is lost, and nothing is shifted.
    const beyond = texts.slice(this.#width);
    // Empty ones have nothing to lose, and the fixed row would have as many too many.
    const surplus = beyond.slice(0, beyond.findLastIndex((cell) => cell.trim() !== '') + 1);
    const added = [this.#importId, String(this.#rootLineOf(line, cells)), errors.join('; ')];
    this.#rejected.add(csvRow([...row, ...added, ...surplus], this.#delimiter));
    this.#hasRows = true;
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
    await Promise.all([
      this.#width > 0 && (this.#hasRows || !this.#isFirst) ? this.#rejected.close() : this.#rejected.abort(),
      this.#issues.length > 0 || !this.#isFirst ? this.#issues.close() : this.#issues.abort(),
    ]);
  }

  async abort(): Promise<void> {
    await Promise.all([this.#rejected.abort(), this.#issues.abort()]);
  }
}
