// simporter corrections IMPORT: the rows that were declined or need a new PAC, shown or written as a file to fix and
// import.
import { Option } from 'commander';
import type { ImportItem } from '#shared/import/import.ts';
import {
  type CorrectionCounts,
  countCorrections,
  readCorrections,
  streamCorrectionCsv,
} from '#shared/results/correction-rows.ts';
import { openCorrectionTable } from '#shared/results/import-files.ts';
import { type OperationName, operationNames } from '#shared/text/identity.ts';
import { counted } from '#shared/text/wording.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import { hasPacs, saveFile, saveWorkbook } from '../imports/save-report.ts';
import { addFileOptions, type FileOptions, importArgument } from '../options/common-options.ts';
import { printJson, printJsonLine } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import type { Session } from '../target/target.ts';
import { saveCorrections } from '../views/actions-view.ts';

interface CorrectionsOptions extends FileOptions {
  readonly operation?: OperationName;
}

export const configure: ConfigureCommand = (command, { onTarget }) =>
  addFileOptions(command.argument(...importArgument), 'write them: fix the rows and import the file')
    .addOption(
      new Option(
        '--operation <name>',
        'which file of create-port: update-port has the rows that need a new PAC, create-port the others',
      ).choices([...operationNames]),
    )
    .action(
      onTarget<[string, CorrectionsOptions]>(async (session, text, options) => {
        const item = await findImport(session, text);
        const counts = await countCorrections(session.target, item);
        if (options.csv !== undefined || options.xlsx !== undefined) await save(session, item, options, counts);
        else if (session.json) await print(session, item);
        else await show(session, item, counts);
        return [...counts.values()].some((rows) => rows > 0) ? exitCodes.actionRequired : exitCodes.done;
      }),
    );

/** The first file with rows. */
const chooseFile = (counts: CorrectionCounts): OperationName | undefined =>
  [...counts].find(([, rows]) => rows > 0)?.[0];

async function save(
  session: Session,
  item: ImportItem,
  { csv, xlsx, operation: named }: CorrectionsOptions,
  counts: CorrectionCounts,
): Promise<void> {
  const { terminal, target, json } = session;
  const operation = named ?? chooseFile(counts);
  const rows = operation === undefined ? 0 : (counts.get(operation) ?? 0);
  if (operation === undefined || rows === 0) {
    const which = named === undefined ? 'a correction' : named;
    terminal.note(`No row of this import waits for ${which}, so no file was written.`);
    if (json) await printJson(session, { written: [] });
    return;
  }
  if (csv !== undefined) await saveFile(session, streamCorrectionCsv(target, item, operation), csv);
  else await saveWorkbook(session, item.rows, await openCorrectionTable(target, item, operation), xlsx ?? '');
  const send = nextCommand('import', csv ?? xlsx ?? '', '--operation', operation, '--watch');
  terminal.note(`${counted(rows, 'row')}: ${whatToFix(operation, counts)}, then import the file: ${send}`);
  noteOtherFile(session, item, operation, counts);
}

function noteOtherFile({ terminal }: Session, item: ImportItem, shown: OperationName, counts: CorrectionCounts): void {
  const other = [...counts].find(([kind, rows]) => kind !== shown && rows > 0)?.[0];
  if (other !== undefined) terminal.note(`For the others: ${saveCorrections(item.importId, other)}`);
}

/** Only create-port has two files. */
const amendsPorts = (operation: OperationName, counts: CorrectionCounts): boolean =>
  operation === 'update-port' && counts.size > 1;

function whatToFix(operation: OperationName, counts: CorrectionCounts): string {
  if (amendsPorts(operation, counts)) return 'fill in the column "pac"';
  const fix = 'fix what the column "errors" names';
  return hasPacs(operation) ? `${fix} and fill in an empty "pac" (the file contains PACs: keep it safe)` : fix;
}

async function print(session: Session, item: ImportItem): Promise<void> {
  for await (const { answer } of readCorrections(session.target, item)) await printJsonLine(session, answer);
}

const columns: readonly TableColumn[] = [
  { header: 'line', align: 'right' },
  { header: 'number' },
  { header: 'corrected by' },
  { header: 'reason', wraps: true },
];
const shownRows = 200;

async function show(session: Session, item: ImportItem, counts: CorrectionCounts): Promise<void> {
  const { terminal, target } = session;
  const cells: string[][] = [];
  for await (const { subject, answer } of readCorrections(target, item)) {
    if (cells.length < shownRows) cells.push([String(answer.line), subject, answer.operation, answer.reason]);
  }
  const total = [...counts.values()].reduce((sum, rows) => sum + rows, 0);
  const first = chooseFile(counts);
  if (first === undefined) {
    terminal.note('No row of this import was declined or needs a new PAC.');
    return;
  }
  await terminal.lines(formatTable(columns, cells, terminal));
  const purpose = amendsPorts(first, counts) ? 'To enter the new PACs' : 'To fix the rows';
  terminal.note(`\n${counted(total, 'row')}. ${purpose}: ${saveCorrections(item.importId)}`);
  noteOtherFile(session, item, first, counts);
}
