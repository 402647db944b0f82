// Reads several sheets as one: the rows of the later ones follow, with their cells in the columns of the same name.
import { FileError } from '#shared/files/csv/decode-text.ts';
import type { CsvContents } from '#shared/files/csv/record-batch.ts';
import { normalizeName } from '#shared/files/header-words.ts';
import { type Issue, notice, warning } from '#shared/row/issue.ts';
import { redactText } from '#shared/row/redact.ts';
import { counted } from '#shared/text/wording.ts';
import type { RowDoubt, SheetRow } from './sheet-rows.ts';
import type { SheetPart } from './workbook-parts.ts';

export interface SheetToJoin {
  readonly name: string;
  readonly header: readonly string[];
  /** The row of its header. */
  readonly headerRow: number;
  /** Adds `offset` to the numbers of its rows. */
  readonly rows: (offset: number) => AsyncIterable<readonly SheetRow[]>;
}

interface SheetStart {
  readonly name: string;
  readonly headerRow: number;
  /** Its row 1 is the line after this one. */
  readonly offset: number;
}

export interface JoinedSheets {
  readonly rows: AsyncIterable<readonly SheetRow[]>;
  /** Where each sheet starts; complete once all rows are read. */
  readonly starts: readonly SheetStart[];
  /** The sheets behind the first one. */
  readonly others: NonNullable<CsvContents['otherSheets']>;
}

/** What is above the header of the first sheet stays; of the others, only the rows below their headers are read. */
export function joinSheets(sheets: readonly SheetToJoin[]): JoinedSheets {
  const starts: SheetStart[] = [];
  const { header, places } = joinHeaders(sheets.map((sheet) => sheet.header));
  async function* rows(): AsyncGenerator<readonly SheetRow[]> {
    let last = 0;
    for (const [index, sheet] of sheets.entries()) {
      const { name, headerRow } = sheet;
      const offset = last;
      starts.push({ name, headerRow, offset });
      const place = createPlacing(places[index] ?? [], header.length);
      for await (const batch of rowsOf(sheet, offset)) {
        last = batch.at(-1)?.number ?? last;
        const below = batch.filter(({ number }) => number - offset > headerRow);
        const placed = place === undefined ? below : below.map(place);
        yield index === 0 ? [...upToHeader(batch, headerRow, header), ...placed] : placed;
      }
    }
  }
  const others = sheets.slice(1).map(({ name, headerRow }) => ({ sheet: name, headerLine: headerRow }));
  return { rows: rows(), starts, others };
}

/** With the columns of all sheets. */
const upToHeader = (batch: readonly SheetRow[], headerRow: number, header: readonly string[]): SheetRow[] =>
  batch
    .filter(({ number }) => number <= headerRow)
    .map((row) => (row.number === headerRow ? { ...row, cells: header } : row));

/** An error about a row names it as the joined file does. */
async function* rowsOf({ rows }: SheetToJoin, offset: number): AsyncGenerator<readonly SheetRow[]> {
  try {
    yield* rows(offset);
  } catch (error) {
    if (!(error instanceof FileError) || error.issue.line === 0) throw error;
    const { code, message, line } = error.issue;
    throw new FileError(code, message, line + offset);
  }
}

/** All columns of the sheets, and of each sheet where its cells belong. */
function joinHeaders(headers: readonly (readonly string[])[]) {
  const joined: string[] = [];
  const placeOf = new Map<string, number>();
  const places = headers.map((cells) => {
    const counts = new Map<string, number>();
    return cells.map((cell) => {
      const name = normalizeName(cell);
      const copy = (counts.get(name) ?? 0) + 1;
      counts.set(name, copy);
      const key = `${copy} ${name}`;
      const place = placeOf.get(key) ?? joined.push(cell) - 1;
      placeOf.set(key, place);
      return place;
    });
  });
  return { header: joined, places };
}

/** Cells beyond the header stay beyond it. undefined: all cells are in their place. */
function createPlacing(places: readonly number[], width: number) {
  if (places.length === width && places.every((place, index) => place === index)) return undefined;
  return ({ number, cells, dates }: SheetRow): SheetRow => {
    const placed: string[] = new Array(width).fill('');
    for (const [index, cell] of cells.entries()) {
      const place = places[index];
      if (place === undefined) placed.push(cell);
      else placed[place] = cell;
    }
    return { number, cells: placed, dates: dates?.flatMap((index) => places[index] ?? []) };
  };
}

// Notices about the sheets that were read, and about sheets and rows that were not.

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
  reading: SheetReading & JoinedSheets,
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
