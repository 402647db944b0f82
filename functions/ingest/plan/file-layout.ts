// How a file is read: where its rows are, in which of its sheets an issue is, which of its columns are secret, and what
// a later row changes.

import { findRecordThatAsks } from '#shared/files/column-values.ts';
import type { CsvContents, RecordBatch } from '#shared/files/csv/record-batch.ts';
import { columnIndexesOf, type HeaderMap } from '#shared/files/map-header.ts';
import type { RowsForDates } from '#shared/files/recognise-dates.ts';
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

// A later row can change how the file must be read. The file is then read again from its start.

/** What an earlier reading of the file found behind its first rows. */
export interface LaterRows {
  readonly rowsForDates: RowsForDates;
  /** Those that ask what a column is. */
  readonly samples: readonly (readonly string[])[];
}

/** A later row has a date that contradicts the order in which the first rows were read. */
export class ContradictingDate extends Error {
  override readonly name = 'ContradictingDate';
}

/** A later row has a value with which the file asks what a column is. */
class LateValue extends Error {
  override readonly name = 'LateValue';
  readonly record: readonly string[];

  constructor(record: readonly string[]) {
    super();
    this.record = record;
  }
}

/** @throws LateValue */
export function checkLateValues(batch: RecordBatch, { watched }: HeaderMap): void {
  const late = findRecordThatAsks(batch, watched);
  if (late !== undefined) throw new LateValue(late);
}

/** Plans again until no further row changes how the file must be read. */
export async function withLaterRows<Plan>(plan: (laterRows: LaterRows) => Promise<Plan>): Promise<Plan> {
  let laterRows: LaterRows = { rowsForDates: 'first', samples: [] };
  for (;;) {
    try {
      return await plan(laterRows);
    } catch (error) {
      if (error instanceof ContradictingDate) laterRows = { ...laterRows, rowsForDates: 'all' };
      else if (error instanceof LateValue) laterRows = { ...laterRows, samples: [...laterRows.samples, error.record] };
      else throw error;
    }
  }
}
