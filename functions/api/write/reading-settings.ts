// How a file is read: in the body of a request, in the metadata of an object, and as it is saved for a header.
import * as z from 'zod';
import { findSecretDefault, secretDefault, type ValueMeanings } from '#shared/files/map-header.ts';
import {
  findLongSettings,
  toUploadMetadata,
  toUploadSettings,
  type UploadSettings,
} from '#shared/files/upload-settings.ts';
import { consoleUpload } from '#shared/import/approval.ts';
import { type FileSettings, fileSettings, type SavedSettings, savedLimits } from '#shared/import/saved-settings.ts';
import { isOptionTarget } from '#shared/operations/columns/option-columns.ts';
import type { Column } from '#shared/operations/operation.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { redactText } from '#shared/row/redact.ts';
import { operationNames, shortIdPattern } from '#shared/text/identity.ts';
import type { ApiWriter } from '../context.ts';
import { recordAudit } from '../find-import.ts';
import { ApiProblem, type Caller, endpoint } from '../http/endpoint.ts';
import { text } from '../schemas.ts';

// How a file is to be read: in a body of the API, and as the metadata of its object.

/** With what is done with its rows. */
export const readingSettings = z.strictObject({
  ...fileSettings.shape,
  /** The most rows that may be rejected, in percent; 0 is all or nothing. */
  tolerate: z.number().min(0).max(100).optional(),
  /** Rows of one port: an invalid PAC blocks the other rows of its port. */
  maxRowsPerPort: z.int().min(1).max(1_000).optional(),
  /** Whether rows with invalid PACs stay in their port until a person acts, or are removed from it after some time. */
  onInvalidPac: z.enum(['wait', 'remove']).optional(),
  /** Where the date is left open: the most rows that are ported on one day. */
  perDay: z.int().min(1).max(999_999).optional(),
  /** Whether rows whose PAC expires within 3 days after the connection date are in separate ports. */
  separateExpiringPacs: z.boolean().optional(),
});

type Settings = z.output<typeof readingSettings>;

/** They have the same names in both. */
const portSettingsOf = ({ maxRowsPerPort, onInvalidPac, perDay, separateExpiringPacs }: Settings | UploadSettings) => ({
  maxRowsPerPort,
  onInvalidPac,
  perDay,
  separateExpiringPacs,
});

/** @throws ApiProblem for a value for all rows of a secret column */
export function checkNoSecret(columnValues: Readonly<Record<string, string>>, columns: readonly Column[]): void {
  const name = findSecretDefault(columnValues, columns);
  if (name === undefined) return;
  const errors = [{ field: `columnValues.${name}`, message: secretDefault(name) }];
  throw new ApiProblem('invalid-request', `${secretDefault(name)}.`, { errors });
}

/** @throws ApiProblem for a column that the operation does not have, or that is secret, and for too many meanings */
function checkColumns(operation: string, { columnValues = {}, mapping = {}, meanings = {} }: FileSettings): void {
  const known = operationNamed(operation)?.columns ?? [];
  checkNoSecret(columnValues, known);
  checkMeanings(meanings, known);
  const columns = new Set(known.map(({ name }) => name));
  const targets = Object.values(mapping).filter((name) => name !== '' && !isOptionTarget(name, known));
  const unknown = [...Object.keys(columnValues), ...targets].find((name) => !columns.has(name));
  if (unknown !== undefined) {
    throw new ApiProblem('unknown-column', `${operation} has no column "${unknown}". See /operations.`);
  }
}

/** @throws ApiProblem for a column whose cells name no items, and for more than an import keeps */
function checkMeanings(meanings: ValueMeanings, columns: readonly Column[]): void {
  const name = Object.keys(meanings).find((one) => !columns.some((column) => column.name === one && column.namesItems));
  const message =
    name !== undefined
      ? `The values of "${name}" are sent as they are written, so they mean nothing else`
      : Object.values(meanings).flatMap(Object.keys).length > savedLimits.entries &&
        `At most ${savedLimits.entries} values of a file can mean something else`;
  if (message === false) return;
  const errors = [{ field: `meanings${name === undefined ? '' : `.${name}`}`, message }];
  throw new ApiProblem('invalid-request', `${message}.`, { errors });
}

/** @throws ApiProblem as checkColumns, and for settings that are too long for the metadata of an object */
export const metadataOf = (operation: string, settings: Settings): Record<string, string> => ({
  ...shortMetadata(uploadSettingsOf(operation, settings)),
  ...consoleUpload,
});

/** @throws ApiProblem as checkColumns */
export function uploadSettingsOf(operation: string, settings: Settings): UploadSettings {
  checkColumns(operation, settings);
  return {
    planOnly: true,
    ...toUploadSettings(settings),
    toleratedFailurePercentage: settings.tolerate,
    ...portSettingsOf(settings),
  };
}

