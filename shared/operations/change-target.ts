// Which port, and which line of it, a row is about: by the port's id, or by a number that this product has sent.
import { error } from '#shared/domain/issue.ts';
import { parseMsisdn } from '#shared/domain/msisdn.ts';
import { msisdnKey } from '#shared/domain/port-look.ts';
import type { PortDetail, PortRow } from '#shared/porting/contract.ts';
import type { Catalogue } from './catalogue.ts';
import { column } from './column.ts';
import type { AccountSettings, Cells } from './operation.ts';
import type { ShapeReport } from './shape-report.ts';

/** Both columns name a port that must be looked up, so they are judged together with what repeats. */
export const msisdnColumn = column('msisdn', {
  aliases: ['mobile number', 'mobile', 'phone number', 'number', 'telephone number', 'ctn'],
  repeats: true,
  help: 'The number whose line of a port is meant.',
  example: '07700 900123',
});

export const portIdColumn = column('portId', {
  aliases: ['port', 'request id'],
  repeats: true,
  help: 'The port; found by the number where it was sent from here.',
  example: '0f8fad5b-d9cb-469f-a165-70867728950e',
});

export interface ChangeTarget {
  readonly port: PortDetail;
  /** Absent where the row names no number: the whole port is meant. */
  readonly line?: PortRow;
}

type TargetContext = { readonly catalogue: Catalogue; readonly settings: AccountSettings };

/** undefined: it was reported, or the number cannot be read, which is for the row to report. */
export async function findTarget(
  cells: Cells,
  { catalogue, settings }: TargetContext,
  report: ShapeReport,
): Promise<ChangeTarget | undefined> {
  const text = cells('msisdn');
  const parsed = text === '' ? undefined : parseMsisdn(text, settings);
  if (parsed?.ok === false) return undefined;
  const number = parsed?.value;
  const portId = await choosePortId(cells('portId'), number, catalogue, report);
  if (portId === undefined) return undefined;
  const port = await catalogue.port(portId);
  if (port === undefined) {
    report.add('portId', error('PORT_UNKNOWN', `the service knows no port ${portId} of this account`));
    return undefined;
  }
  if (number === undefined) return { port };
  const line = port.rows.find((row) => msisdnKey(row.msisdn, settings.callingCode) === number);
  if (line !== undefined) return { port, line };
  report.add('msisdn', error('MSISDN_NOT_IN_PORT', `the port ${portId} does not hold ${number}`));
  return undefined;
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function choosePortId(
  text: string,
  number: string | undefined,
  catalogue: Catalogue,
  report: ShapeReport,
): Promise<string | undefined> {
  if (guid.test(text)) return text;
  if (text !== '') {
    report.add('portId', error('PORT_ID_SHAPE', `"${text}" is not the id of a port, such as ${portIdColumn.example}`));
    return undefined;
  }
  if (number === undefined) return undefined;
  const found = await catalogue.portOf(number);
  if (found === undefined) {
    report.add('msisdn', error('PORT_UNKNOWN', `${number} was not ported from here, so its portId must be given`));
  }
  return found;
}
