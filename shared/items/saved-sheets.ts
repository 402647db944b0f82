import type { FileSettings } from '#shared/import/saved-settings.ts';

/** Whether saved settings fit a workbook with these sheets: that of the next month may have others. */
export const fitSheets = (
  { sheet, otherSheets = [] }: Pick<FileSettings, 'sheet' | 'otherSheets'>,
  sheets: readonly string[],
): boolean => [...(sheet ? [sheet] : []), ...otherSheets].every((name) => sheets.includes(name));
