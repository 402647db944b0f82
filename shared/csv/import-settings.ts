// The settings with which the file of an import is read: those of its upload, and saved ones of its header.

import { addReading, type SecretReading } from '#shared/files/secret-columns.ts';
import { readUploadSettings, type UploadSettings } from '#shared/files/upload-settings.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { FileSettings } from '#shared/import/saved-settings.ts';

export const toUploadSettings = (settings: FileSettings): UploadSettings => ({
  defaults: settings.columnValues ?? {},
  mapping: settings.mapping ?? {},
  layout: {
    headerLine: settings.headerRow,
    sheet: settings.sheet,
    otherSheets: settings.otherSheets?.map((sheet) => ({ sheet })),
    visibleRowsOnly: settings.visibleRowsOnly,
    encoding: settings.encoding,
    delimiter: settings.separator,
  },
  dateOrder: settings.dateOrder,
});

/** @param metadata of its object */
export function settingsOf(
  { readWith }: Pick<ImportItem, 'readWith'>,
  metadata: Readonly<Record<string, string>>,
): UploadSettings {
  const settings = readUploadSettings(metadata);
  return readWith === undefined ? settings : mergeSettings(toUploadSettings(readWith.settings), settings);
}

/** What this and earlier readings of the file called secret. @param metadata of its object */
export function secretReadingsOf(
  { secretReadings, layout, columnIndexes = {}, columnIndexesForPeople = columnIndexes }: ImportItem,
  metadata: Readonly<Record<string, string>> = {},
): readonly SecretReading[] {
  const before = secretReadings ?? readUploadSettings(metadata).secretReadings ?? [];
  const { pac } = columnIndexesForPeople;
  return pac === undefined || layout === undefined ? before : addReading(before, layout, [pac]);
}

/** Whether a person chose how the file is read. Values for all rows do not count. */
export const describesFile = ({ mapping, layout, dateOrder }: UploadSettings): boolean =>
  dateOrder !== undefined ||
  Object.keys(mapping).length > 0 ||
  Object.values(layout).some((setting) => setting !== undefined);

export const mergeSettings = (earlier: UploadSettings, given: UploadSettings): UploadSettings => ({
  ...earlier,
  ...withoutUndefined(given),
  mapping: { ...earlier.mapping, ...given.mapping },
  defaults: { ...earlier.defaults, ...given.defaults },
  layout: {
    ...earlier.layout,
    // Sheets are named together.
    ...(given.layout.sheet !== undefined && { otherSheets: undefined }),
    ...withoutUndefined(given.layout),
  },
});

const withoutUndefined = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;