/** @throws ApiProblem for settings that are too long for the metadata of an object */
export function shortMetadata(settings: UploadSettings): Record<string, string> {
  const long = findLongSettings(settings);
  if (long === undefined) return toUploadMetadata(settings);
  const errors = long.parts.map(({ name, column, bytes }) => {
    const field = name === 'map' ? 'mapping' : name;
    return { field: column === undefined ? field : `columnValues.${column}`, message: `it has ${bytes} bytes` };
  });
  throw new ApiProblem('invalid-request', `${long.message.charAt(0).toUpperCase()}${long.message.slice(1)}.`, {
    errors,
  });
}

/** The header of a file without one may be a code, and so may what a person typed. */
const withoutCodes = (values: Readonly<Record<string, string>>, textOf: (entry: [string, string]) => string) =>
  Object.fromEntries(Object.entries(values).filter((entry) => redactText(textOf(entry)) === textOf(entry)));

/** The settings of an upload as a body of the API. Metadata has the names of columns in lower case. */
export function settingsBody(operation: string, settings: UploadSettings): Settings {
  const { defaults, mapping, meanings, layout, dateOrder, toleratedFailurePercentage } = settings;
  const names = new Map<string, string>(
    operationNamed(operation)?.columns.flatMap(({ name, isSecret }) => (isSecret ? [] : [[name.toLowerCase(), name]])),
  );
  const known = Object.fromEntries(
    Object.entries(defaults).flatMap(([name, value]) => {
      const column = names.get(name.toLowerCase());
      return column === undefined ? [] : [[column, value]];
    }),
  );
  return {
    columnValues: withoutCodes(known, ([, value]) => value),
    mapping: withoutCodes(mapping, ([name]) => name),
    ...(meanings && { meanings: meaningsBody(meanings, names) }),
    headerRow: layout.headerLine,
    sheet: layout.sheet,
    otherSheets: layout.otherSheets?.map(({ sheet }) => sheet),
    visibleRowsOnly: layout.visibleRowsOnly,
    encoding: layout.encoding,
    separator: layout.delimiter,
    dateOrder,
    tolerate: toleratedFailurePercentage,
    ...portSettingsOf(settings),
  };
}

/** As `settingsBody`. Metadata may have any name of a column. */
const meaningsBody = (meanings: ValueMeanings, names: ReadonlyMap<string, string>): ValueMeanings =>
  Object.fromEntries(
    Object.entries(meanings).flatMap(([written, values]) => {
      const column = names.get(written.toLowerCase());
      const known = withoutCodes(values, (entry) => entry.join(' '));
      return column === undefined || Object.keys(known).length === 0 ? [] : [[column, known]];
    }),
  );

// Saves how files with a certain header are read, for everybody who uses the account.

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
  async ({ path, body, caller }, writer: ApiWriter) => {
    checkColumns(body.operation, body.settings);
    checkNoPac(body);
    const all = await writer.savedSettings.list();
    checkLimits(
      body,
      all.filter(({ savedId }) => savedId !== path.savedId),
    );
    const before = all.find(({ savedId }) => savedId === path.savedId)?.authors ?? [];
    const savedAt = new Date(writer.wall()).toISOString();
    const authors = [...new Set([...before, caller.id])];
    // Recorded first: nobody writes settings without a trace.
    await recordSaved('settings-saved', { ...path, name: body.name }, caller, writer);
    await writer.savedSettings.put({ ...path, ...body, by: caller.name, authors, savedAt });
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
  async ({ path, caller }, writer: ApiWriter) => {
    await recordSaved('settings-deleted', path, caller, writer);
    await writer.savedSettings.remove(path.savedId);
    return undefined;
  },
);

/** In the audit trail of the settings, which every import that was read with them shows. */
const recordSaved = (
  action: 'settings-saved' | 'settings-deleted',
  { savedId, name = '' }: { readonly savedId: string; readonly name?: string },
  caller: Caller,
  writer: ApiWriter,
): Promise<void> => recordAudit(savedId, { action, caller, details: name === '' ? {} : { name } }, writer);

const bytesOf = (saved: object): number => Buffer.byteLength(JSON.stringify(saved));

/** @throws ApiProblem: an import stores the settings with which it was read, and an answer has all of them */
function checkLimits({ name, settings }: SavedBody, others: readonly SavedSettings[]): void {
  const { entries, bytes, settings: most, allBytes } = savedLimits;
  const { columnValues = {}, mapping = {}, meanings = {}, otherSheets = [] } = settings;
  const all = [columnValues, mapping, otherSheets, ...Object.values(meanings)];
  const count = all.reduce((sum, each) => sum + Object.keys(each).length, 0);
  if (count > entries || bytesOf({ name, settings }) > bytes) {
    const detail = `Settings have at most ${entries} columns, values and sheets, and ${bytes / 1_024} KB.`;
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
  const { columnValues = {}, mapping = {}, meanings = {}, sheet = '', otherSheets = [] } = settings;
  const said = Object.values(meanings).flatMap((values) => Object.entries(values).flat());
  const texts = [name, sheet, ...otherSheets, ...Object.keys(mapping), ...Object.values(columnValues), ...said];
  if (texts.every((one) => redactText(one) === one)) return;
  throw new ApiProblem('invalid-request', 'The settings contain what may be a PAC. Remove it to save them.');
}
