// How a file was read: where its rows are, in which of its sheets an issue is, and which of its columns are secret.

import type { CsvContents } from '#shared/files/csv/record-batch.ts';
import { columnIndexesOf } from '#shared/files/map-header.ts';
import { addReading, findKeptColumns, findSecretColumns, secretPlaces } from '#shared/files/secret-columns.ts';
import type { UploadSettings } from '#shared/files/upload-settings.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { error, type Issue } from '#shared/row/issue.ts';
import { redactText } from '#shared/row/redact.ts';

/** How the file is read again: for its dates and its results. */
export function layoutOf({ headerLine, delimiter, sheet, otherSheets = [] }: CsvContents, { layout }: UploadSettings) {
  const { encoding, visibleRowsOnly } = layout;
  return {
    headerLine,
    delimiter,
    ...(sheet && { sheet }),
    ...(encoding && { encoding }),
    ...(otherSheets.length > 0 && { otherSheets }),
    ...(visibleRowsOnly && { visibleRowsOnly }),
  };
}

/** Adds the sheet of an issue to its message, where several are read as one file. */
export const createLocating =
  ({ placeOf }: CsvContents) =>
  (issue: Issue): Issue =>
    placeOf === undefined || issue.line === 0
      ? issue
      : { ...issue, message: `${issue.message} (${redactText(placeOf(issue.line))})` };

interface Task {
  readonly operation: Operation;
  readonly settings: UploadSettings;
}

interface ReadNames {
  readonly own: readonly string[];
  readonly columnIndexes: Readonly<Record<string, number>>;
  readonly ownIndexes: readonly number[];
  readonly samples: readonly (readonly string[])[];
}

/** The secret columns of this and earlier readings, and an issue for each that a mapping calls something else. */
export function findSecrets({ own, columnIndexes, ownIndexes, samples }: ReadNames, csv: CsvContents, task: Task) {
  const { operation, settings } = task;
  const before = settings.secretReadings ?? [];
  const earlier = secretPlaces(before, csv, ownIndexes.length).flatMap((place) => ownIndexes[place] ?? []);
  const columns = { header: own, columnIndexes, earlier };
  const secret = findSecretColumns(columns, samples);
  const kept = findKeptColumns(columns);
  const places = [...secret].map((index) => ownIndexes.indexOf(index));
  const byName = columnIndexesOf(own, operation.columns);
  const issues = [...kept].flatMap((index) => {
    const [name] = Object.entries(columnIndexes).find(([, one]) => one === index) ?? [];
    const isCalled = name !== undefined && byName.get(name) !== index;
    if (!isCalled || operation.columns.some((column) => column.name === name && column.isSecret)) return [];
    const message = `"${own[index]?.trim()}" has PACs, so it cannot be read as ${name}. Leave it out of the mapping`;
    return [{ line: csv.headerLine, column: name, ...error('HEADER_UNKNOWN_MAPPING', message) }];
  });
  return { indexes: new Set([...secret, ...kept]), readings: addReading(before, csv, places), issues };
}
