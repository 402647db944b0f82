// simporter ports: every port of the account, also those that were made elsewhere, as the list was last read; or the
// ports of some days, from the results table. simporter port shows one of simporter; simporter adopt follows another.
import { Option } from 'commander';
import type { TextSheet } from '#shared/files/workbook/write-workbook.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { mayBePortId } from '#shared/port/port.ts';
import { portStatus, portStatusNames, rowStatus } from '#shared/port/port-status.ts';
import {
  type DescribedPort,
  findPorts,
  openPortList,
  type PortDays,
  type PortFilter,
  type PortList,
  type PortOfDay,
  type PortRecord,
  portListCells,
  portListHeader,
  readPortDays,
  readPortDetails,
  toListedPort,
  withStatus,
} from '#shared/results/ports.ts';
import { readImportProgress } from '#shared/results/progress.ts';
import { parseMsisdn } from '#shared/row/msisdn.ts';
import { chunksOf } from '#shared/store/backoff.ts';
import type { Period } from '#shared/store/ports.ts';
import { adoptionId, describePart } from '#shared/text/identity.ts';
import { count, counted } from '#shared/text/wording.ts';
import { CliError, notFoundError, usageError } from '../context/cli-error.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { awaitImport, importExitCode } from '../imports/follow-import.ts';
import { saveTable } from '../imports/save-report.ts';
import {
  addFileOptions,
  becauseOption,
  type FileOptions,
  parseCount,
  parseDay,
  readActor,
  writesFile,
} from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import { formatPairs, formatTable, type TableColumn } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { formatInstant } from '../output/text.ts';
import type { Session, Target } from '../target/target.ts';
import { whenIdle, withTarget } from '../target/with-target.ts';
import { describeImport, formatHistory, toImportJson } from '../views/import-view.ts';

interface PortsOptions extends FileOptions {
  readonly status?: string;
  readonly own?: boolean;
  readonly foreign?: boolean;
  readonly number?: string;
  readonly limit: string;
  readonly refresh?: boolean;
  readonly from?: string;
  readonly to?: string;
}

/** The options about the list of the service, which has the ports that were made elsewhere. */
const ofList = ['own', 'foreign', 'number', 'refresh'];

export const configurePorts: ConfigureCommand = (command, { run }) =>
  addFileOptions(command, 'write every port, with its numbers')
    .option('--status <name>', 'only ports with this status')
    .addOption(new Option('--own', 'only ports that an import follows').conflicts('foreign'))
    .option('--foreign', 'only ports that were made elsewhere, such as in the portal')
    .option('--number <msisdn>', 'only ports with this number')
    .option('--limit <count>', 'how many to show', '20')
    .option('--refresh', 'read the list from the service again first')
    .addOption(new Option('--from <day>', 'only ports of simporter with a date from this day on').conflicts(ofList))
    .addOption(new Option('--to <day>', 'the last day (default: that of --from)').conflicts(ofList))
    .action(
      run<[PortsOptions]>((context, options) => {
        const limit = parseCount('--limit', options.limit);
        const period = periodOf(options);
        return withTarget(context, async (session) => {
          if (period !== undefined) {
            await listDays(session, period, options, limit);
            return exitCodes.done;
          }
          const list = await openList(session, options.refresh === true);
          const found = findPorts(list, filterOf(session, options), session.target.ports);
          if (writesFile(options)) await save(session, found, options);
          else await showList(session, list, await Array.fromAsync(found), limit);
          return exitCodes.done;
        });
      }),
    );

function filterOf({ target }: Session, { status, own, foreign, number }: PortsOptions): PortFilter {
  const parsed = number === undefined ? undefined : parseMsisdn(number, target.resources);
  if (status !== undefined && !portStatus(status).known) {
    throw usageError(`--status "${status}" is no status of a port.`, `Use one of ${portStatusNames.join(', ')}.`);
  }
  if (parsed?.ok === false) throw usageError(`"${number}" is not a number: ${parsed.finding.message}.`);
  return { status, origin: own ? 'own' : foreign ? 'foreign' : undefined, number: parsed?.value };
}

/** Reads the list from the service where nobody has asked for it yet. */
async function openList(session: Session, isRefresh: boolean): Promise<PortList> {
  const { target, terminal } = session;
  const known = isRefresh ? undefined : await openPortList(target);
  if (known !== undefined) return known;
  const answer = await whenIdle(session, () => target.listPorts());
  if (answer.failure !== undefined) terminal.note(`The service could not be called: ${answer.failure}.`);
  const list = await openPortList(target);
  if (list !== undefined) return list;
  throw new CliError('The list of ports could not be read.', { advice: `Try again: ${nextCommand('sync')}` });
}

const save = (session: Session, found: AsyncIterable<PortRecord>, files: FileOptions): Promise<void> =>
  saveTable(session, { header: [...portListHeader], rows: cellsOf(found) }, files, 0);

