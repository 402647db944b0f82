// What rows on SIMs share: number and SIM once in a file, the network, the ticket.

import type * as z from 'zod/mini';
import type { Catalogue } from '#shared/operations/catalogue.ts';
import {
  type AccountSettings,
  type Cells,
  column,
  type ImportContext,
  type Report,
  type RequestedServices,
  repeatingColumn,
  type Submission,
  simAliases,
  type ValidatedRow,
  type ValidatedShape,
} from '#shared/operations/operation.ts';
import type { PlannedRequest } from '#shared/request/request.ts';
import type { Parsed } from '#shared/row/cell.ts';
import { type Iccid, parseIccid } from '#shared/row/iccid.ts';
import { error } from '#shared/row/issue.ts';
import { type Msisdn, msisdnKey, parseMsisdn } from '#shared/row/msisdn.ts';
import { callingCodeOf } from '#shared/row/numbering-plan.ts';
import type { SubmissionPath } from '#shared/service/contract.ts';
import { isDecline } from '#shared/service/errors.ts';
import { CellReader } from './cell-reader.ts';
import { candidatesOf, findOption, type Option, reportUnknown, sharedBy } from './named-items.ts';

// The column of all operations on SIMs: the serial of the SIM, which is the subject of the row.

export const serialNumberColumn = column('serialNumber', {
  aliases: ['serialNo', ...simAliases],
  required: true,
  valueKind: 'iccid',
  help: 'The serial number of the SIM (ICCID): 19 or 20 digits from 89. Each SIM may be in a file once.',
  example: '8944110068123456787',
});

/** A row that has only the serial of the SIM. */
function checkSimRow(cells: Cells, report: Report, context: ImportContext): ValidatedRow | undefined {
  const subject = checkSerialNumber(cells, report, context);
  return subject === undefined ? undefined : { subject, wire: null };
}

/** Validates the column `serialNumber` (spec gap 21). @param zone see `uniqueIccid` */
export function checkSerialNumber(
  cells: Cells,
  report: Report,
  context: ImportContext,
  zone?: string,
): string | undefined {
  const text = cells('serialNumber');
  return text === '' ? reportEmpty('serialNumber', report) : uniqueIccid('serialNumber', text, report, context, zone);
}

// Numbers and SIM serials of a row. Each may be in a file once (spec gap 22).

/** Reads a cell of the column `msisdn`, which must not be empty. */
export function readMsisdn(text: string, report: Report, { settings, uniqueness }: ImportContext) {
  const number = text === '' ? reportEmpty('msisdn', report) : accept('msisdn', parseMsisdn(text, settings), report);
  const earlier = number && uniqueness.earlierLine('msisdn', number);
  if (earlier !== undefined) {
    report('msisdn', error('MSISDN_DUPLICATE_IN_FILE', `${number} is already on line ${earlier}`));
  }
  return { number, isUnique: number !== undefined && earlier === undefined };
}

/** The number in the cell; undefined where it is invalid or on an earlier line, which is reported. */
export function uniqueMsisdn(text: string, report: Report, context: ImportContext): Msisdn | undefined {
  const { number, isUnique } = readMsisdn(text, report, context);
  return isUnique ? number : undefined;
}

