// Where the rows of a file are: how it was read, and in which of its sheets an issue is.
import type { CsvContents } from '#shared/csv/record-batch.ts';
import type { UploadSettings } from '#shared/csv/upload-settings.ts';
import type { Issue } from '#shared/domain/imports/issue.ts';
import { redactText } from '#shared/domain/text/redact.ts';

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
