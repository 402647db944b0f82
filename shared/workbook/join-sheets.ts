// Reads several sheets as one: the rows of the later ones follow, with their cells in the columns of the same name.
import { FileError } from '#shared/csv/file-error.ts';
import type { CsvContents } from '#shared/csv/record-batch.ts';
import { normalizeName } from '#shared/files/header-words.ts';
import type { SheetRow } from '#shared/files/workbook/sheet-rows.ts';

export interface SheetToJoin {
  readonly name: string;
  readonly header: readonly string[];
  /** The row of its header. */
  readonly headerRow: number;
  /** Adds `offset` to the numbers of its rows. */
  readonly rows: (offset: number) => AsyncIterable<readonly SheetRow[]>;
}

export interface SheetStart {
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
        const placed =
          place === undefined ? below : below.map(({ number, cells }) => ({ number, cells: place(cells) }));
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
  return (cells: readonly string[]): readonly string[] => {
    const placed: string[] = new Array(width).fill('');
    for (const [index, cell] of cells.entries()) {
      const place = places[index];
      if (place === undefined) placed.push(cell);
      else placed[place] = cell;
    }
    return placed;
  };
}
