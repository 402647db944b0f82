// Finds the import that would have sent the same rows: a text file that is uploaded under three names sends each text
// three times. Of two uploads at the same time, one claims the content and the other one asks.

import { isOnlyValidated } from '#shared/domain/imports/may-be-sent.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { type Issue, notice, warning } from '#shared/row/issue.ts';
import type { IngestPipeline } from './dependencies.ts';

/** Each attempt reads what another import has written meanwhile. */
const attempts = 3;

/** A validation is never sent by itself, so it claims nothing. */
export async function findSameContent(
  { importId, account, validation }: ImportItem,
  contentHash: string,
  operation: Operation,
  { contents, imports, clocks }: IngestPipeline,
): Promise<Issue | undefined> {
  const content = { account, contentHash, importId, now: clocks.wall() };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const other = await contents.find(content);
    const item = other === undefined ? undefined : await imports.get(other);
    const isSent = item !== undefined && item.state !== 'rejected' && !isOnlyValidated(item);
    if (isSent) return describe(item, operation);
    if (validation || (await contents.claim(content, other))) return undefined;
  }
  throw new Error(`the content of import ${importId} changes hands all the time`);
}

function describe({ importId, receivedAt }: ImportItem, { submission }: Operation): Issue {
  const same = `import ${importId} of ${receivedAt.slice(0, 16).replace('T', ' ')} UTC has the same rows`;
  const place = { line: 0, column: null };
  if (submission.makes !== 'ticket')
    return {
      ...place,
      ...notice('FILE_SAME_CONTENT', `${same}, PACs aside. Numbers and ports are checked before anything is sent`),
    };
  return { ...place, ...warning('FILE_SAME_CONTENT', `${same}. Approve this import only to send all of them again`) };
}
