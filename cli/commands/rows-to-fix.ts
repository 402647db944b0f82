// simporter corrections IMPORT: the rows that a person corrects, shown or written as a file to fix and import. There
// are three kinds. simporter rejected and simporter mismatches are names of two of them.
import { Option } from 'commander';
import { csvHeader, csvRow } from '#shared/files/csv/csv-row.ts';
import type { TextSheet } from '#shared/files/workbook/write-workbook.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { aliasFor, type ComparisonItem, restartComparison } from '#shared/outcome/service-comparison.ts';
import type { MismatchSummary } from '#shared/results/answers.ts';
import { mismatchesCsv } from '#shared/results/correction-files.ts';
import {
  type CorrectionCounts,
  countCorrections,
  readCorrections,
  streamCorrectionCsv,
} from '#shared/results/correction-rows.ts';
import { openCorrectionTable, openRejectedTable } from '#shared/results/import-files.ts';
import { readIssues } from '#shared/results/read-issues.ts';
import { type OpenRows, readOpenRows, rejectedObject } from '#shared/results/rejected-rows.ts';
import type { Issue } from '#shared/row/issue.ts';
import { type OperationName, operationNames } from '#shared/text/identity.ts';
import { counted } from '#shared/text/wording.ts';
import { usageError } from '../context/cli-error.ts';
import { type ConfigureCommand, type ExitCode, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import { planExitCode } from '../imports/follow-import.ts';
import { hasPacs, nameOfWritten, saveFile, saveWorkbook } from '../imports/save-report.ts';
import { addFileOptions, type FileOptions, importArgument, writesFile } from '../options/common-options.ts';
import { printJson, printJsonLine } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import type { Session, Target } from '../target/target.ts';
import { saveCorrections } from '../views/actions-view.ts';
import { formatIssues } from '../views/file-view.ts';
import { describeFollowing, describeRejected } from '../views/import-view.ts';

const kindNames = ['rejected', 'declined', 'services'] as const;
type Kind = (typeof kindNames)[number];

interface CorrectionsOptions extends FileOptions {
  readonly operation?: OperationName;
  readonly again?: boolean;
}

export const configureCorrections: ConfigureCommand = (command, { onTarget }) =>
  addFileOptions(command.argument(...importArgument), 'write them to a file: fix the rows and import it')
    .addOption(
      new Option(
        '--kind <kind>',
        'rejected: not sent; declined: by the service, or with an invalid PAC; services: SIMs with others',
      )
        .choices([...kindNames])
        .default('declined' satisfies Kind),
    )
    .addOption(
      new Option(
        '--operation <name>',
        'which file of create-port: update-port has the rows that need a new PAC, create-port the others',
      ).choices([...operationNames]),
    )
    .option('--again', 'with --kind services: compare all SIMs again first')
    .action(
      onTarget<[string, CorrectionsOptions & { readonly kind: Kind }]>((session, text, { kind, ...options }) =>
        correct(session, text, kind, options),
      ),
    );

/** The same as `corrections --kind rejected`. */
export const configureRejected: ConfigureCommand = (command, { onTarget }) =>
  addFileOptions(
    command.argument(...importArgument),
    'write your columns, the line and the errors: fix the file and import it again',
  ).action(onTarget<[string, FileOptions]>((session, text, options) => correct(session, text, 'rejected', options)));

/** The same as `corrections --kind services`. */
export const configureMismatches: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument(...importArgument)
    .option('--csv <file>', 'write a bar-service-config file that sets the services')
    .option('--again', 'compare all SIMs again first')
    .action(
      onTarget<[string, CorrectionsOptions]>((session, text, options) => correct(session, text, 'services', options)),
    );

/** The rows of one kind, as a command shows or writes them. */
interface RowsToFix {
  readonly exitCode: ExitCode;
  /** Answers in JSON. */
  readonly print: () => Promise<void>;
  readonly show: () => Promise<void>;
  readonly file: CorrectionFile;
}

interface CorrectionFile {
  /** undefined: there is no row. */
  readonly csv: () => Promise<AsyncIterable<Uint8Array | string> | undefined>;
  /** undefined: there is no row. */
  readonly table: () => Promise<TextSheet | undefined>;
  /** Why there is no file, where there is no row. */
  readonly nothing: string;
  /** What the file is imported as. */
  readonly operation: OperationName | null;
  /** What to do with the file, and the command that imports it. */
  readonly describeNext: (send: string) => readonly string[];
}

const readers: Readonly<
  Record<Kind, (session: Session, item: ImportItem, options: CorrectionsOptions) => Promise<RowsToFix>>
> = { rejected: readRejected, declined: readDeclined, services: readMismatches };

async function correct(session: Session, text: string, kind: Kind, options: CorrectionsOptions): Promise<ExitCode> {
  declineOptions(kind, options);
  const item = await findImport(session, text);
  const rows = await readers[kind](session, item, options);
  if (writesFile(options)) await save(session, item, rows.file, options);
  else await (session.json ? rows.print() : rows.show());
  return rows.exitCode;
}

function declineOptions(kind: Kind, { operation, again, xlsx }: CorrectionsOptions): void {
  if (operation !== undefined && kind !== 'declined')
    throw usageError('--operation needs --kind declined.', `The rows of --kind ${kind} have one file.`);
  if (again && kind !== 'services') throw usageError('--again needs --kind services.', 'Only services are compared.');
  if (xlsx !== undefined && kind === 'services')
    throw usageError('--kind services writes no workbook.', 'Write a CSV: --csv FILE');
}

async function save(
  session: Session,
  item: ImportItem,
  { csv: openCsv, table: openTable, nothing, operation, describeNext }: CorrectionFile,
  { csv, xlsx = '' }: FileOptions,
): Promise<void> {
  const { terminal, json } = session;
  const file = csv ?? xlsx;
  const content = await (csv === undefined ? undefined : openCsv());
  const table = await (csv === undefined ? openTable() : undefined);
  if (content !== undefined) await saveFile(session, content, file);
  else if (table !== undefined) await saveWorkbook(session, item.rows, table, file);
  else {
    terminal.note(nothing);
    if (json) await printJson(session, { written: [] });
    return;
  }
  const as = operation === null ? [] : ['--operation', operation];
  for (const line of describeNext(nextCommand('import', nameOfWritten(file), ...as, '--watch'))) terminal.note(line);
}

// Rejected: the rows that were not sent, without those that a correction has sent since.

async function readRejected(session: Session, found: ImportItem): Promise<RowsToFix> {
  const { target } = session;
  const open = await readOpenRows(target, found);
  const { item } = open;
  const { state, importId, operation } = item;
  const why = state === 'rejected' ? ` To see why nothing was sent: ${nextCommand('status', importId)}` : '';
  return {
    exitCode: planExitCode(item),
    print: async () => {
      for await (const issue of errorsOf(target, open)) await printJsonLine(session, issue);
    },
    show: () => showRejected(session, open),
    file: {
      csv: () => openRejectedCsv(target, open),
      table: () => openTable(target, open),
      nothing: `No row is rejected, so no file was written.${why}`,
      operation,
      describeNext: (send) => [
        `Fix what the column "errors" names, then import the file: ${send}`,
        ...(hasPacs(operation) ? ['The file contains PACs: keep it as safe as the original file.'] : []),
      ],
    },
  };
}

async function openRejectedCsv(
  target: Target,
  open: OpenRows,
): Promise<AsyncIterable<Uint8Array | string> | undefined> {
  const { item, sentLines } = open;
  const object = rejectedObject(target, item);
  if (sentLines.size === 0) return (await target.files.head(object)) && target.files.read(object);
  const table = await openTable(target, open);
  return table && csvOf(table, item);
}

const openTable = async (target: Target, { item, sentLines }: OpenRows): Promise<TextSheet | undefined> =>
  item.rejected === 0 ? undefined : openRejectedTable(target, item, sentLines);

async function* csvOf({ header, rows }: TextSheet, { layout }: ImportItem): AsyncIterable<string> {
  yield csvHeader(header, layout?.delimiter ?? ',');
  for await (const batch of rows) yield batch.map((cells) => csvRow(cells, layout?.delimiter)).join('');
}

async function* errorsOf(target: Target, { item, sentLines }: OpenRows): AsyncIterable<Issue> {
  for await (const issue of readIssues(target, item)) {
    if (issue.severity === 'error' && !sentLines.has(issue.line)) yield issue;
  }
}

const rowsPerTable = 200;

/** In several tables, so that a million rejected rows are never in memory at once. */
async function showRejected({ target, terminal }: Session, open: OpenRows): Promise<void> {
  const { item } = open;
  let issues: Issue[] = [];
  for await (const issue of errorsOf(target, open)) {
    issues.push(issue);
    if (issues.length < rowsPerTable) continue;
    await terminal.lines(formatIssues(issues, terminal));
    issues = [];
  }
  if (issues.length > 0) await terminal.lines(formatIssues(issues, terminal));
  terminal.note(item.rejected === 0 ? describeNone(item) : `\n${describeFix(item)}`);
}

const describeNone = (item: ImportItem): string =>
  item.state === 'rejected'
    ? `The whole file was rejected. ${describeFollowing(item).join(' ')}`
    : 'No row is rejected.';

function describeFix(item: ImportItem): string {
  const { importId, rejected, duplicates = 0 } = item;
  const fix = nextCommand('rejected', importId, '--csv', 'rejected.csv');
  return `${describeRejected(item).join(', ')}.${rejected > duplicates ? ` To fix them: ${fix}` : ''}`;
}

// Declined: the rows that the service declined, and those that need a new PAC. Of create-port they are in two files.

async function readDeclined(session: Session, item: ImportItem, { operation: named }: CorrectionsOptions) {
  const { target } = session;
  const counts = await countCorrections(target, item);
  const operation = named ?? chooseFile(counts);
  const rows = operation === undefined ? 0 : (counts.get(operation) ?? 0);
  const ifAny = <Opened>(open: (operation: OperationName) => Opened): Opened | undefined =>
    operation === undefined || rows === 0 ? undefined : open(operation);
  return {
    exitCode: [...counts.values()].some((rows) => rows > 0) ? exitCodes.actionRequired : exitCodes.done,
    print: async () => {
      for await (const { answer } of readCorrections(target, item)) await printJsonLine(session, answer);
    },
    show: () => showDeclined(session, item, counts),
    file: {
      csv: async () => ifAny((operation) => streamCorrectionCsv(target, item, operation)),
      table: async () => ifAny((operation) => openCorrectionTable(target, item, operation)),
      nothing: `No row of this import waits for ${named ?? 'a correction'}, so no file was written.`,
      operation: operation ?? null,
      describeNext: (send: string) =>
        ifAny((operation) => [
          `${counted(rows, 'row')}: ${whatToFix(operation, counts)}, then import the file: ${send}`,
          ...describeOtherFile(item, operation, counts),
        ]) ?? [],
    },
  };
}

/** The first file with rows. */
const chooseFile = (counts: CorrectionCounts): OperationName | undefined =>
  [...counts].find(([, rows]) => rows > 0)?.[0];

function describeOtherFile({ importId }: ImportItem, shown: OperationName, counts: CorrectionCounts): string[] {
  const other = [...counts].find(([kind, rows]) => kind !== shown && rows > 0)?.[0];
  return other === undefined ? [] : [`For the others: ${saveCorrections(importId, other)}`];
}

/** Only create-port has two files. */
const amendsPorts = (operation: OperationName, counts: CorrectionCounts): boolean =>
  operation === 'update-port' && counts.size > 1;

function whatToFix(operation: OperationName, counts: CorrectionCounts): string {
  if (amendsPorts(operation, counts)) return 'fill in the column "pac"';
  const fix = 'fix what the column "errors" names';
  return hasPacs(operation) ? `${fix} and fill in an empty "pac" (the file contains PACs: keep it safe)` : fix;
}

const declinedColumns: readonly TableColumn[] = [
  { header: 'line', align: 'right' },
  { header: 'number' },
  { header: 'corrected by' },
  { header: 'reason', wraps: true },
];
const shownRows = 200;

async function showDeclined(session: Session, item: ImportItem, counts: CorrectionCounts): Promise<void> {
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
  await terminal.lines(formatTable(declinedColumns, cells, terminal));
  const purpose = amendsPorts(first, counts) ? 'To enter the new PACs' : 'To fix the rows';
  terminal.note(`\n${counted(total, 'row')}. ${purpose}: ${saveCorrections(item.importId)}`);
  for (const line of describeOtherFile(item, first, counts)) terminal.note(line);
}

// Services: the SIMs that have other services than requested, and a file that sets them.

const noMismatch = 'No SIM is known to have other services than requested.';

async function readMismatches(session: Session, item: ImportItem, { again }: CorrectionsOptions): Promise<RowsToFix> {
  const { comparisons } = session.target;
  if (again) await compareAgain(session, item);
  const mismatches = await summariseMismatches(session, item);
  const hasNone = mismatches.sims.length === 0;
  return {
    exitCode: hasNone ? exitCodes.done : exitCodes.actionRequired,
    print: () => printJson(session, mismatches),
    show: () => showMismatches(session, mismatches),
    file: {
      csv: async () =>
        hasNone ? undefined : mismatchesCsv(comparisons.ofImport(item.importId), item.layout?.delimiter),
      table: async () => undefined,
      nothing: `${noMismatch} No file was written.`,
      operation: 'bar-service-config',
      describeNext: (send) => [`To send it: ${send}`],
    },
  };
}

async function summariseMismatches({ target }: Session, { importId }: ImportItem): Promise<MismatchSummary> {
  const items = await Array.fromAsync(target.comparisons.ofImport(importId));
  const countState = (state: ComparisonItem['state']): number => items.filter((item) => item.state === state).length;
  return {
    importId,
    compared: countState('none') + countState('found'),
    waiting: countState('due'),
    unknown: countState('unknown'),
    sims: items.flatMap(({ request, portId, sims }) => sims.map((sim) => ({ request, portId, ...sim }))),
  };
}

const maxRuns = 20;

/** One run of sync compares a limited number of SIMs, so sync runs until none is left. */
async function compareAgain({ target, clock }: Session, { importId }: ImportItem): Promise<void> {
  for await (const item of target.comparisons.ofImport(importId)) {
    await target.comparisons.replace(item, restartComparison(item, clock()));
  }
  for (let run = 0; run < maxRuns; run += 1) {
    await target.sync();
    const items = await Array.fromAsync(target.comparisons.ofImport(importId));
    if (items.every(({ rounds }) => rounds > 0)) return;
  }
}

const serviceColumns: readonly TableColumn[] = [
  { header: 'line', align: 'right' },
  { header: 'number' },
  { header: 'SIM', secondary: true },
  { header: 'service' },
  { header: 'requested' },
  { header: 'actual', style: () => 'yellow' },
];

async function showMismatches({ terminal }: Session, mismatches: MismatchSummary): Promise<void> {
  const { importId, compared, waiting, unknown } = mismatches;
  const rows = mismatches.sims.flatMap(({ line, msisdn, serialNumber, services }) =>
    services.map(({ name, type, requested, actual }) => [
      String(line),
      msisdn && `+${msisdn}`,
      serialNumber,
      name,
      aliasFor(type, requested),
      actual === null ? 'not set' : aliasFor(type, actual),
    ]),
  );
  if (rows.length > 0) await terminal.lines(formatTable(serviceColumns, rows.slice(0, shownRows), terminal));
  else terminal.note(noMismatch);
  if (rows.length > shownRows) terminal.note(`and ${counted(rows.length - shownRows, 'more setting')}: --json`);
  const ports = [`${counted(compared, 'request')} compared`];
  if (waiting > 0) ports.push(`${waiting} waiting for sync`);
  if (unknown > 0) ports.push(`${unknown} unknown because the plan has expired`);
  terminal.note(`\n${ports.join(', ')}.`);
  if (rows.length > 0) {
    terminal.note(`To set the services: ${nextCommand('mismatches', importId, '--csv', 'mismatches.csv')}`);
  }
}
