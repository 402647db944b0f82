// simporter port ID: one port, its rows, what blocks it, and its history.
import { portStatus, rowStatus } from '#shared/port/port-status.ts';
import { type ReadPort, readPortDetails } from '#shared/results/ports.ts';
import { notFoundError } from '../context/cli-error.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { printJson } from '../output/json.ts';
import { formatPairs, formatTable, type TableColumn } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { formatInstant } from '../output/text.ts';
import type { Target } from '../target/target.ts';
import { formatHistory } from '../views/port-history.ts';

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command.argument('<id>', 'the id that the service gave it').action(
    onTarget<[string]>(async (session, id) => {
      const { target, json, terminal } = session;
      const port = await readPort(target, id.trim().toLowerCase());
      if (json) await printJson(session, port.details);
      else await terminal.lines(describePort(port, terminal));
      const { actionRequired, concern } = port.item;
      return actionRequired > 0 || concern !== undefined ? exitCodes.actionRequired : exitCodes.done;
    }),
  );

async function readPort(target: Target, id: string): Promise<ReadPort> {
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

function describePort({ details, blocked }: ReadPort, { width, paint }: Terminal): string[] {
  const options = { width, paint };
  const pairs = formatPairs(
    [
      ['port', details.portId],
      ['name', details.name],
      ['status', details.status],
      ['what to do', details.concern ?? (portStatus(details.status).advice || undefined)],
      ['connection date', details.connectionDate.slice(0, 10)],
      [
        'cancel by',
        details.cancelBy && `${formatInstant(details.cancelBy)} UTC: the service locks the port after that`,
      ],
      ['import', `${details.importId}, request ${details.request}`],
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
