// simporter rejected IMPORT: the rows that were not sent, and why; as a CSV to fix and import again.

import { csvHeader, csvRow } from '#shared/files/csv/csv-row.ts';
import type { TextSheet } from '#shared/files/workbook/write-workbook.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { readIssues } from '#shared/results/findings.ts';
import { openRejectedTable } from '#shared/results/import-files.ts';
import { type OpenRows, readOpenRows, rejectedObject } from '#shared/results/rejected-rows.ts';
import type { Issue } from '#shared/row/issue.ts';
import type { ConfigureCommand } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import { planExitCode } from '../imports/follow-import.ts';
import { hasPacs, saveFile, saveWorkbook } from '../imports/save-report.ts';
import { addFileOptions, type FileOptions, importArgument } from '../options/common-options.ts';
import { printJson, printJsonLine } from '../output/json.ts';
import type { Session, Target } from '../target/target.ts';
import { describeFollowing, describeRejected } from '../views/import-view.ts';
import { formatIssues } from '../views/issues-view.ts';

export const configure: ConfigureCommand = (command, { onTarget }) =>
  addFileOptions(
    command.argument(...importArgument),
    'write your columns, the line and the errors: fix the file and import it again',
  ).action(
    onTarget<[string, FileOptions]>(async (session, text, { csv, xlsx }) => {
      const open = await readOpenRows(session.target, await findImport(session, text));
      if (csv !== undefined) await saveAsCsv(session, open, csv);
      else if (xlsx !== undefined) await saveAsWorkbook(session, open, xlsx);
      else if (session.json) await print(session, open);
      else await show(session, open);
      return planExitCode(open.item);
    }),
  );

async function saveAsCsv(session: Session, open: OpenRows, file: string): Promise<void> {
  const content = await openCsv(session.target, open);
  if (content === undefined) return noteNothing(session, open.item);
  await saveFile(session, content, file);
  noteNext(session, open.item, file);
}

/** undefined: no row is rejected. */
async function openCsv(target: Target, open: OpenRows): Promise<AsyncIterable<Uint8Array | string> | undefined> {
  const { item, sentLines } = open;
  const object = rejectedObject(target, item.importId);
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

async function saveAsWorkbook(session: Session, open: OpenRows, file: string): Promise<void> {
  const { item } = open;
  const table = await openTable(session.target, open);
  if (table === undefined) return noteNothing(session, item);
  await saveWorkbook(session, item.rows, table, file);
  noteNext(session, item, file);
}

async function noteNothing(session: Session, { state, importId }: ImportItem): Promise<void> {
  const why = state === 'rejected' ? ` To see why nothing was sent: ${nextCommand('status', importId)}` : '';
  session.terminal.note(`No row is rejected, so no file was written.${why}`);
  if (session.json) await printJson(session, { written: [] });
}

function noteNext({ terminal }: Session, { operation }: ImportItem, file: string): void {
  const as = operation === null ? [] : ['--operation', operation];
  const send = nextCommand('import', file, ...as, '--watch');
  terminal.note(`Fix what the column "errors" names, then import the file: ${send}`);
  if (hasPacs(operation)) terminal.note('The file contains PACs: keep it as safe as the original file.');
}

async function print(session: Session, open: OpenRows): Promise<void> {
  for await (const issue of errorsOf(session.target, open)) await printJsonLine(session, issue);
}

async function* errorsOf(target: Target, { item, sentLines }: OpenRows): AsyncIterable<Issue> {
  for await (const issue of readIssues(target, item)) {
    if (issue.severity === 'error' && !sentLines.has(issue.line)) yield issue;
  }
}

const rowsPerTable = 200;

/** In several tables, so that a million rejected rows are never in memory at once. */
async function show({ target, terminal }: Session, open: OpenRows): Promise<void> {
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
