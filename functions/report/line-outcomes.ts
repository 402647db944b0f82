// Every line of the file that was dropped, with what became of it. The file is read again from the inbox and passes
// through; what is held is a few bytes a line.
import type { Files } from '#shared/aws/files.ts';
import type { Ports } from '#shared/aws/ports.ts';
import { type ColumnNames, type HeaderMap, mapHeader } from '#shared/csv/header.ts';
import { readCsv } from '#shared/csv/reader.ts';
import type { RecordBatch } from '#shared/csv/records.ts';
import type { DriftItem } from '#shared/domain/drift.ts';
import type { Issue } from '#shared/domain/issue.ts';
import type { ImportItem, RequestItem } from '#shared/domain/ledger.ts';
import {
  type LineResult,
  notSentResult,
  plannedResult,
  rejectedResult,
  waitingResult,
} from '#shared/domain/outcome.ts';
import { type LineIssues, openLineIssues } from './line-issues.ts';
import { collectResults, type LineResults } from './line-results.ts';

export interface ResultSources {
  readonly importItem: ImportItem;
  /** The columns of its operation: they tell where a PAC stands. */
  readonly columns: readonly ColumnNames[];
  readonly files: Pick<Files, 'head' | 'read'>;
  /** Where ingest wrote `imports/<id>/issues.ndjson`. */
  readonly resultsBucket: string;
  readonly requests: AsyncIterable<RequestItem>;
  readonly ports: Pick<Ports, 'rowsOf'>;
  readonly drifts: AsyncIterable<DriftItem>;
}

export interface LineOutcome {
  readonly line: number;
  /** As many as the header has; a record of another length was cut or filled. */
  readonly cells: readonly string[];
  readonly result: LineResult;
}

export interface FileOutcomes {
  readonly header: readonly string[];
  /** Canonical column name to the index of its cell. */
  readonly indexes: HeaderMap['indexes'];
  /** In the order of the file. */
  readonly batches: AsyncIterable<readonly LineOutcome[]>;
}

/** `issue` says why nothing of the file can be read. @throws ObjectGone when the file has expired */
export async function openOutcomes(sources: ResultSources): Promise<FileOutcomes | { readonly issue: Issue }> {
  const { importItem, files, resultsBucket } = sources;
  const { bucket, key, versionId, etag, importId } = importItem;
  const results = await collectResults(sources.requests, sources.ports, sources.drifts);
  const issues = await openLineIssues(files, resultsBucket, importId);
  const opened = await readCsv(await files.read({ bucket, key, versionId, etag }));
  if (!opened.ok) return { issue: opened.issue };
  const { header, headerLine, batches } = opened.value;
  const { indexes } = mapHeader(header, sources.columns, { line: headerLine });
  const outcome = (line: number, cells: readonly string[]): LineOutcome => ({
    line,
    cells,
    result: resultOf(line, results, issues, importItem),
  });
  // An import that moves ports is about some lines of another one's file: the others are answered for there.
  const isOurs: IsOurs = (line) => importItem.reschedules === undefined || results.of(line) !== undefined;
  return { header, indexes, batches: joined(batches, issues, header.length, outcome, isOurs) };
}

type IsOurs = (line: number) => boolean;

type Join = (line: number, cells: readonly string[]) => LineOutcome;

async function* joined(
  batches: AsyncIterable<RecordBatch>,
  issues: LineIssues,
  width: number,
  outcome: Join,
  isOurs: IsOurs,
): AsyncIterable<readonly LineOutcome[]> {
  for await (const batch of batches) {
    await issues.readTo(lastLine(batch));
    yield outcomesOf(batch, width, outcome).filter(({ line }) => isOurs(line));
  }
}

function resultOf(line: number, results: LineResults, issues: LineIssues, { state }: ImportItem): LineResult {
  const errors = issues.take(line);
  if (errors !== undefined) return rejectedResult(errors);
  if (state === 'refused') return notSentResult;
  return results.of(line) ?? (state === 'planned' ? plannedResult : waitingResult);
}

const lastLine = ({ lines, rejected }: RecordBatch): number => Math.max(lines.at(-1) ?? 0, rejected.at(-1)?.line ?? 0);

/** Records and those that could not be understood come apart, and are put back into the order of the file. */
function outcomesOf({ lines, cells, rejected }: RecordBatch, width: number, outcome: Join): LineOutcome[] {
  const outcomes: LineOutcome[] = [];
  let next = 0;
  const takeRejectedBefore = (line: number): void => {
    for (let broken = rejected[next]; broken !== undefined && broken.line < line; broken = rejected[next]) {
      outcomes.push(outcome(broken.line, fitted(broken.cells, width)));
      next += 1;
    }
  };
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as number;
    takeRejectedBefore(line);
    outcomes.push(outcome(line, cells[index] ?? []));
  }
  takeRejectedBefore(Number.POSITIVE_INFINITY);
  return outcomes;
}

/** So that no result stands under a foreign heading. */
const fitted = (cells: readonly string[], width: number): string[] =>
  Array.from({ length: width }, (_, index) => cells[index] ?? '');
