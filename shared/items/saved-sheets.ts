/** Whether saved settings fit a workbook with these sheets: that of the next month may have others. */
export const fitSheets = (
  {
    sheet,
    otherSheets = [],
  }: { readonly sheet?: string | undefined; readonly otherSheets?: readonly string[] | undefined },
  sheets: readonly string[],
): boolean => [...(sheet ? [sheet] : []), ...otherSheets].every((name) => sheets.includes(name));
