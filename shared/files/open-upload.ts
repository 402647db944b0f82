// Recognises files with the same header, for which a person saved how they are read.

import type { OperationName } from '#shared/domain/imports/operation-name.ts';
import { shortId } from '#shared/domain/text/short-id.ts';
import type { SavedSettings } from '#shared/import/saved-settings.ts';
import { fitSheets } from '#shared/items/saved-sheets.ts';
import { redactText } from '#shared/row/redact.ts';
import { openUpload } from '#shared/workbook/open-upload.ts';
import { createHeaderTest } from './map-header.ts';

interface Operation {
  readonly name: OperationName;
  readonly columns: Parameters<typeof createHeaderTest>[0];
}

/** null: the first row of a file without a header may contain a PAC. */
export const headerIdOf = (operation: OperationName, header: readonly string[]): string | null =>
  header.some((cell) => redactText(cell) !== cell)
    ? null
    : shortId(['header', operation, ...header.map((cell) => cell.trim())]);

interface DetectedHeader {
  readonly headerId: string | null;
  /** The names of all sheets of a workbook. */
  readonly sheets: readonly string[];
}

/** The header as it is detected without settings: a person may have chosen another row or sheet for it. */
export async function detectHeader(
  source: AsyncIterable<Uint8Array>,
  { name, columns }: Operation,
  checkTime: () => void,
): Promise<DetectedHeader> {
  const opened = await openUpload(source, { isHeader: createHeaderTest(columns), rows: 'first', checkTime });
  if (!opened.ok) return { headerId: null, sheets: [] };
  const { header, sheets = [], close } = opened.value;
  await close();
  return { headerId: headerIdOf(name, header), sheets };
}

export const isFor = ({ savedId, settings }: SavedSettings, { headerId, sheets }: DetectedHeader): boolean =>
  savedId === headerId && fitSheets(settings, sheets);
