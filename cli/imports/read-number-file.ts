// Reads a list of numbers from a file on this machine: a CSV or a workbook with a column of numbers, or one number on
// each line.
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { unguardFormula } from '#shared/csv/csv-row.ts';
import { createHeaderTest, mapHeader } from '#shared/csv/map-header.ts';
import type { CsvContents } from '#shared/csv/record-batch.ts';
import { type Msisdn, parseMsisdn } from '#shared/domain/numbers/msisdn.ts';
import { count } from '#shared/domain/text/counted.ts';
import { msisdnAliases } from '#shared/operations/kit/column.ts';
import { openUpload } from '#shared/workbook/open-upload.ts';
import { usageError } from '../context/cli-error.ts';
import type { Session } from '../target/target.ts';
import { readFileSize } from './upload.ts';

/** More than a command reads in some minutes. */
const mostNumbers = 100_000;
const columns = [{ name: 'msisdn', aliases: msisdnAliases, required: true }];

export interface ListedNumber {
  readonly line: number;
  /** As in the file. */
  readonly text: string;
  /** E.164 digits; undefined where the text is no number. */
  readonly number: Msisdn | undefined;
  /** Why it is none. */
  readonly problem: string | undefined;
}

/** @throws CliError (usage) for a file without numbers, or with too many */
export async function readNumberFile(session: Session, file: string): Promise<ListedNumber[]> {
  await readFileSize(session, file);
  const source = createReadStream(resolve(session.folder, file));
  const opened = await openUpload(source, { isHeader: createHeaderTest(columns) });
  if (!opened.ok) throw usageError(`"${file}" cannot be read: ${opened.issue.message}.`);
  const { value: contents } = opened;
  const { callingCode } = session.target.resources;
  const { index, rows } = await readRows(contents, callingCode);
  const listed = rows.flatMap(({ line, cells }): ListedNumber[] => {
    const text = unguardFormula((cells[index] ?? '').trim());
    if (text === '') return [];
    const parsed = parseMsisdn(text, { callingCode });
    return [
      { line, text, ...(parsed.ok ? { number: parsed.value, problem: undefined } : wrong(parsed.finding.message)) },
    ];
  });
  if (listed.length > mostNumbers) {
    throw usageError(`"${file}" has ${count(listed.length)} numbers.`, `Split it: at most ${count(mostNumbers)} each.`);
  }
  if (listed.some(({ number }) => number !== undefined)) return listed;
  throw usageError(
    `"${file}" has no column of mobile numbers.`,
    'Name the column "msisdn", or write one on each line.',
  );
}

const wrong = (problem: string) => ({ number: undefined, problem });

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The rows and the index of the cell with the number. Without a header the first row has a number, too. */
async function readRows(contents: CsvContents, callingCode: string): Promise<{ index: number; rows: Row[] }> {
  const { header, headerLine } = contents;
  const rows: Row[] = [];
  for await (const { lines, cellsOf } of contents.batches) {
    for (const [at, line] of lines.entries()) rows.push({ line, cells: [...cellsOf(at)] });
  }
  const named = mapHeader(header, columns).indexes.get('msisdn');
  if (named !== undefined) return { index: named, rows };
  const first = header.findIndex((cell) => parseMsisdn(cell, { callingCode }).ok);
  return { index: Math.max(0, first), rows: [{ line: headerLine, cells: header }, ...rows] };
}
