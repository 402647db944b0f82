// The live join of an import: every line of the file with what became of it, as it stands at this moment.
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { ResultSources } from '#functions/report/line-outcomes.ts';
import { resultColumns, writeResults } from '#functions/report/results.ts';
import { readCsv } from '#shared/csv/reader.ts';
import { unguard } from '#shared/csv/writer.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { Failure } from './failure.ts';
import { type ResultJson, resultJson } from './json-shapes.ts';
import type { Target } from './target.ts';

/** The text of results.csv, made while it is read. */
export const resultsCsv = (target: Target, item: ImportItem): PassThrough =>
  streamed(async (write) => {
    await writeResults(resultSources(target, item), { write });
  });

/** Where the results of an import are read. */
export const resultSources = (target: Target, item: ImportItem): ResultSources => ({
  importItem: item,
  columns: (item.operation === null ? undefined : operationNamed(item.operation)?.columns) ?? [],
  files: target.files,
  resultsBucket: target.resources.resultsBucket,
  requests: target.requests.ofImport(item.importId),
  ports: target.ports,
  drifts: target.drifts.ofImport(item.importId),
});

/** A stream of what `produce` writes, at the pace of its reader. */
export function streamed(produce: (write: (text: string) => Promise<void>) => Promise<void>): PassThrough {
  const stream = new PassThrough();
  const write = async (text: string): Promise<void> => {
    if (!stream.write(text)) await once(stream, 'drain');
  };
  produce(write).then(
    () => stream.end(),
    (error: Error) => stream.destroy(error),
  );
  return stream;
}

/** The same, line by line. */
export async function* readResults(target: Target, item: ImportItem): AsyncIterable<ResultJson> {
  const opened = await readCsv(resultsCsv(target, item));
  if (!opened.ok) throw new Failure(`The results of ${item.importId} cannot be read: ${opened.issue.message}.`);
  const { header, batches } = opened.value;
  const own = header.slice(0, -resultColumns.length);
  for await (const { cells } of batches) {
    for (const record of cells) yield resultOf(own, record);
  }
}

function resultOf(own: readonly string[], record: readonly string[]): ResultJson {
  const [line = '', outcome = '', portId = '', status = '', message = '', whatToDo = ''] = record
    .slice(own.length)
    .map(unguard);
  const columns = Object.fromEntries(own.map((name, index) => [name, unguard(record[index] ?? '')]));
  return resultJson.parse({ line: Number(line), outcome, portId, status, message, whatToDo, columns });
}

export interface OutcomeCount {
  readonly outcome: string;
  readonly status: string;
  rows: number;
}

export interface OutcomeTally {
  add(result: Pick<ResultJson, 'outcome' | 'status'>): void;
  /** The most frequent first. */
  counts(): readonly Readonly<OutcomeCount>[];
}

/** Counts lines by outcome and status. */
export function createOutcomeTally(): OutcomeTally {
  const tally = new Map<string, OutcomeCount>();
  return {
    add({ outcome, status }) {
      const key = JSON.stringify([outcome, status]);
      const known = tally.get(key);
      if (known === undefined) tally.set(key, { outcome, status, rows: 1 });
      else known.rows += 1;
    },
    counts: () => [...tally.values()].sort((one, other) => other.rows - one.rows),
  };
}
