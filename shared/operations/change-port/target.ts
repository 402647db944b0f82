// Finds the port and the port row that a file row is about: by the port id, or by a number that was ported with
// simporter.

import type { Catalogue, KnownPort } from '#shared/operations/catalogue.ts';
import type { CellReader } from '#shared/operations/columns/cell-reader.ts';
import type { ValidationContext } from '#shared/operations/operation.ts';
import { type ChangeCheck, checkPortCancel, checkRowCancel } from '#shared/port/port-change.ts';
import { msisdnKey, parseMsisdn } from '#shared/row/msisdn.ts';
import { msisdnAliases, repeatingColumn } from '../kit/column.ts';

/** Both columns need a port lookup, so they are validated with the repeating columns. */
export const msisdnColumn = repeatingColumn('msisdn', {
  aliases: msisdnAliases,
  help: 'The number whose row in the port is meant.',
  example: '07700 900123',
});

export const portIdColumn = repeatingColumn('portId', {
  aliases: ['port', 'request id'],
  help: 'The id of the port. If empty, the port is found by its number, if it was ported with simporter.',
  example: '0f8fad5b-d9cb-469f-a165-70867728950e',
});

export interface ChangeTarget {
  readonly port: KnownPort;
  /** Absent where the file row has no number: the whole port is meant. */
  readonly row?: KnownPort['rows'][number];
}

/** undefined: it was reported. A number that is invalid or not in the port is reported, and the row is absent. */
export async function findTarget(
  cells: CellReader,
  { catalogue, settings }: ValidationContext,
): Promise<ChangeTarget | undefined> {
  const text = cells.text('msisdn');
  const parsed = text === '' ? undefined : parseMsisdn(text, settings);
  const number = parsed?.ok ? parsed.value : undefined;
  const portId = await choosePortId(number, catalogue, cells);
  if (portId === undefined) return undefined;
  const port = await findPort(portId, catalogue);
  if (port === undefined) {
    return cells.error('portId', 'PORT_UNKNOWN', `The service does not know port ${portId} in this account`);
  }
  // The row check reports an invalid number.
  if (number === undefined) return { port };
  const row = port.rows.find(({ msisdn }) => msisdnKey(msisdn, settings.callingCode) === number);
  if (row !== undefined) return { port, row };
  cells.error('msisdn', 'MSISDN_NOT_IN_PORT', `Port ${portId} does not contain ${number}`);
  return { port };
}

/** Spreadsheets and people write ids in upper case, the service compares them as it wrote them. */
async function findPort(portId: string, catalogue: Catalogue): Promise<KnownPort | undefined> {
  const lower = portId.toLowerCase();
  return (await catalogue.knownPort(portId)) ?? (lower === portId ? undefined : await catalogue.knownPort(lower));
}

/** Whether the row of the target can be cancelled while other rows stay; a row that was not found is not checked. */
export function checkTargetRow(target: ChangeTarget | undefined): ChangeCheck {
  if (target?.row === undefined) return 'due';
  const { port, row } = target;
  // What is wrong with the whole port is reported with its shape.
  return typeof checkPortCancel(port.statusName) === 'object' ? 'due' : checkRowCancel(port.statusName, row);
}

/** Whether a reading of the port lets rows be cancelled. That a row can only leave with all others is a warning. */
export const allowsCancel = ({ statusName }: KnownPort): boolean => checkPortCancel(statusName) === 'due';

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The service takes no other text as the id of a port. */
export const isPortId = (text: string): boolean => guid.test(text);

async function choosePortId(
  number: string | undefined,
  catalogue: Catalogue,
  cells: CellReader,
): Promise<string | undefined> {
  const text = cells.text('portId');
  if (isPortId(text)) return text;
  if (text !== '') {
    const message = `"${text}" is not a port id. A port id looks like ${portIdColumn.example}`;
    return cells.error('portId', 'PORT_ID_SHAPE', message);
  }
  if (number === undefined) return undefined;
  const found = await catalogue.findPortByNumber(number);
  return found ?? cells.error('msisdn', 'PORT_UNKNOWN', `${number} was not ported with simporter. Enter its portId`);
}