/** The calling code that an invalid number is written with; otherwise the account's. */
export const likelyCountry = (text: string, { callingCode }: AccountSettings): string =>
  (/^'?(\+|00)/.test(text) ? callingCodeOf(msisdnKey(text, callingCode)) : undefined) ?? callingCode;

/** How a SIM is known in a file. @param zone a SIM may be in the file once for each */
export const simInFile = (iccid: Iccid, zone: string): string =>
  zone === '' ? iccid : `${iccid} in ${zone.toLowerCase()}`;

/**
 * The SIM serial in `text`; undefined where it is invalid or on an earlier line, which is reported at `column`.
 * @param zone a SIM may be in the file once for each
 */
export function uniqueIccid(column: string, text: string, report: Report, { uniqueness }: ImportContext, zone = '') {
  const iccid: Iccid | undefined = accept(column, parseIccid(text), report);
  const earlier = iccid && uniqueness.earlierLine(column, simInFile(iccid, zone));
  if (earlier === undefined) return iccid;
  const where = zone === '' ? '' : ` with the zone ${zone}`;
  report(column, error('ICCID_DUPLICATE_IN_FILE', `${iccid} is already on line ${earlier}${where}`));
  return undefined;
}

/** The parsed value. Every finding is reported, including repairs. */
export function accept<Value>(column: string, parsed: Parsed<Value>, report: Report): Value | undefined {
  if (parsed.finding !== undefined) report(column, parsed.finding);
  return parsed.ok ? parsed.value : undefined;
}

/** An error for an empty cell that the row needs. */
export function reportEmpty(column: string, report: Report, reason = ''): undefined {
  report(column, error('CELL_REQUIRED', `${column} must not be empty${reason}`));
}

// The network whose lookups validate a row. The network of a SIM cannot be looked up, so the file names it.

/** A network as the lookups know it; the name is for messages. */
export interface LookupNetwork {
  readonly name: string;
  readonly networkNumber: number;
}

export const networkColumn = repeatingColumn('network', {
  aliases: ['network number', 'network name'],
  required: true,
  namesItems: true,
  help: 'The network of the SIM: its networkNumber or its exact name.',
  example: '101',
});

/**
 * Reads the column `network` (spec gap 1: lookups take the networkNumber). A name must be that of a network that
 * numbers can be ported to; a number is accepted if the service has tariffs for it. Returns the network, or what the
 * cell may mean where it names none, which was reported.
 */
export async function chooseLookupNetworks(catalogue: Catalogue, cells: CellReader): Promise<readonly LookupNetwork[]> {
  const named = await namedNetworks(catalogue);
  const isNamed = (one: string) => findOption(one, named) !== undefined;
  const text = cells.asNamed('network', cells.required('network') ?? '', isNamed);
  const known = findOption(text, named);
  if (known !== undefined) return [lookupNetwork(known)];
  const isShared = sharedBy(text, named).length > 0;
  if (!isShared && /^\d{1,9}$/.test(text) && (await hasTariffs(Number(text), catalogue))) {
    return [{ name: `network ${text}`, networkNumber: Number(text) }];
  }
  if (text !== '') reportUnknownNetwork(text, named, cells);
  return candidatesOf(text, named).map(lookupNetwork);
}

const lookupNetwork = ({ name, number: networkNumber }: Option): LookupNetwork => ({ name, networkNumber });

function reportUnknownNetwork(text: string, named: readonly Option[], cells: CellReader): void {
  const kind = { column: 'network', code: 'NETWORK_UNKNOWN', what: 'network', among: 'in this account' } as const;
  reportUnknown(text, named, kind, cells);
}

async function namedNetworks(catalogue: Catalogue): Promise<Option[]> {
  const types = await catalogue.networks();
  const networks = types.flatMap((type) => type.targetNetworks);
  // Several of them may have one number, under different names.
  return [
    ...new Map(networks.map(({ networkNumber: number, name }) => [`${number} ${name}`, { number, name }])).values(),
  ];
}

async function hasTariffs(networkNumber: number, catalogue: Catalogue): Promise<boolean> {
  try {
    return (await catalogue.tariffs(networkNumber)).length > 0;
  } catch (thrown) {
    if (isDecline(thrown)) return false;
    throw thrown;
  }
}

// The submissions on SIMs: options that the rows of a request share, SIM serials, one POST, and a ticket. The spec
// describes no states of a ticket, so an accepted ticket is the final state (spec gap 34), except where the service
// shows what the SIMs have.

/** What the repeating columns contain: the options of the call, and a label for people. */
export interface Options<Head> {
  readonly head: Head;
  readonly label: string;
}

type ChooseOptions<Head> = (cells: CellReader, context: ImportContext) => Promise<Options<Head> | undefined>;

/** Validates the repeating columns with `choose`, rows with `checkRow`. Rows with equal options share a request. */
export const checkOptions =
  <Head>(choose: ChooseOptions<Head>, checkRow = checkSimRow) =>
  async (cells: Cells, context: ImportContext): Promise<ValidatedShape> => {
    const reader = new CellReader(cells, context.meanings);
    const options = await choose(reader, context);
    const shape = options && { label: options.label, head: JSON.stringify(options.head) };
    return {
      ...(reader.hasErrors || shape === undefined ? {} : { shape }),
      findings: reader.findings,
      checkRow: (rowCells, rowReport) => checkRow(rowCells, rowReport, context),
    };
  };

interface TicketCall<Head> {
  readonly path: SubmissionPath;
  /** The plan is read back from a file, so its content is parsed. */
  readonly head: z.ZodMiniType<Head>;
  /** The body of the call; `name` is the name of the request. */
  readonly bodyOf: (head: Head, request: PlannedRequest, name: string) => unknown;
  /** @default nothing in the request depends on today's catalogue */
  readonly revalidate?: Submission['revalidate'];
  /** What the service shows of the SIMs once the ticket is done. @default - it shows nothing */
  readonly requestedServices?: (head: Head) => Omit<RequestedServices, 'sims'>;
  /** See `Submission`. @default false */
  readonly conflictsWithItself?: boolean;
}

/** SIMs are not claimed: setting a service twice does no harm, and a text is sent as often as it is requested. */
export const ticketSubmission = <Head>({
  path,
  head,
  bodyOf,
  revalidate,
  requestedServices,
  conflictsWithItself = false,
}: TicketCall<Head>): Submission => ({
  makes: 'ticket',
  claims: false,
  conflictsWithItself,
  // The SIMs of a call share only its options. A conflict that may answer a repeated call is never believed.
  splitsWhenDeclined: true,
  revalidate: revalidate ?? (async (request) => ({ send: request })),
  ...(requestedServices && {
    requestedServices: (request) => ({ ...requestedServices(head.parse(request.head)), sims: simsOf(request) }),
  }),
  call: (client, request, name) => client.submit(path, bodyOf(head.parse(request.head), request, name)),
});

const simsOf = ({ rows }: PlannedRequest): RequestedServices['sims'] =>
  rows.map(({ line, subject }) => ({ line, msisdn: '', serialNumber: subject }));

/** The SIMs of a request. */
export const serialNumbersOf = ({ rows }: PlannedRequest): string[] => rows.map(({ subject }) => subject);
