// What would happen to the numbers of a batch of records if they were sent now. The table is read in batches, within a
// budget of calls and time, so that a large file does not wait for it. Submit checks every number again when it claims
// it.
import type { RecordBatch } from '#shared/files/csv/record-batch.ts';
import { lookUpOnce } from '#shared/operations/catalogue.ts';
import { readNumber } from '#shared/operations/validate-row.ts';
import { type NumberPrediction, predictNumbers } from '#shared/request/number-claim.ts';
import { type Issue, notice } from '#shared/row/issue.ts';
import { counted } from '#shared/text/wording.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';

export interface PredictionBudget {
  readonly numbers: number;
  readonly milliseconds: number;
}

/** A thousand calls of a hundred numbers, four seconds of a usual table. */
const defaultBudget: PredictionBudget = { numbers: 100_000, milliseconds: 30_000 };
/** Requests that hold numbers; each holds about a hundred. */
const mostHolders = 10_000;

export class NumberPredictions {
  readonly #source: IngestPipeline;
  readonly #column: number;
  readonly #budget: PredictionBudget;
  readonly #findHolder: IngestPipeline['requests']['get'];
  #predictions: ReadonlyMap<string, NumberPrediction> = new Map<string, NumberPrediction>();
  readonly #rows = new Set<number>();
  #read = 0;
  #milliseconds = 0;
  #unread = 0;

  /** @param column the index of the cell with the number */
  constructor(source: IngestPipeline, column: number, budget = defaultBudget) {
    this.#source = source;
    this.#findHolder = lookUpOnce((importId, request) => source.requests.get(importId, request), mostHolders);
    this.#column = column;
    this.#budget = budget;
  }

  /** Must be called for each batch before its rows are validated. */
  async readBatch(batch: RecordBatch): Promise<void> {
    this.#predictions = new Map();
    this.#rows.clear();
    if (this.#read >= this.#budget.numbers || this.#milliseconds >= this.#budget.milliseconds) {
      this.#unread += batch.lines.length;
      return;
    }
    const rowsByNumber = this.#numbersOf(batch);
    const begun = this.#source.clocks.wall();
    const claims = await this.#source.numbers.getMany([...rowsByNumber.keys()]);
    this.#predictions = await predictNumbers(claims, this.#findHolder);
    this.#read += rowsByNumber.size;
    for (const number of this.#predictions.keys())
      for (const row of rowsByNumber.get(number) ?? []) this.#rows.add(row);
    this.#milliseconds += this.#source.clocks.wall() - begun;
  }

  /** Of a number of the current batch. */
  readonly get = (number: string): NumberPrediction | undefined => this.#predictions.get(number);

  /** Whether there is a finding about the number of the record with this index in the current batch. */
  hasRow(index: number): boolean {
    return this.#rows.has(index);
  }

  /** The notice for a file whose numbers were not all looked up. */
  get notice(): Issue | undefined {
    if (this.#unread === 0) return undefined;
    const rows = `${counted(this.#unread, 'row')} of this large file`;
    const message = `${rows} were not checked for numbers that are ported, in progress or cancelled. Submit checks the first two`;
    return { line: 0, column: null, ...notice('FILE_NUMBERS_NOT_CHECKED', message) };
  }

  #numbersOf(batch: RecordBatch): Map<string, number[]> {
    const rowsByNumber = new Map<string, number[]>();
    for (let index = 0; index < batch.lines.length; index += 1) {
      const number = readNumber(batch.cellAt(index, this.#column), this.#source.settings);
      if (number === undefined) continue;
      const rows = rowsByNumber.get(number);
      if (rows === undefined) rowsByNumber.set(number, [index]);
      else rows.push(index);
    }
    return rowsByNumber;
  }
}
