// simporter number TEXT: what happened to a number, or to each number of a file; or where a SIM or another text of a
// file is. simporter numbers FILE is another name of it.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { shortestSearch } from '#shared/api/agreed-names.ts';
import { type Outcome, outcomeOrder, problemOutcomes } from '#shared/outcome/outcome.ts';
import type { NumberDetails } from '#shared/results/answers.ts';
import { type FoundRow, findRows, type SearchPlace } from '#shared/results/find-rows.ts';
import { readManyNumbers, readNumberDetails } from '#shared/results/numbers.ts';
import { parseMsisdn } from '#shared/row/msisdn.ts';
import { count, counted } from '#shared/text/wording.ts';
import { notFoundError, usageError } from '../context/cli-error.ts';
import { type ConfigureCommand, type ExitCode, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import type { ListedNumber } from '../imports/read-number-file.ts';
import { saveTable } from '../imports/save-report.ts';
import { addFileOptions, type FileOptions, writesFile } from '../options/common-options.ts';
import { printJson, printJsonLine } from '../output/json.ts';
import { formatPairs, formatTable, type TableColumn } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { formatInstant, wrap } from '../output/text.ts';
import type { Session } from '../target/target.ts';
import { formatHistory, outcomeColumn } from '../views/import-view.ts';

const whatIsWritten = 'of a file: write the answer for every number';

export const configureNumber: ConfigureCommand = (command, { onTarget }) =>
  addFileOptions(
    command.argument('<text>', 'a number in any notation, a SIM, an own reference of a file, or a file of numbers'),
    whatIsWritten,
  ).action(
    onTarget<[string, FileOptions]>(async (session, text, files) => {
      const { target, json, terminal } = session;
      const parsed = parseMsisdn(text, target.resources);
      if (await isList(session, text, parsed.ok, files)) return answerFile(session, text, files);
      const details = parsed.ok ? await readNumberDetails(target, parsed.value) : undefined;
      if (details === undefined) return searchRows(session, text, parsed);
      if (json) await printJson(session, details);
      else await terminal.lines(describeNumber(details, terminal));
      return problemOutcomes.includes(details.outcome) ? exitCodes.actionRequired : exitCodes.done;
    }),
  );

/** `number` with a file. */
export const configureNumbers: ConfigureCommand = (command, { onTarget }) =>
  addFileOptions(
    command.argument('<file>', 'a CSV or a workbook with a column of numbers, or one number on each line'),
    whatIsWritten,
  ).action(onTarget<[string, FileOptions]>(answerFile));

/**
 * Whether the text is the name of a file of numbers: a text that reads as a number never is.
 * @throws CliError (usage) where a file is to be written of one number
 */
async function isList({ folder }: Session, text: string, isNumber: boolean, files: FileOptions): Promise<boolean> {
  if (isNumber && writesFile(files))
    throw usageError(
      `--csv and --xlsx need a file of numbers: ${text} is one number.`,
      'Use --json to read the answer.',
    );
  if (isNumber || writesFile(files)) return !isNumber;
  const found = await stat(resolve(folder, text)).catch(() => undefined);
  return found?.isFile() === true;
}

// A text that no import has sent as a number: a SIM, an own reference, or the number of a row that was not sent.

/** A person narrows the text down then. */
const mostRows = 100;

/** @throws CliError (not found) where no row has the text */
async function searchRows(
  session: Session,
  written: string,
  parsed: ReturnType<typeof parseMsisdn>,
): Promise<ExitCode> {
  const { target, json, terminal } = session;
  const text = written.trim();
  if (text.length < shortestSearch)
    throw usageError(
      `"${text}" is no number, and too short to search for: give at least ${shortestSearch} characters.`,
    );
  const rows: FoundRow[] = [];
  let [searched, withoutResults] = [0, 0];
  let next: SearchPlace | undefined;
  do {
    const found = await findRows(target, text, next);
    rows.push(...found.rows);
    searched += found.searched;
    withoutResults += found.withoutResults;
    next = found.next;
  } while (next !== undefined && rows.length < mostRows);
  const where = `${counted(searched, 'import')} searched${withoutResults > 0 ? `, ${count(withoutResults)} without results` : ''}`;
  if (rows.length === 0)
    throw notFoundError(
      `${parsed.ok ? `No import has ported +${parsed.value}` : `"${text}" is not a number: ${parsed.finding.message}`}. No row has it: ${where}.`,
      `Rows that were just planned have no results yet. To see the invalid rows of an import: ${nextCommand('rejected', 'IMPORT')}`,
    );
  const shown = { text, searched, withoutResults, isComplete: next === undefined, rows };
  if (json) await printJson(session, shown);
  else await terminal.lines(formatTable(foundColumns, rows.map(describeFound), terminal));
  if (!json)
    terminal.note(
      `\n${counted(rows.length, 'row')}: ${where}${next === undefined ? '' : ', and there are older ones'}.`,
    );
  return rows.some(({ outcome }) => problemOutcomes.includes(outcome)) ? exitCodes.actionRequired : exitCodes.done;
}

const foundColumns: readonly TableColumn[] = [
  { header: 'import' },
  { header: 'file', wraps: true },
  { header: 'line', align: 'right' },
  { header: 'column', wraps: true },
  { header: 'value', wraps: true },
  outcomeColumn,
  { header: 'message', wraps: true },
];

const describeFound = ({ importId, file, line, column, cell, outcome, message }: FoundRow): string[] => [
  importId,
  file,
  String(line),
  column ?? '',
  cell ?? '',
  outcome,
  message,
];

const earlierColumns: readonly TableColumn[] = [
  { header: 'earlier import' },
  { header: 'line' },
  { header: 'claimed (UTC)' },
];

function describeNumber(number: NumberDetails, { width, paint }: Terminal): string[] {
  const { portId, portStatus, importId, request, requestState, file, line, submittedAt } = number;
  const pairs = formatPairs(
    [
      ['number', `+${number.number}`],
      ['outcome', number.outcome],
      ['status', number.status ?? undefined],
      ['message', number.message ?? undefined],
      ['what to do', number.whatToDo ?? undefined],
      ['port', portId === null ? undefined : `${portId} (${portStatus ?? 'not read yet'})`],
      ['request', `${request} of import ${importId} (${requestState ?? 'not recorded'})`],
      ['file', `${file ?? 'unknown'}, line ${line}`],
      ['submitted', submittedAt === null ? undefined : `${formatInstant(submittedAt)} UTC`],
    ],
    { width, paint },
  );
  const earlier = number.earlierImports.map((one) => [one.importId, String(one.line), formatInstant(one.claimedAt)]);
  const earlierLines = earlier.length === 0 ? [] : ['', ...formatTable(earlierColumns, earlier, { width, paint })];
  const later = number.laterImports.flatMap((one) =>
    wrap(`Not sent again: ${one.outcome} in import ${one.importId}, line ${one.line}. ${one.message}`, width),
  );
  const laterLines = later.length === 0 ? [] : ['', ...later];
  return [...pairs, ...formatHistory(number.history, { width, paint }), ...earlierLines, ...laterLines];
}

// A list of numbers.

async function answerFile(session: Session, file: string, files: FileOptions): Promise<ExitCode> {
  // Loaded only here: one number needs no reader of files.
  const { readNumberFile } = await import('../imports/read-number-file.ts');
  const answers = await answerAll(session, await readNumberFile(session, file));
  if (writesFile(files)) await saveTable(session, sheetOf(answers), files, answers.length);
  else await (session.json ? printAnswers(session, answers) : showAnswers(session, file, answers));
  return answers.some(isProblem) ? exitCodes.actionRequired : exitCodes.done;
}

async function printAnswers(session: Session, answers: readonly Answer[]): Promise<void> {
  for (const answer of answers) await printJsonLine(session, answer);
}

async function answerAll({ target }: Session, listed: readonly ListedNumber[]): Promise<Answer[]> {
  const numbers = listed.flatMap(({ number }) => number ?? []);
  const found = await readManyNumbers(target, numbers);
  return listed.map((entry) => toAnswer(entry, entry.number === undefined ? undefined : found.get(entry.number)));
}

function toAnswer({ line, text, number, problem }: ListedNumber, details: NumberDetails | undefined) {
  const message = problem ?? details?.message ?? (details === undefined ? 'No import has ported this number' : null);
  return {
    line,
    text,
    number: number ?? null,
    outcome: details?.outcome ?? null,
    message,
    status: details?.status ?? null,
    whatToDo: details?.whatToDo ?? null,
    importId: details?.importId ?? null,
    importLine: details?.line ?? null,
    file: details?.file ?? null,
    portId: details?.portId ?? null,
  };
}

type Answer = ReturnType<typeof toAnswer>;

const isProblem = ({ outcome }: Answer): boolean =>
  outcome === null || (problemOutcomes as readonly string[]).includes(outcome);

const answerHeader = [
  'line',
  'number',
  'outcome',
  'status',
  'message',
  'whatToDo',
  'importId',
  'importLine',
  'file',
  'portId',
];

const cellsOf = (answer: Answer): string[] => [
  String(answer.line),
  answer.number === null ? answer.text : `+${answer.number}`,
  ...[answer.outcome ?? 'not imported', answer.status, answer.message, answer.whatToDo].map((text) => text ?? ''),
  ...[answer.importId, answer.importLine, answer.file, answer.portId].map((value) => String(value ?? '')),
];

async function* rowsOf(answers: readonly Answer[]): AsyncIterable<string[][]> {
  yield answers.map(cellsOf);
}

const sheetOf = (answers: readonly Answer[]) => ({ header: answerHeader, rows: rowsOf(answers) });

const shownProblems = 20;
const answerColumns: readonly TableColumn[] = [
  { header: 'line', align: 'right' },
  { header: 'number' },
  outcomeColumn,
  { header: 'message', wraps: true },
];

async function showAnswers({ terminal }: Session, file: string, answers: readonly Answer[]): Promise<void> {
  const problems = answers.filter(isProblem);
  const shown = problems.slice(0, shownProblems).map((answer) => {
    const [line = '', number = '', outcome = '', , message = ''] = cellsOf(answer);
    return [line, number, outcome, message];
  });
  await terminal.lines([
    `${counted(answers.length, 'number')}: ${describeOutcomes(answers)}`,
    ...(shown.length === 0 ? [] : ['', ...formatTable(answerColumns, shown, terminal)]),
  ]);
  const more = problems.length - shown.length;
  const all = nextCommand('number', file, '--csv', 'answers.csv');
  terminal.note(more > 0 ? `and ${count(more)} more. To write all: ${all}` : `To write all of them: ${all}`);
}

/** `300 complete, 2 rejected, 1 not imported` */
function describeOutcomes(answers: readonly Answer[]): string {
  const tally = new Map<Outcome | null, number>();
  for (const { outcome } of answers) tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
  return [...outcomeOrder, null]
    .flatMap((outcome) =>
      tally.has(outcome) ? [`${count(tally.get(outcome) ?? 0)} ${outcome ?? 'not imported'}`] : [],
    )
    .join(', ');
}
