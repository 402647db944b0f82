// Finds the import that would have sent the same rows: a text file that is uploaded under three names sends each text
// three times. Of two uploads at the same time, one claims the content and the other one asks.
import type { ImportItem } from '#shared/import/import.ts';
import { isOnlyValidated } from '#shared/import/import-state.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { type Issue, notice, warning } from '#shared/row/issue.ts';
import { counted } from '#shared/text/wording.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';

/** Each attempt reads what another import has written meanwhile. */
const attempts = 3;

/** A validation is never sent by itself, so it claims nothing. */
export async function findSameContent(
  { importId, account, validation }: ImportItem,
  contentHash: string,
  { contents, imports, clocks }: IngestPipeline,
): Promise<ImportItem | undefined> {
  const content = { account, contentHash, importId, now: clocks.wall() };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const other = await contents.find(content);
    const item = other === undefined ? undefined : await imports.get(other);
    if (item !== undefined && sends(item, contentHash)) return item;
    if (validation || (await contents.claim(content, other))) return undefined;
  }
  throw new Error(`the content of import ${importId} changes hands all the time`);
}

/** A draft that was read again may have other rows now. One that is still read may have these. */
const sends = (item: ImportItem, contentHash: string): boolean =>
  item.state !== 'rejected' &&
  !isOnlyValidated(item) &&
  (item.contentHash === contentHash || item.state === 'planning');

export function describeSameContent(
  { importId, receivedAt }: ImportItem,
  { submission }: Operation,
  rows: number,
): Issue {
  const same = `import ${importId} of ${receivedAt.slice(0, 16).replace('T', ' ')} UTC has the same ${counted(rows, 'row')}`;
  const place = { line: 0, column: null };
  if (submission.makes !== 'ticket')
    return {
      ...place,
      ...notice('FILE_SAME_CONTENT', `${same}, PACs aside. Numbers and ports are checked before anything is sent`),
    };
  return { ...place, ...warning('FILE_SAME_CONTENT', `${same}. Approve this import only to send all of them again`) };
}
