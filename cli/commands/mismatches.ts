// simporter mismatches IMPORT: SIMs with other services than requested, and a file that sets them.

import type { ImportItem } from '#shared/import/import.ts';
import { aliasFor, type ComparisonItem, restartComparison } from '#shared/outcome/service-comparison.ts';
import type { MismatchSummary } from '#shared/results/answers.ts';
import { mismatchesCsv } from '#shared/results/correction-files.ts';
import { counted } from '#shared/text/wording.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import { saveFile } from '../imports/save-report.ts';
import { importArgument } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import type { Session } from '../target/target.ts';

interface MismatchesOptions {
  readonly csv?: string;
  readonly again?: boolean;
}

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument(...importArgument)
    .option('--csv <file>', 'write a bar-service-config file that sets the services')
    .option('--again', 'compare all SIMs again first, now')
    .action(
      onTarget<[string, MismatchesOptions]>(async (session, text, { csv, again }) => {
        const item = await findImport(session, text);
        if (again) await compareAgain(session, item);
        const mismatches = await summariseMismatches(session, item);
        if (csv !== undefined) await save(session, item, csv, mismatches);
        else if (session.json) await printJson(session, mismatches);
        else await show(session, mismatches);
        return mismatches.sims.length > 0 ? exitCodes.actionRequired : exitCodes.done;
      }),
    );

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

async function save(
  session: Session,
  { importId, layout }: ImportItem,
  file: string,
  { sims }: MismatchSummary,
): Promise<void> {
  if (sims.length === 0) {
    session.terminal.note(`${noMismatch} No file was written.`);
    if (session.json) await printJson(session, { written: [] });
    return;
  }
  const items = session.target.comparisons.ofImport(importId);
  await saveFile(session, mismatchesCsv(items, layout?.delimiter), file);
  session.terminal.note(`To send it: ${nextCommand('import', file, '--operation', 'bar-service-config')}`);
}

const noMismatch = 'No SIM is known to have other services than requested.';

const columns: readonly TableColumn[] = [
  { header: 'line', align: 'right' },
  { header: 'number' },
  { header: 'SIM', secondary: true },
  { header: 'service' },
  { header: 'requested' },
  { header: 'actual', style: () => 'yellow' },
];
const shownRows = 200;

async function show({ terminal }: Session, mismatches: MismatchSummary): Promise<void> {
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
  if (rows.length > 0) await terminal.lines(formatTable(columns, rows.slice(0, shownRows), terminal));
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
