// simporter ports: every port of the account, also those that were made elsewhere, as the list was last read.
import { Option } from 'commander';
import { portStatus, portStatusNames } from '#shared/port/port-status.ts';
import {
  findPorts,
  openPortList,
  type PortFilter,
  type PortList,
  type PortRecord,
  portListCells,
  portListHeader,
  toListedPort,
} from '#shared/results/ports.ts';
import { parseMsisdn } from '#shared/row/msisdn.ts';
import { count, counted } from '#shared/text/wording.ts';
import { CliError, usageError } from '../context/cli-error.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { saveTable } from '../imports/save-report.ts';
import { addFileOptions, type FileOptions, parseCount, writesFile } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import { formatInstant } from '../output/text.ts';
import type { Session } from '../target/target.ts';
import { whenIdle } from '../target/when-idle.ts';
import { withTarget } from '../target/with-target.ts';

interface PortsOptions extends FileOptions {
  readonly status?: string;
  readonly own?: boolean;
  readonly foreign?: boolean;
  readonly number?: string;
  readonly limit: string;
  readonly refresh?: boolean;
}

export const configure: ConfigureCommand = (command, { run }) =>
  addFileOptions(command, 'write all of them, with their numbers')
    .option('--status <name>', 'only ports with this status')
    .addOption(new Option('--own', 'only ports that an import follows').conflicts('foreign'))
    .option('--foreign', 'only ports that were made elsewhere, such as in the portal')
    .option('--number <msisdn>', 'only ports with this number')
    .option('--limit <count>', 'how many to show', '20')
    .option('--refresh', 'first read the list from the service again')
    .action(
      run<[PortsOptions]>((context, options) => {
        const limit = parseCount('--limit', options.limit);
        return withTarget(context, async (session) => {
          const list = await openList(session, options.refresh === true);
          const found = findPorts(list, filterOf(session, options), session.target.ports);
          if (writesFile(options)) await save(session, found, options);
          else await show(session, list, await Array.fromAsync(found), limit);
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

async function show(session: Session, list: PortList, found: readonly PortRecord[], limit: number): Promise<void> {
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
