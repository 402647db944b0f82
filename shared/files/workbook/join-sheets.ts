// Notices about the sheets that were read, and about sheets and rows that were not.

import { counted } from '#shared/domain/text/counted.ts';
import { type Issue, notice, warning } from '#shared/row/issue.ts';
import { redactText } from '#shared/row/redact.ts';
import type { JoinedSheets, SheetStart } from '#shared/workbook/join-sheets.ts';
import type { RowDoubt } from './sheet-rows.ts';
import type { SheetPart } from './workbook-parts.ts';

export interface SheetReading {
  /** Those of the workbook that a person can see. */
  readonly all: readonly SheetPart[];
  readonly sheets: readonly SheetPart[];
  /** Those that the user named, and that have no header. */
  readonly withoutHeader: SheetPart[];
  /** The lines that a person may mean to leave out. Complete once all rows are read. */
  readonly doubtful: Readonly<Record<RowDoubt, number[]>>;
  readonly visibleRowsOnly: boolean | undefined;
  readonly startsIn1904: boolean;
  /** Their numbers, from 1. Complete once all rows are read. */
  readonly hiddenColumns: { readonly sheet: string; readonly first: number; readonly last: number }[];
  /** How many columns the sheets have, as far as they state it. */
  readonly widths: number[];
  /** Rows with texts beside the table. */
  readonly surplusRows: number[];
}

export function sheetNotices(
  reading: SheetReading & Pick<JoinedSheets, 'starts'>,
  headerLine: number,
  header: readonly string[],
): Issue[] {
  const { doubtful, visibleRowsOnly, starts } = reading;
  const isBelowHeader = (line: number): boolean => {
    const start = startOf(line, starts);
    return start === undefined ? line > headerLine : line - start.offset > start.headerRow;
  };
  const placeOf = (line: number) => describePlace(line, starts) ?? String(line);
  const ofRows = doubts.flatMap((doubt) =>
    doubtfulRows(doubt, doubtful[doubt].filter(isBelowHeader), placeOf, visibleRowsOnly),
  );
  return [
    ...chosenSheets(reading, starts),
    ...ofRows,
    ...hiddenColumns(reading, header),
    ...surplusRows(reading.surplusRows, placeOf),
  ];
}

const startOf = (line: number, starts: readonly SheetStart[]): SheetStart | undefined =>
  starts.findLast(({ offset }) => offset < line);

/** undefined: one sheet is read, whose rows are the lines. */
export function describePlace(line: number, starts: readonly SheetStart[]): string | undefined {
  const start = starts.length > 1 ? startOf(line, starts) : undefined;
  return start && `row ${line - start.offset} of "${start.name}"`;
}

const ofFile = (finding: ReturnType<typeof notice>): Issue => ({ line: 0, column: null, ...finding });

function chosenSheets({ all, sheets, withoutHeader }: SheetReading, starts: readonly SheetStart[]): Issue[] {
  const issues: Issue[] = [];
  const named = new Set([...sheets, ...withoutHeader]);
  const others = all.filter((one) => !named.has(one)).map(({ name }) => `"${name}"`);
  const also = others.length === 0 ? '' : `. The workbook also has ${others.join(', ')}: --sheet NAME`;
  if (starts.length > 1) {
    const list = starts.map(describeStart).join('; ');
    issues.push(ofFile(notice('FILE_SHEET_CHOSEN', `${starts.length} sheets were read as one file: ${list}${also}`)));
  } else if (others.length > 0) {
    issues.push(ofFile(notice('FILE_SHEET_CHOSEN', `the sheet "${sheets[0]?.name}" was read${also}`)));
  }
  for (const { name } of withoutHeader) {
    const message = `the sheet "${name}" has no header with columns of the operation, so none of its rows was read`;
    issues.push(ofFile(warning('FILE_SHEET_CHOSEN', message)));
  }
  return issues;
}

/** Where the rows of a sheet are among those of all sheets. */
const describeStart = ({ name, offset, headerRow }: SheetStart): string =>
  offset === 0 ? `"${name}"` : `"${name}", of which row ${headerRow + 1} is line ${offset + headerRow + 1}`;

/** Rows and columns that a person does not see are imported as well. */
function hiddenColumns({ hiddenColumns, sheets }: SheetReading, header: readonly string[]): Issue[] {
  const [sheet] = sheets;
  const indexes = hiddenColumns
    .filter((one) => one.sheet === sheet?.name)
    .flatMap(({ first, last }) => [...header.keys()].slice(first - 1, last));
  const named = [...new Set(indexes)].filter((index) => header[index]?.trim() !== '');
  if (named.length === 0) return [];
  const shown = named.slice(0, shownRows).map((index) => `"${redactText(header[index]?.trim() ?? '')}"`);
  const more = named.length > shownRows ? ` and ${counted(named.length - shownRows, 'other')}` : '';
  const columns = `${counted(named.length, 'column')} that the workbook hides`;
  const message = `${columns} ${named.length === 1 ? 'is' : 'are'} read like the others: ${shown.join(', ')}${more}`;
  return [ofFile(warning('FILE_ROWS_HIDDEN', message))];
}

/** A remark far below that nothing else shows. */
function surplusRows(lines: readonly number[], placeOf: (line: number) => string): Issue[] {
  const [first] = lines;
  if (first === undefined) return [];
  const shown = lines.slice(0, shownRows).map(placeOf).join(', ');
  const more = lines.length > shownRows ? ` and ${counted(lines.length - shownRows, 'other')}` : '';
  const message = `${counted(lines.length, 'row')} with a text beside the table, which was not read: line ${shown}${more}`;
  return [{ line: first, column: null, ...notice('HEADER_COLUMNS_NOT_USED', message) }];
}

const shownRows = 10;

const doubts = ['hidden', 'struckOut', 'partlyStruckOut'] as const;
const wordsOf = { hidden: 'hides or filters out', struckOut: 'strikes out' } as const;

/** These rows are sent like others unless the user leaves them out, so the notice names them. */
function doubtfulRows(
  doubt: RowDoubt,
  lines: readonly number[],
  placeOf: (line: number) => string,
  visibleRowsOnly = false,
): Issue[] {
  const [first] = lines;
  if (first === undefined) return [];
  const shown = lines.slice(0, shownRows).map(placeOf).join(', ');
  const more = lines.length > shownRows ? ` and ${counted(lines.length - shownRows, 'other')}` : '';
  const where = `${lines.length === 1 ? 'line' : 'lines'} ${shown}${more}`;
  const rows = counted(lines.length, 'row');
  if (doubt === 'partlyStruckOut') {
    const message = `${rows} ${lines.length === 1 ? 'has' : 'have'} struck-out cells, which are imported too: ${where}`;
    return [{ line: first, column: null, ...warning('FILE_ROWS_HIDDEN', `${message}. Empty what you do not mean`) }];
  }
  const which = `${rows} that the workbook ${wordsOf[doubt]}`;
  const verb = lines.length === 1 ? 'is' : 'are';
  const finding = visibleRowsOnly
    ? notice('FILE_ROWS_HIDDEN', `${which} ${verb} left out: ${where}`)
    : warning('FILE_ROWS_HIDDEN', `${which} ${verb} imported too: ${where}. To leave them out: --visible-rows-only`);
  return [{ line: first, column: null, ...finding }];
}
