// Which rows of a first file were answered, by its import or by one of its parts.
import type { ImportItem } from '#shared/import/import.ts';
import type { Outcome } from '#shared/outcome/outcome.ts';
import { type LinesReader, openOutcomesByLine } from './outcomes-by-line.ts';
import { foldWithPart, type KeepCells, type PartRow, readPartRows, readRowParts } from './parts.ts';

export interface AnsweredRow {
  readonly importId: string;
  /** The row was sent as a part has it, and not with the cells of the first file. */
  readonly isChanged: boolean;
}

export interface AnsweredRows {
  /** Whether a part has answered the row. */
  byPart(line: number): boolean;
  /** Those of these rows that are answered, by line. */
  of(lines: Iterable<number>): Promise<ReadonlyMap<number, AnsweredRow>>;
  /** The rows that parts have sent with cells of their own, and what was kept of these. */
  changed(): Iterable<readonly [line: number, kept: string]>;
}

interface WithOutcome {
  readonly outcome: Outcome;
}

/**
 * @param isAnswer whether a row with this outcome is answered
 * @param except the import that is being planned
 * @param keepCells by the columns of the part: it may have one that the first file lacks
 */
export async function openAnsweredRows(
  first: ImportItem,
  reader: LinesReader,
  isAnswer: (outcome: Outcome) => boolean,
  except: string,
  keepCells?: KeepCells,
): Promise<AnsweredRows> {
  const parts = await readPartRows(first, await readRowParts(first, reader.imports, except), reader, keepCells);
  const own = openOutcomesByLine(first, reader);
  const isAnswered = (part: PartRow | undefined): boolean =>
    part !== undefined && part.isNote !== true && isAnswer(part.result.outcome);

  const answerTo = (line: number, ofImport: WithOutcome): AnsweredRow | undefined => {
    const part = parts.get(line);
    const shown = foldWithPart(ofImport, part);
    if (!isAnswer(shown.outcome)) return undefined;
    if (shown === ofImport || part === undefined) return { importId: first.importId, isChanged: false };
    return { importId: part.importId, isChanged: part.cells !== undefined };
  };

  return {
    byPart: (line) => isAnswered(parts.get(line)),
    of: async (lines) => {
      const asked = [...new Set(lines)];
      const outcomes = await own.of(asked);
      const answers = new Map<number, AnsweredRow>();
      for (const line of asked) {
        // The import itself has not sent any other row.
        const answer = answerTo(line, { outcome: outcomes.get(line) ?? 'rejected' });
        if (answer !== undefined) answers.set(line, answer);
      }
      return answers;
    },
    changed: function* () {
      for (const [line, part] of parts) if (isAnswered(part) && part.cells !== undefined) yield [line, part.cells];
    },
  };
}
