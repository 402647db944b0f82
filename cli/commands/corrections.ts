// simporter corrections IMPORT: the lines that a new PAC would mend, as a CSV to fill and send.
import { Command, Option } from 'commander';
import { type CorrectionKind, correctionKinds } from '#functions/report/corrections.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import type { CommandContext } from '../command-context.ts';
import { correctionCsv, correctionHint, countCorrections, readCorrections } from '../corrections.ts';
import { exitCodes } from '../exit-code.ts';
import { findImport } from '../find-import.ts';
import { hint } from '../hint.ts';
import { importArgument } from '../import-argument.ts';
import { printJson, printJsonLine } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import { counted, plain } from '../output/text.ts';
import { saveCsv } from '../reports.ts';
import type { Session } from '../session.ts';
import { subjectReader } from '../subject.ts';
import { type Target, withTarget } from '../target.ts';

interface CorrectionsOptions {
  readonly csv?: string;
  readonly operation: CorrectionKind;
}

export const correctionsCommand = ({ action }: CommandContext): Command =>
  new Command('corrections')
    .description('Show the lines that a new PAC would mend, or write them as a CSV to fill and send.')
    .argument(...importArgument)
    .option('--csv <file>', 'write them with an empty column pac: fill it and import the file')
    .addOption(
      new Option('--operation <name>', 'with --csv: which file; create-port has the lines taken out of their port')
        .choices([...correctionKinds])
        .default('update-port'),
    )
    .action(
      action<[string, CorrectionsOptions]>((session, given, { csv, operation }) =>
        withTarget(session, async (target) => {
          const item = await findImport(target, given);
          const lines = await countCorrections(target, item);
          if (csv !== undefined)
            await save(session, target, item, { file: csv, kind: operation, lines: lines[operation] });
          else if (session.json) await print(session, target, item);
          else await show(session, target, item, lines);
          return correctionKinds.some((kind) => lines[kind] > 0) ? exitCodes.attention : exitCodes.done;
        }),
      ),
    );

interface Wish {
  readonly file: string;
  readonly kind: CorrectionKind;
  readonly lines: number;
}

async function save(session: Session, target: Target, item: ImportItem, { file, kind, lines }: Wish): Promise<void> {
  const { terminal } = session;
  if (lines === 0) {
    terminal.note(`No line of this import waits for ${kind}: there is nothing to write.`);
    if (session.json) await printJson(terminal, { written: [] });
    return;
  }
  await saveCsv(session, correctionCsv(target, item, kind), file);
  const send = hint(`import ${plain(file)} --operation ${kind} --watch`);
  terminal.note(`${counted(lines, 'line')}: fill the column pac, then send it: ${send}`);
}

async function print({ terminal }: Session, target: Target, item: ImportItem): Promise<void> {
  for (const kind of correctionKinds) {
    for await (const correction of readCorrections(target, item, kind)) await printJsonLine(terminal, correction);
  }
}

const columns: readonly TableColumn[] = [
  { header: 'line', align: 'right' },
  { header: 'number' },
  { header: 'mended by' },
  { header: 'why', shrinks: true },
];
const mostShown = 200;

const amendedNumber = ({ msisdn = '' }: Readonly<Record<string, string>>): string => msisdn;

async function show(session: Session, target: Target, item: ImportItem, lines: Record<CorrectionKind, number>) {
  const { terminal } = session;
  const rows: string[][] = [];
  for (const kind of correctionKinds) {
    const subject = kind === 'update-port' ? amendedNumber : subjectReader(item);
    for await (const { line, reason, columns: cells } of readCorrections(target, item, kind)) {
      if (rows.length < mostShown) rows.push([String(line), subject(cells), kind, reason]);
    }
  }
  const total = lines['update-port'] + lines['create-port'];
  if (total === 0) {
    terminal.note('No line of this import waits for a new PAC.');
    return;
  }
  await terminal.lines(formatTable(columns, rows, terminal));
  const which = lines['update-port'] > 0 ? '' : ' --operation create-port';
  terminal.note(`\n${counted(total, 'line')}. To fill in their new PACs: ${correctionHint(item.importId)}${which}`);
}
