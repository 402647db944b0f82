// simporter port ID: one port, its lines, what holds it up, and how it came there.
import { Command } from 'commander';
import { hostages } from '#shared/domain/hostages.ts';
import type { PortEvent, PortItem, PortRowState } from '#shared/domain/ledger.ts';
import { portStatus, rowStatus } from '#shared/domain/lifecycle.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { usageFailure } from '../failure.ts';
import { hint } from '../hint.ts';
import type { PortJson } from '../json-shapes.ts';
import { printJson } from '../output/json.ts';
import { formatPairs, formatTable, type TableColumn } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { instantText } from '../show-import.ts';
import { type Target, withTarget } from '../target.ts';

export const portCommand = ({ action }: CommandContext): Command =>
  new Command('port')
    .description('Show a port: its lines, what holds it up, its history.')
    .argument('<id>', 'the id that the service gave it')
    .action(
      action<[string]>((session, id) =>
        withTarget(session, async (target) => {
          const port = await readPort(target, id.trim().toLowerCase());
          if (session.json) await printJson(session.terminal, portJsonOf(port));
          else await session.terminal.lines(describePort(port, session.terminal));
          return port.item.attention > 0 || port.item.concern !== undefined ? exitCodes.attention : exitCodes.done;
        }),
      ),
    );

interface PortRead {
  readonly item: PortItem;
  readonly rows: readonly PortRowState[];
  readonly events: readonly PortEvent[];
}

async function readPort(target: Target, id: string): Promise<PortRead> {
  const item = await target.ports.get(id);
  if (item === undefined) {
    throw usageFailure(`simporter made no port "${id}".`, `To see the port of a number: ${hint('number MSISDN')}`);
  }
  const [rows, events] = await Promise.all([target.ports.rows(id), target.ports.events(id)]);
  return { item, rows: rows ?? [], events };
}

function portJsonOf({ item, rows, events }: PortRead): PortJson {
  const { held, holders } = hostages(gateRows(rows));
  const { portId, name, status, importId, request, connectionDate, rowCount, goodLines, badLines } = item;
  return {
    ...{ portId, name, status, importId, request, connectionDate, rowCount, goodLines, badLines },
    ...(item.concern === undefined ? {} : { concern: item.concern }),
    ...(item.cancelBy === undefined ? {} : { cancelBy: item.cancelBy }),
    lookedAt: item.lookedAt,
    changedAt: item.changedAt,
    rows: rows.map((row) => ({
      ...row,
      whatToDo: rowStatus(row.status).advice,
      heldBy: held.includes(row.msisdn) ? [...holders] : [],
    })),
    events: events.map(({ at, status: became, was }) => ({
      at,
      status: became,
      ...(was === undefined ? {} : { was }),
    })),
  };
}

const gateRows = (rows: readonly PortRowState[]) => rows.map(({ msisdn, status }) => ({ msisdn, statusName: status }));

const rowColumns: readonly TableColumn[] = [
  { header: 'line', align: 'right' },
  { header: 'number' },
  { header: 'status', style: (cell) => (rowStatus(cell).attention ? 'yellow' : undefined) },
  { header: 'message', shrinks: true },
  { header: 'what to do', shrinks: true },
];

function describePort({ item, rows, events }: PortRead, { width, paint }: Terminal): string[] {
  const look = { width, paint };
  const pairs = formatPairs(
    [
      ['port', item.portId],
      ['name', item.name],
      ['status', item.status],
      ['what to do', item.concern ?? (portStatus(item.status).advice || undefined)],
      ['connection date', item.connectionDate.slice(0, 10)],
      ['cancel by', item.cancelBy && `${instantText(item.cancelBy)} UTC: the service locks it after that`],
      ['import', `${item.importId}, request ${item.request}`],
      ['held up', hostages(gateRows(rows)).summary || undefined],
      ['last looked at', `${instantText(item.lookedAt)} UTC`],
    ],
    look,
  );
  const cells = rows.map(({ line, msisdn, status, message }) => [
    String(line),
    `+${msisdn}`,
    status,
    message ?? '',
    rowStatus(status).advice,
  ]);
  const history = events.map(({ at, was, status }) => [instantText(at), was ?? '', status]);
  return [
    ...pairs,
    ...(cells.length > 0 ? ['', ...formatTable(rowColumns, cells, look)] : []),
    ...(history.length > 0
      ? ['', ...formatTable([{ header: 'when (UTC)' }, { header: 'was' }, { header: 'became' }], history, look)]
      : []),
  ];
}
