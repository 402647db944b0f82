// Saves how files with a certain header are read, for everybody who uses the account.
import * as z from 'zod';
import { operationNames } from '#shared/domain/imports/operation-name.ts';
import { shortIdPattern } from '#shared/domain/text/short-id.ts';
import { fileSettings, type SavedSettings, savedLimits } from '#shared/import/saved-settings.ts';
import { redactText } from '#shared/row/redact.ts';
import type { WriteDependencies } from '../context.ts';
import { ApiProblem } from '../http/api-problem.ts';
import type { Caller } from '../http/caller.ts';
import { endpoint } from '../http/endpoint.ts';
import { recordAudit } from '../http/record-audit.ts';
import { text } from '../schemas.ts';
import { checkColumns } from './reading-settings.ts';

/** `headerId` of a preview. */
const savedPath = z.object({
  savedId: z.string().regex(new RegExp(`^${shortIdPattern}{16}$`), 'expected the id of a header'),
});

const savedBody = z.strictObject({
  operation: z.enum(operationNames),
  name: text(100, 1),
  settings: z.strictObject(fileSettings.shape),
});
type SavedBody = z.output<typeof savedBody>;

export const saveSettings = endpoint(
  {
    at: 'PUT /saved-settings/{savedId}',
    role: 'uploader',
    summary: 'Save how files with this header are read',
    accepts: { path: savedPath, body: savedBody },
    status: 204,
    problems: ['unknown-column'],
  },
  async ({ path, body, caller }, dependencies: WriteDependencies) => {
    checkColumns(body.operation, body.settings);
    checkNoPac(body);
    const all = await dependencies.savedSettings.list();
    checkLimits(
      body,
      all.filter(({ savedId }) => savedId !== path.savedId),
    );
    const before = all.find(({ savedId }) => savedId === path.savedId)?.authors ?? [];
    const savedAt = new Date(dependencies.wall()).toISOString();
    const authors = [...new Set([...before, caller.id])];
    // Recorded first: nobody writes settings without a trace.
    await recordSaved('settings-saved', { ...path, name: body.name }, caller, dependencies);
    await dependencies.savedSettings.put({ ...path, ...body, by: caller.name, authors, savedAt });
    return undefined;
  },
);

export const deleteSettings = endpoint(
  {
    at: 'DELETE /saved-settings/{savedId}',
    role: 'uploader',
    summary: 'Delete saved settings',
    accepts: { path: savedPath },
    status: 204,
  },
  async ({ path, caller }, dependencies: WriteDependencies) => {
    await recordSaved('settings-deleted', path, caller, dependencies);
    await dependencies.savedSettings.remove(path.savedId);
    return undefined;
  },
);

/** In the audit trail of the settings, which every import that was read with them shows. */
const recordSaved = (
  action: 'settings-saved' | 'settings-deleted',
  { savedId, name = '' }: { readonly savedId: string; readonly name?: string },
  caller: Caller,
  dependencies: WriteDependencies,
): Promise<void> => recordAudit(savedId, { action, caller, details: name === '' ? {} : { name } }, dependencies);

const bytesOf = (saved: object): number => Buffer.byteLength(JSON.stringify(saved));

/** @throws ApiProblem: an import stores the settings with which it was read, and an answer has all of them */
function checkLimits({ name, settings }: SavedBody, others: readonly SavedSettings[]): void {
  const { entries, bytes, settings: most, allBytes } = savedLimits;
  const { columnValues = {}, mapping = {}, otherSheets = [] } = settings;
  const count = Object.keys(columnValues).length + Object.keys(mapping).length + otherSheets.length;
  if (count > entries || bytesOf({ name, settings }) > bytes) {
    const detail = `Settings have at most ${entries} columns and sheets, and ${bytes / 1_024} KB.`;
    throw new ApiProblem('invalid-request', detail);
  }
  const sum = others.reduce((total, saved) => total + bytesOf(saved), bytesOf({ name, settings }));
  if (others.length < most && sum <= allBytes) return;
  throw new ApiProblem(
    'invalid-request',
    `An account has at most ${most} saved settings, and ${allBytes / 1_048_576} MB. Delete some.`,
  );
}

/** @throws ApiProblem: the table has no PACs */
function checkNoPac({ name, settings }: SavedBody): void {
  const { columnValues = {}, mapping = {}, sheet = '', otherSheets = [] } = settings;
  const texts = [name, sheet, ...otherSheets, ...Object.keys(mapping), ...Object.values(columnValues)];
  if (texts.every((one) => redactText(one) === one)) return;
  throw new ApiProblem('invalid-request', 'The settings contain what may be a PAC. Remove it to save them.');
}
