// simporter drift IMPORT: SIMs of completed ports that have other services than were asked for, and a file that mends them.
import { Command } from 'commander';
import { driftCsv } from '#functions/report/drift-file.ts';
import { comparedAgain, type DriftItem } from '#shared/domain/drift.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { wordFor } from '#shared/domain/service-words.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { findImport } from '../find-import.ts';
import { hint } from '../hint.ts';
import { importArgument } from '../import-argument.ts';
import type { DriftJson } from '../json-shapes.ts';
import { printJson } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import { counted, plain } from '../output/text.ts';
import { saveCsv } from '../reports.ts';
import type { Session } from '../session.ts';
import { type Target, withTarget } from '../target.ts';

interface DriftOptions {
  readonly csv?: string;
  readonly again?: boolean;
}

export const driftCommand = ({ action }: CommandContext): Command =>
  new Command('drift')
    .description('Show SIMs whose services are not as they were asked for, once their ports are complete.')
    .argument(...importArgument)
    .option('--csv <file>', 'write a bar-service-config file that sets them')
    .option('--again', 'compare all of them again first, now')
    .action(
      action<[string, DriftOptions]>((session, given, { csv, again = false }) =>
        withTarget(session, async (target) => {
          const item = await findImport(target, given);
          if (again) await compareAgain(session, target, item);
          const drift = await readDrift(target, item);
          if (csv !== undefined) await save(session, target, item, csv);
          else if (session.json) await printJson(session.terminal, drift);
          else await show(session, item, drift);
          return drift.sims.length > 0 ? exitCodes.attention : exitCodes.done;
        }),
      ),
    );

/** A run compares so many SIMs; one after the other is asked for until none is left. */
async function compareAgain(session: Session, target: Target, { importId }: ImportItem): Promise<void> {
  for await (const item of target.drifts.ofImport(importId)) {
    await target.drifts.replace(item, comparedAgain(item, session.clock()));
  }
  const mostRuns = 20;
  for (let run = 0; run < mostRuns; run += 1) {
    await target.sync();
    const items = await itemsOf(target, importId);
    if (items.every(({ rounds }) => rounds > 0)) return;
  }
}

async function itemsOf(target: Target, importId: string): Promise<DriftItem[]> {
  const items: DriftItem[] = [];
  for await (const item of target.drifts.ofImport(importId)) items.push(item);
  return items;
}

async function readDrift(target: Target, { importId }: ImportItem): Promise<DriftJson> {
  const items = await itemsOf(target, importId);
  const inState = (state: DriftItem['state']): number => items.filter((item) => item.state === state).length;
  return {
    importId,
    compared: inState('none') + inState('found'),
    waiting: inState('due'),
    unknown: inState('unknown'),
    sims: items.flatMap(({ request, portId, sims }) => sims.map((sim) => ({ request, portId, ...sim }))),
  };
}

async function save(session: Session, target: Target, { importId }: ImportItem, file: string): Promise<void> {
  await saveCsv(session, encoded(driftCsv(target.drifts.ofImport(importId))), file);
  session.terminal.note(`To send it: ${hint(`import ${plain(file)} --operation bar-service-config`)}`);
}

async function* encoded(texts: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text, 'utf8');
}

const columns: readonly TableColumn[] = [
  { header: 'line', align: 'right' },
  { header: 'number' },
  { header: 'SIM' },
  { header: 'service', shrinks: true },
  { header: 'asked' },
  { header: 'set', style: () => 'yellow' },
];
const mostShown = 200;

async function show({ terminal }: Session, { importId }: ImportItem, drift: DriftJson): Promise<void> {
  const rows = drift.sims.flatMap(({ line, msisdn, serialNumber, services }) =>
    services.map(({ name, type, asked, set }) => [
      String(line),
      `+${msisdn}`,
      serialNumber,
      name,
      wordFor(type, asked),
      set === null ? 'not set' : wordFor(type, set),
    ]),
  );
  if (rows.length > 0) await terminal.lines(formatTable(columns, rows.slice(0, mostShown), terminal));
  else terminal.note('No SIM is known to have other services than were asked for.');
  if (rows.length > mostShown) terminal.note(`and ${counted(rows.length - mostShown, 'setting')} more: --json`);
  const { compared, waiting, unknown } = drift;
  const ports = [`${counted(compared, 'completed port')} compared`];
  if (waiting > 0) ports.push(`${waiting} waiting for sync`);
  if (unknown > 0) ports.push(`${unknown} whose plan has expired`);
  terminal.note(`\n${ports.join(', ')}.`);
  if (rows.length > 0) terminal.note(`To set them again: ${hint(`drift ${importId} --csv drift.csv`)}`);
}
