// simporter numbers FILE: what happened to each number of a list.

import { type Outcome, outcomeOrder, problemOutcomes } from '#shared/outcome/outcome.ts';
import type { NumberDetails } from '#shared/results/answers.ts';
import { readManyNumbers } from '#shared/results/numbers.ts';
import { count, counted } from '#shared/text/wording.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { type ListedNumber, readNumberFile } from '../imports/read-number-file.ts';
import { saveTable } from '../imports/save-report.ts';
import { addFileOptions, type FileOptions, writesFile } from '../options/common-options.ts';
import { printJsonLine } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import type { Session } from '../target/target.ts';
import { outcomeColumn } from '../views/outcomes-view.ts';

export const configure: ConfigureCommand = (command, { onTarget }) =>
  addFileOptions(
    command.argument('<file>', 'a CSV or a workbook with a column of numbers, or one number on each line'),
    'write the answer for every number',
  ).action(
    onTarget<[string, FileOptions]>(async (session, file, files) => {
      const answers = await answerAll(session, await readNumberFile(session, file));
      if (writesFile(files)) await saveTable(session, sheetOf(answers), files, answers.length);
      else await (session.json ? print(session, answers) : show(session, file, answers));
      return answers.some(isProblem) ? exitCodes.actionRequired : exitCodes.done;
    }),
  );

async function print(session: Session, answers: readonly Answer[]): Promise<void> {
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

const header = [
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

const sheetOf = (answers: readonly Answer[]) => ({ header, rows: rowsOf(answers) });

const shownProblems = 20;
const columns: readonly TableColumn[] = [
  { header: 'line', align: 'right' },
  { header: 'number' },
  outcomeColumn,
  { header: 'message', wraps: true },
];

async function show({ terminal }: Session, file: string, answers: readonly Answer[]): Promise<void> {
  const problems = answers.filter(isProblem);
  const shown = problems.slice(0, shownProblems).map((answer) => {
    const [line = '', number = '', outcome = '', , message = ''] = cellsOf(answer);
    return [line, number, outcome, message];
  });
  await terminal.lines([
    `${counted(answers.length, 'number')}: ${describeOutcomes(answers)}`,
    ...(shown.length === 0 ? [] : ['', ...formatTable(columns, shown, terminal)]),
  ]);
  const more = problems.length - shown.length;
  const all = nextCommand('numbers', file, '--csv', 'answers.csv');
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
