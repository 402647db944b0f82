// What a person gets back of a file: rejected.csv, the rows that cannot be sent with the reasons beside them, to mend and
// drop again; and issues.ndjson, every finding of every row in the order of the lines.

import type { Files } from '#shared/aws/files.ts';
import { ownColumnCount, returnedColumns } from '#shared/csv/returned-columns.ts';
import { csvRow, unguard } from '#shared/csv/writer.ts';
import type { Issue } from '#shared/domain/issue.ts';
import { createByteSink } from './byte-sink.ts';

export const rejectedKey = (importId: string): string => `imports/${importId}/rejected.csv`;
export const issuesKey = (importId: string): string => `imports/${importId}/issues.ndjson`;

export interface RejectWriter {
  /** Must come before the first record. */
  begin(header: readonly string[]): void;
  /** One record and everything that was found in it; without an error among the issues only those are kept. */
  add(line: number, cells: readonly string[], issues: readonly Issue[]): void;
  /** A finding about the header or the whole file. */
  addIssue(issue: Issue): void;
  drain(): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

export function openRejected(files: Pick<Files, 'open'>, bucket: string, importId: string): RejectWriter {
  const rejected = createByteSink(files.open(bucket, rejectedKey(importId), 'text/csv; charset=utf-8'));
  const found = createByteSink(files.open(bucket, issuesKey(importId), 'application/x-ndjson'));
  let own = 0;
  let width = 0;

  const addIssue = (issue: Issue): void => found.add(`${JSON.stringify(issue)}\n`);

  return {
    begin: (header) => {
      width = header.length;
      own = ownColumnCount(header);
      rejected.add(csvRow([...header.slice(0, own), ...returnedColumns]));
    },
    add: (line, cells, issues) => {
      for (const issue of issues) addIssue(issue);
      const errors = issues.filter((issue) => issue.severity === 'error').map(inWords);
      if (errors.length === 0) return;
      const row = Array.from({ length: own }, (_, index) => unguard(cells[index] ?? ''));
      // What a record has beyond the header goes behind the reasons: nothing is lost, and nothing is shifted.
      const surplus = cells.slice(width).map(unguard);
      rejected.add(csvRow([...row, String(line), errors.join('; '), ...surplus]));
    },
    addIssue,
    drain: async () => {
      await rejected.drain();
      await found.drain();
    },
    close: async () => {
      // A file that was not understood up to its header has no rows to give back.
      await Promise.all([width === 0 ? rejected.abort() : rejected.close(), found.close()]);
    },
    abort: async () => {
      await Promise.all([rejected.abort(), found.abort()]);
    },
  };
}

const inWords = ({ column, message }: Issue): string => (column === null ? message : `${column}: ${message}`);