async function* cellsOf(found: AsyncIterable<PortRecord>): AsyncIterable<string[][]> {
  for await (const port of found) yield [portListCells(port)];
}

const columns: readonly TableColumn[] = [
  { header: 'port' },
  { header: 'name', wraps: true },
  { header: 'status' },
  { header: 'date' },
  { header: 'numbers', align: 'right' },
  { header: 'import' },
  { header: 'read (UTC)', secondary: true },
];

const describe = ({ portId, name, status, connectionDate, rowCount, importId, readAt }: PortRecord): string[] => [
  portId,
  name,
  status,
  connectionDate,
  count(rowCount),
  importId ?? 'made elsewhere',
  formatInstant(readAt),
];

async function showList(session: Session, list: PortList, found: readonly PortRecord[], limit: number): Promise<void> {
  const { json, terminal } = session;
  const { readAt, isComplete } = list;
  const ports = found.slice(0, limit);
  if (json) return printJson(session, { readAt, isComplete, found: found.length, ports: ports.map(toListedPort) });
  if (ports.length > 0) await terminal.lines(formatTable(columns, ports.map(describe), terminal));
  const shown = `${count(ports.length)} of ${counted(found.length, 'port')}`;
  const rest = isComplete ? '' : ' The reading did not reach the end of the list: some ports may be missing.';
  terminal.note(
    `\nShowing ${shown}, as read at ${formatInstant(readAt)} UTC.${rest} To read the list again: ${nextCommand('ports', '--refresh')}`,
  );
}

// The ports of some days.

function periodOf({ from, to = from }: PortsOptions): Period | undefined {
  if (to === undefined) return undefined;
  if (from === undefined) throw usageError('--to needs --from.', 'For example: --from 2026-07-16 --to 2026-07-20');
  const period = { from: parseDay('--from', from), to: parseDay('--to', to) };
  if (period.to < period.from) throw usageError(`--to "${to}" is before --from "${from}".`);
  return period;
}

async function listDays(session: Session, period: Period, options: PortsOptions, limit: number): Promise<void> {
  const { days, ports, isComplete } = await readPortDays(session.target, period);
  const { status } = filterOf(session, options);
  const fitting = ports.filter(withStatus(status));
  if (writesFile(options)) return saveTable(session, dayTable(session, fitting), options, fitting.length);
  const shown = fitting.slice(0, limit);
  if (session.json)
    return printJson(session, {
      ...period,
      isComplete,
      days,
      found: fitting.length,
      ports: await withNumbers(session, shown),
    });
  await showDays(session, days, shown);
  const rest = isComplete ? '' : ' The period has more ports than were read.';
  session.terminal.note(
    `\nShowing ${count(shown.length)} of ${counted(fitting.length, 'port')}, as sync last read them.${rest}`,
  );
}

/** The numbers of a port, E.164 digits. */
async function withNumbers({ target }: Session, ports: readonly PortOfDay[]) {
  const numbers = new Map<string, string[]>();
  const ids = ports.map(({ portId }) => portId);
  for await (const { portId, rows } of target.ports.rowsOf(ids))
    numbers.set(
      portId,
      rows.map(({ msisdn }) => msisdn),
    );
  return ports.map((port) => ({ ...port, numbers: numbers.get(port.portId) ?? [] }));
}

const dayHeader = ['day', 'portId', 'name', 'status', 'numbers', 'blockedRows', 'cancelBy', 'importId'];

const dayTable = (session: Session, ports: readonly PortOfDay[]): TextSheet => ({
  header: dayHeader,
  rows: rowsOfDays(session, ports),
});

async function* rowsOfDays(session: Session, ports: readonly PortOfDay[]): AsyncIterable<string[][]> {
  for (const batch of chunksOf(ports, 100)) {
    const read = await withNumbers(session, batch);
    yield read.map(({ day, portId, name, status, numbers, blockedRows, cancelBy, importId }) => [
      day,
      portId,
      name,
      status,
      numbers.join(';'),
      String(blockedRows),
      cancelBy ?? '',
      importId,
    ]);
  }
}

const dayColumns: readonly TableColumn[] = [
  { header: 'day' },
  { header: 'ports', align: 'right' },
  { header: 'numbers', align: 'right' },
  { header: 'complete', align: 'right' },
  { header: 'blocked', align: 'right' },
  { header: 'cancel by (UTC)' },
];

const portColumns: readonly TableColumn[] = [
  { header: 'day' },
  { header: 'port' },
  { header: 'name', wraps: true },
  { header: 'status' },
  { header: 'numbers', align: 'right' },
  { header: 'blocked', align: 'right' },
  { header: 'cancel by (UTC)' },
];

const cancelTime = (cancelBy: string | null): string => (cancelBy === null ? '' : formatInstant(cancelBy));

