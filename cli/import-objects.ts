// The objects that an import leaves behind for people and for the command line, read as streams.
import * as z from 'zod';
import type { ObjectRef } from '#shared/aws/files.ts';
import type { Issue } from '#shared/domain/issue.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { readJsonLines } from './json-lines.ts';
import { issueJson } from './json-shapes.ts';
import type { Target } from './target.ts';

const inResults = (target: Target, importId: string, name: string): ObjectRef => ({
  bucket: target.resources.resultsBucket,
  key: `imports/${importId}/${name}`,
});

export const rejectedObject = (target: Target, importId: string): ObjectRef =>
  inResults(target, importId, 'rejected.csv');

/** Every finding in the order of the file; those kept with the import where it was refused before its rows were read. */
export async function* readIssues(target: Target, item: ImportItem): AsyncIterable<Issue> {
  const object = inResults(target, item.importId, 'issues.ndjson');
  if ((await target.files.head(object)) === undefined) yield* item.issues;
  else yield* readJsonLines(target.files, object, issueJson);
}

const plannedRequest = z.object({ label: z.string(), why: z.string().optional(), rowCount: z.int().positive() });
/** One request that would be, or was, sent: what its rows share, why its day was chosen, and how many rows they are. */
export type PlannedSummary = z.infer<typeof plannedRequest>;

export async function* readPlan(target: Target, importId: string): AsyncIterable<PlannedSummary> {
  const object = { bucket: target.resources.workBucket, key: `imports/${importId}/plan-index.ndjson` };
  if ((await target.files.head(object)) !== undefined) yield* readJsonLines(target.files, object, plannedRequest);
}
