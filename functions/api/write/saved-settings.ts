// Saves how files with a certain header are read, for everybody who uses the account.
import * as z from 'zod';
import { operationNames } from '#shared/domain/imports/operation-name.ts';
import { redactText } from '#shared/domain/text/redact.ts';
import { shortIdPattern } from '#shared/domain/text/short-id.ts';
import { fileSettings } from '#shared/items/saved-settings.ts';
import type { WriteDependencies } from '../dependencies.ts';
import { ApiProblem } from '../http/api-problem.ts';
import { endpoint } from '../http/endpoint.ts';
import { text } from '../schemas.ts';
import { checkColumns } from './reading-settings.ts';

/** `headerId` of a preview. */
const savedPath = z.object({
  savedId: z.string().regex(new RegExp(`^${shortIdPattern}{16}$`), 'expected the id of a header'),
});

const savedBody = z.object({ operation: z.enum(operationNames), name: text(100, 1), settings: fileSettings });
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
    const savedAt = new Date(dependencies.wall()).toISOString();
    await dependencies.savedSettings.put({ ...path, ...body, by: caller.name, savedAt });
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
  async ({ path }, dependencies: WriteDependencies) => {
    await dependencies.savedSettings.remove(path.savedId);
    return undefined;
  },
);

/** @throws ApiProblem: the table has no PACs */
function checkNoPac({ name, settings }: SavedBody): void {
  const { columnValues = {}, mapping = {}, sheet = '', otherSheets = [] } = settings;
  const texts = [name, sheet, ...otherSheets, ...Object.keys(mapping), ...Object.values(columnValues)];
  if (texts.every((one) => redactText(one) === one)) return;
  throw new ApiProblem('invalid-request', 'The settings contain what may be a PAC. Remove it to save them.');
}
