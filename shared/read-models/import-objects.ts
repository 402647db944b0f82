// The objects of an import in the buckets.
import type { Issue } from '#shared/domain/imports/issue.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import type { ObjectRef } from '#shared/store/files/files.ts';
import { readJsonLines } from '#shared/store/files/json-lines.ts';
import { issuesKey, rejectedKey } from '#shared/store/files/object-keys.ts';
import { issueAnswer } from './answers.ts';
import type { ResultFiles } from './sources.ts';

export const rejectedObject = ({ resources }: ResultFiles, importId: string): ObjectRef => ({
  bucket: resources.resultsBucket,
  key: rejectedKey(importId),
});

/** Every issue in file order; for an import rejected before its rows were read, those kept with the import. */
export async function* readIssues({ resources, files }: ResultFiles, item: ImportItem): AsyncIterable<Issue> {
  const object = { bucket: resources.resultsBucket, key: issuesKey(item.importId) };
  if ((await files.head(object)) === undefined) yield* item.issues;
  else yield* readJsonLines(files, object, issueAnswer);
}
