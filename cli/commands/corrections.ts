// simporter corrections IMPORT: the rows that need a new PAC, shown or written as a CSV to fill in and import.
import { Option } from 'commander';
import { type CorrectionKind, correctionKinds } from '#shared/domain/imports/outcome.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { counted } from '#shared/domain/text/counted.ts';
import { countCorrections, readCorrections, streamCorrectionCsv } from '#shared/read-models/corrections.ts';
import { openCorrectionTable } from '#shared/read-models/file-tables.ts';
import type { ConfigureCommand } from '../context/command.ts';
import { exitCodes } from '../context/exit-code.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import { saveFile, saveWorkbook } from '../imports/save-report.ts';
import { addFileOptions, type FileOptions } from '../options/file-option.ts';
import { importArgument } from '../options/import-argument.ts';
import { printJson, printJsonLine } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import { plain } from '../output/text.ts';
import type { Session } from '../target/target.ts';
import { withTarget } from '../target/with-target.ts';
import { saveCorrections } from '../views/actions-view.ts';

interface CorrectionsOptions extends FileOptions {
  readonly operation: CorrectionKind;
}

export const configure: ConfigureCommand = (command, run) =>
  addFileOptions(
    command.argument(...importArgument),
    'write them with an empty column "pac": fill it in and import the file',
  )
    .addOption(
      new Option('--operation <name>', 'with a file: which one; create-port has the rows removed from their port')
        .choices([...correctionKinds])
        .default('update-port'),
    )
    .action(
      run<[string, CorrectionsOptions]>((context, text, options) =>
        withTarget(context, async (session) => {
          const item = await findImport(session, text);
          const rows = await countCorrections(session.target, item);
          if (options.csv !== undefined || options.xlsx !== undefined) await save(session, item, options, rows);
          else if (session.json) await print(session, item);
          else await show(session, item, rows);
          return correctionKinds.some((kind) => rows[kind] > 0) ? exitCodes.actionRequired : exitCodes.done;
        }),
      ),
    );

type CorrectionCounts = Readonly<Record<CorrectionKind, number>>;

async function save(
  session: Session,
  item: ImportItem,
  { csv, xlsx, operation }: CorrectionsOptions,
  rows: CorrectionCounts,
): Promise<void> {
  const { terminal, target, json } = session;
  if (rows[operation] === 0) {
    terminal.note(`No row of this import waits for ${operation}, so no file was written.`);
    if (json) await printJson(session, { written: [] });
    return;
  }
  if (csv !== undefined) await saveFile(session, streamCorrectionCsv(target, item, operation), csv);
  else await saveWorkbook(session, item, await openCorrectionTable(target, item, operation), xlsx ?? '');
  const send = nextCommand('import', `${plain(csv ?? xlsx ?? '')} --operation ${operation} --watch`);
  terminal.note(`${counted(rows[operation], 'row')}: fill in the column "pac", then import the file: ${send}`);
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

async function show({ terminal, target }: Session, item: ImportItem, rows: CorrectionCounts): Promise<void> {
  const cells: string[][] = [];
  for await (const { subject, answer } of readCorrections(target, item)) {
    if (cells.length < shownRows) cells.push([String(answer.line), subject, answer.operation, answer.reason]);
  }
  const total = rows['update-port'] + rows['create-port'];
  if (total === 0) {
    terminal.note('No row of this import needs a new PAC.');
    return;
  }
  await terminal.lines(formatTable(columns, cells, terminal));
  const which = rows['update-port'] > 0 ? '' : ' --operation create-port';
  terminal.note(`\n${counted(total, 'row')}. To enter the new PACs: ${saveCorrections(item.importId)}${which}`);
}
