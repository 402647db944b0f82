// How a file is read: in a body, as metadata, saved for a header.
import * as z from 'zod';
import { findSecretDefault, secretDefault } from '#shared/files/map-header.ts';
import type { SecretReading } from '#shared/files/secret-columns.ts';
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

/** @throws ApiProblem for a column that the operation does not have, or that is secret */
function checkColumns(operation: string, { columnValues = {}, mapping = {} }: FileSettings): void {
  const known = operationNamed(operation)?.columns ?? [];
  checkNoSecret(columnValues, known);
  const columns = new Set(known.map(({ name }) => name));
  const targets = Object.values(mapping).filter((name) => name !== '' && !isOptionTarget(name, known));
  const unknown = [...Object.keys(columnValues), ...targets].find((name) => !columns.has(name));
  if (unknown !== undefined) {
    throw new ApiProblem('unknown-column', `${operation} has no column "${unknown}". See /operations.`);
  }
}

/** @param secretReadings of a copy of an earlier file. @throws ApiProblem as checkColumns */
export function metadataOf(
  operation: string,
  settings: Settings,
  secretReadings: readonly SecretReading[] = [],
): Record<string, string> {
  checkColumns(operation, settings);
  const metadata = shortMetadata({
    planOnly: true,
    ...toUploadSettings(settings),
    toleratedFailurePercentage: settings.tolerate,
    ...portSettingsOf(settings),
    secretReadings,
  });
  return { ...metadata, ...consoleUpload };
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
  const { defaults, mapping, layout, dateOrder, toleratedFailurePercentage } = settings;
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
