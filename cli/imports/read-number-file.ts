// Reads a list of numbers, or of SIMs, from a file on this machine: a CSV or a workbook with such a column, or one of
// them on each line.
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { unguardFormula } from '#shared/files/csv/csv-row.ts';
import { createHeaderTest } from '#shared/files/header-words.ts';
import { columnIndexesOf } from '#shared/files/map-header.ts';
import { openUpload } from '#shared/files/open-upload.ts';
import { msisdnAliases, simAliases } from '#shared/operations/operation.ts';
import { type Msisdn, parseMsisdn } from '#shared/row/msisdn.ts';
import { count } from '#shared/text/wording.ts';
import { usageError } from '../context/cli-error.ts';
import type { Session } from '../target/target.ts';
import { readFileSize } from './upload.ts';

/** More than a command reads in some minutes. */
const mostNumbers = 100_000;
const numberColumn = { name: 'msisdn', aliases: msisdnAliases, required: true };
const simColumn = { name: 'serialNumber', aliases: ['serialNo', ...simAliases], required: true };

interface Listed {
  readonly line: number;
  /** As in the file. */
  readonly text: string;
}

export interface ListedNumber extends Listed {
  /** E.164 digits; undefined if the text is not a number. */
  readonly number: Msisdn | undefined;
  /** Why the text is not a number. */
  readonly problem: string | undefined;
}

/** @throws CliError (usage) for a file without numbers, or with too many */
export async function readNumberFile(session: Session, file: string): Promise<ListedNumber[]> {
  const { callingCode } = session.target.resources;
  const isNumber = (text: string) => parseMsisdn(text, { callingCode }).ok;
  const listed = await readList(session, file, [numberColumn], isNumber);
  const parsed = listed.map((entry): ListedNumber => {
    const number = parseMsisdn(entry.text, { callingCode });
    if (number.ok) return { ...entry, number: number.value, problem: undefined };
    return { ...entry, number: undefined, problem: number.finding.message };
  });
  if (parsed.some(({ number }) => number !== undefined)) return parsed;
  throw usageError(
    `"${file}" has no column of mobile numbers.`,
    'Name the column "msisdn", or write one on each line.',
  );
}

/** Serials of SIMs, or numbers where the file has no column of serials. @throws CliError (usage) as above */
export async function readSimFile(session: Session, file: string): Promise<Listed[]> {
  const listed = await readList(session, file, [simColumn, numberColumn], (text) => /\d{10}/.test(text));
  if (listed.length > 0) return listed;
  throw usageError(`"${file}" has no SIMs.`, 'Name the column "serialNumber" or "msisdn", or write one on each line.');
}

interface NamedColumn {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly required: boolean;
}

/** The filled cells of the first of these columns that the file has; without one, of the first cell that `isOne`. */
async function readList(
  session: Session,
  file: string,
  columns: readonly NamedColumn[],
  isOne: (text: string) => boolean,
): Promise<Listed[]> {
  await readFileSize(session, file);
  const source = createReadStream(resolve(session.folder, file));
  const tests = columns.map((column) => createHeaderTest([column]));
  const opened = await openUpload(source, { isHeader: (cells) => tests.some((isHeader) => isHeader(cells)) });
  if (!opened.ok) throw usageError(`"${file}" cannot be read: ${opened.issue.message}.`);
  const { header, headerLine, batches } = opened.value;
  const indexes = columnIndexesOf(header, columns);
  const named = columns.flatMap(({ name }) => indexes.get(name) ?? [])[0];
  const index = named ?? Math.max(0, header.findIndex(isOne));
  const listed: Listed[] = [];
  const add = (line: number, cells: readonly string[]) => {
    const text = unguardFormula((cells[index] ?? '').trim());
    if (text !== '') listed.push({ line, text });
  };
  if (named === undefined) add(headerLine, header);
  for await (const { lines, cellsOf } of batches) for (const [at, line] of lines.entries()) add(line, cellsOf(at));
  if (listed.length <= mostNumbers) return listed;
  throw usageError(`"${file}" has ${count(listed.length)} rows.`, `Split it: at most ${count(mostNumbers)} each.`);
}