async function showDays({ terminal }: Session, days: PortDays['days'], ports: readonly PortOfDay[]): Promise<void> {
  if (days.length === 0) return;
  const sums = days.map(({ day, cancelBy, ...sum }) => [
    day,
    ...[sum.ports, sum.numbers, sum.complete, sum.blocked].map((value) => count(value)),
    cancelTime(cancelBy),
  ]);
  const cells = ports.map((port) => [
    port.day,
    port.portId,
    port.name,
    port.status,
    count(port.rowCount),
    count(port.blockedRows),
    cancelTime(port.cancelBy),
  ]);
  await terminal.lines([...formatTable(dayColumns, sums, terminal), '', ...formatTable(portColumns, cells, terminal)]);
}

// One port: its rows, what blocks it, and its history.

export const configurePort: ConfigureCommand = (command, { onTarget }) =>
  command.argument('<id>', 'the id of the port, as ports shows it').action(
    onTarget<[string]>(async (session, id) => {
      const { target, json, terminal } = session;
      const port = await readPort(target, id.trim().toLowerCase());
      if (json) await printJson(session, port.details);
      else await terminal.lines(describePort(port, terminal));
      const { actionRequired, concern } = port.item;
      return actionRequired > 0 || concern !== undefined ? exitCodes.actionRequired : exitCodes.done;
    }),
  );

async function readPort(target: Target, id: string): Promise<DescribedPort> {
  const port = await readPortDetails(target, id);
  if (port !== undefined) return port;
  throw notFoundError(
    `simporter created no port "${id}".`,
    `To see the port of a number: ${nextCommand('number', 'MSISDN')}`,
  );
}

const rowColumns: readonly TableColumn[] = [
  { header: 'line', align: 'right' },
  { header: 'number' },
  { header: 'status', style: (cell) => (rowStatus(cell).actionRequired ? 'yellow' : undefined) },
  { header: 'message', wraps: true },
  { header: 'what to do', wraps: true },
];

const describeCancelBy = (cancelBy: string, readAt: string): string =>
  cancelBy > readAt
    ? `${formatInstant(cancelBy)} UTC: the service locks the port after that`
    : 'the service can lock the port at any time';

function describePort({ details, blocked }: DescribedPort, { width, paint }: Terminal): string[] {
  const options = { width, paint };
  const pairs = formatPairs(
    [
      ['port', details.portId],
      ['name', details.name],
      ['status', details.status],
      ['what to do', details.concern ?? (portStatus(details.status).advice || undefined)],
      ['connection date', details.connectionDate.slice(0, 10)],
      ['cancel by', details.cancelBy && describeCancelBy(details.cancelBy, details.readAt)],
      ['import', `${details.importId}, request ${details.request}${describePart(details.request)}`],
      ['blocked', blocked || undefined],
      ['last read', `${formatInstant(details.readAt)} UTC`],
    ],
    options,
  );
  const cells = details.rows.map(({ line, msisdn, status, message = '', whatToDo }) => [
    String(line),
    `+${msisdn}`,
    status,
    message,
    whatToDo,
  ]);
  const rowLines = cells.length === 0 ? [] : ['', ...formatTable(rowColumns, cells, options)];
  return [...pairs, ...rowLines, ...formatHistory(details.events, options)];
}

// Adopt: a port that was made elsewhere, such as in the portal, is followed as an import.

export const configureAdopt: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument('<port>', 'the id of the port, as ports shows it')
    .option(...becauseOption)
    .action(
      onTarget<[string, { readonly because?: string }]>(async (session, text, { because }) => {
        const item = await adopt(session, text.trim().toLowerCase(), because);
        if (session.json) await printJson(session, toImportJson(item));
        else await showAdopted(session, item);
        return importExitCode(item);
      }),
    );

/** @throws CliError when the port cannot be adopted */
async function adopt(session: Session, portId: string, because: string | undefined): Promise<ImportItem> {
  const { imports, resources, command } = session.target;
  if (!mayBePortId(portId)) {
    throw usageError(
      'This is not the id of a port: it may be a number or a PAC.',
      `To see the ports: ${nextCommand('ports')}`,
    );
  }
  const importId = adoptionId(resources.account, portId);
  const before = await imports.get(importId);
  await command({ adopt: portId, ...readActor(session, because) });
  // An earlier command may have been declined.
  const isAnswer = ({ state, changedAt }: ImportItem) =>
    state !== 'planning' && (state !== 'rejected' || changedAt !== before?.changedAt);
  const item = await awaitImport(session, importId, isAnswer);
  if (item.state !== 'rejected') return item;
  throw new CliError(`The port was not adopted: ${item.issues.map(({ message }) => message).join('; ')}.`, {
    code: 'declined',
    advice: `To see the ports: ${nextCommand('ports')}`,
  });
}

async function showAdopted(session: Session, item: ImportItem): Promise<void> {
  await session.terminal.lines(describeImport(session, item, await readImportProgress(session.target, item)));
  session.terminal.note(`\nTo follow it: ${nextCommand('status', item.importId)}`);
}
