// How a file is to be read: in a body of the API, and as the metadata of its object.
import * as z from 'zod';
import { toUploadSettings } from '#shared/csv/import-settings.ts';
import { findSecretDefault, secretDefault } from '#shared/files/map-header.ts';
import type { SecretReading } from '#shared/files/secret-columns.ts';
import { findLongSettings, toUploadMetadata, type UploadSettings } from '#shared/files/upload-settings.ts';
import { consoleUpload } from '#shared/import/approval.ts';
import { type FileSettings, fileSettings } from '#shared/import/saved-settings.ts';
import { isOptionTarget } from '#shared/operations/columns/option-columns.ts';
import type { Column } from '#shared/operations/operation.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { redactText } from '#shared/row/redact.ts';
import { ApiProblem } from '../http/api-problem.ts';

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
export function checkColumns(operation: string, { columnValues = {}, mapping = {} }: FileSettings): void {
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
