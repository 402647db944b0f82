// The operations update-port and cancel-port.

import * as z from 'zod/mini';
import { valueKinds } from '#shared/files/column-values.ts';
import { pacAliases } from '#shared/files/secret-columns.ts';
import {
  type ChangeCheck,
  type ChangeCommand,
  checkAmend,
  checkPortCancel,
  checkRowCancel,
  type PlannedChange,
  type PortRowReading,
  planChange,
} from '#shared/port/port-change.ts';
import type { ExcludedRow, PlannedRequest } from '#shared/request/request.ts';
import { closest } from '#shared/row/did-you-mean.ts';
import { error, type Finding, warning } from '#shared/row/issue.ts';
import { msisdnKey, parseMsisdn } from '#shared/row/msisdn.ts';
import { type Pac, parseLonePac, parsePac } from '#shared/row/pac.ts';
import type { PortingClient } from '#shared/service/client.ts';
import { type UpdatePortBody, updatePortRow } from '#shared/service/contract.ts';
import { guid } from '#shared/text/identity.ts';
import { counted, oneLine, truncate } from '#shared/text/wording.ts';
import { type Catalogue, type ChangeablePort, describeWithoutPort } from './catalogue.ts';
import { CellReader, yesNo } from './columns/cell-reader.ts';
import { accept, likelyCountry, readMsisdn, uniqueMsisdn } from './columns/sim-row.ts';
import {
  type Cells,
  column,
  type ImportContext,
  msisdnAliases,
  type Operation,
  type Report,
  type Revalidation,
  referenceColumn,
  repeatingColumn,
  type Shape,
  type Submission,
  type ValidatedRow,
  type ValidatedShape,
  type ValidationContext,
} from './operation.ts';

/** What all rows of one request share, as stored in the plan. */
export const changeHead = z.object({
  portId: z.string(),
  action: z.enum(['amend', 'cancel']),
  /** The port was named without its numbers. */
  whole: z.boolean(),
});

const changeRow = z.object({ pac: z.nullable(z.string()) });

/** After revalidation the head names the call, and each row has its part of the body; null for a row without a call. */
const callHead = z.object({ portId: z.string(), call: z.enum(['amend', 'cancel-rows', 'cancel-port', 'nothing']) });
const callRow = z.nullable(updatePortRow);

const updateRows: Call = (client, portId, Rows) => client.updatePort(portId, { Rows });
const calls: Readonly<Record<PlannedChange['call'], { readonly make: Call; readonly note: string }>> = {
  amend: { make: updateRows, note: 'The new PAC is set' },
  'cancel-rows': { make: updateRows, note: 'Cancelled. The other rows of the port continue' },
  'cancel-port': { make: (client, portId) => client.cancelPort(portId), note: 'Cancelled with the whole port' },
  nothing: { make: async () => {}, note: 'An earlier call has made this change, so nothing was sent again' },
};

const commandOf = (head: ChangeHead, { rows }: PlannedRequest, mayBeMade: boolean): ChangeCommand => ({
  ...head,
  mayBeMade,
  pacs: new Map(head.whole ? [] : rows.map(({ subject, wire }) => [subject, changeRow.parse(wire).pac] as const)),
});

const excludedRowsOf = ({ rows }: PlannedRequest, { rejected, madeBefore }: PlannedChange): ExcludedRow[] =>
  rows.flatMap(({ line, subject }) => {
    const message = rejected.get(subject) ?? madeBefore;
    return message === undefined ? [] : { line, subject, code: 'LINE_NOT_CHANGEABLE', message };
  });

const changeSubmission: Submission = {
  makes: 'change',
  claims: false,
  // A decline is about the port. Rows that take no change are skipped before the call.
  splitsWhenDeclined: false,
  revalidate,
  call,
  madeAlready,
};

/** Both columns need a port lookup, so they are validated with the repeating columns. */
const msisdnColumn = repeatingColumn('msisdn', {
  aliases: msisdnAliases,
  valueKind: 'msisdn',
  help: 'The number whose row in the port is meant.',
  example: '07700 900123',
});

const portIdColumn = repeatingColumn('portId', {
  looksLike: guid,
  aliases: ['port', 'request id'],
  help: 'The id of the port. If empty, the port is found by its number, if it was ported with simporter.',
  example: '0f8fad5b-d9cb-469f-a165-70867728950e',
});

/** The service takes no other text as the id of a port. */
export const isPortId = (text: string): boolean => guid.test(text);

// Cancel Port: cancels whole ports by their id, or the rows of numbers (spec, Cancel Port; spec gaps 28 and 31).

export const cancelPort: Operation = {
  name: 'cancel-port',
  purpose: 'cancel ports, or numbers of ports',
  columns: [
    {
      ...msisdnColumn,
      looksLike: valueKinds.msisdn,
      help: 'A number to cancel. Naming every number of a port also cancels the port.',
    },
    portIdColumn,
    repeatingColumn('wholePort', {
      ...yesNo,
      aliases: ['all numbers'],
      mayBeNamed: ['whole', 'entire port', 'all', 'cancel all'],
      help: 'yes cancels all numbers of the port in portId, for a row without msisdn. Such a file waits for approval.',
      example: 'yes',
    }),
    referenceColumn,
  ],
  checkShape: checkCancelShape,
  allowsChange: (cells, port, row) => (cells('msisdn') === '' || row !== undefined) && allowsCancel(port),
  submission: changeSubmission,
};

async function checkCancelShape(cells: Cells, context: ImportContext): Promise<ValidatedShape> {
  const reader = new CellReader(cells);
  // An empty cell, or a column that was not recognised, never reaches more than the row names.
  const whole = reader.boolean('wholePort') ?? false;
  checkIsNamed(reader, whole);
  const target = await findTarget(reader, context);
  // The row check must not keep the port itself: thousands of shapes stay in memory.
  const wholePort = target && rowOf(target.port.id, null);
  const shape = target && changeShape({ action: 'cancel', whole }, target, reader);
  const check = checkTargetRow(target);
  if (whole && target !== undefined) reader.report('wholePort', cancelsAll(target.port));
  return {
    ...(reader.hasErrors || shape === undefined ? {} : { shape }),
    findings: reader.findings,
    checkRow: (rowCells, rowReport) => (whole ? wholePort : checkCancelRow(rowCells, check, rowReport, context)),
  };
}

function checkIsNamed(reader: CellReader, whole: boolean): void {
  const isNumber = reader.text('msisdn') !== '';
  if (whole && isNumber) reader.error('wholePort', 'CELL_NOT_ALLOWED', 'Empty one of the two: msisdn, or wholePort');
  if (whole && reader.text('portId') === '') reader.error('portId', 'CELL_REQUIRED', 'Enter the portId of the port');
  if (whole || isNumber) return;
  const message = 'Enter the number to cancel. To cancel all numbers of a port, enter its portId and wholePort yes';
  reader.error('msisdn', 'CELL_REQUIRED', message);
}

const cancelsAll = (port: ChangeablePort): Finding =>
  warning('PORT_CANCELLED_WHOLE', `Cancels ${counted(port.rows.length, 'number')}: all of ${nameOf(port)}`);
const nameOf = ({ name }: ChangeablePort): string => truncate(oneLine(name), 80);

// The number of a file row, and the PAC that its port row gets.

/** @param pac null where the row is to be cancelled */
const rowOf = (subject: string, pac: Pac | null): ValidatedRow => ({
  subject,
  wire: { pac } satisfies z.infer<typeof changeRow>,
});

/**
 * A row to be cancelled (spec gaps 20 and 22). `check` is whether its port row can be cancelled while others stay: if
 * it cannot, only the cancellation of every row of the port helps, which is decided just before the call.
 */
function checkCancelRow(
  cells: Cells,
  check: ChangeCheck,
  report: Report,
  context: ImportContext,
): ValidatedRow | undefined {
  if (typeof check === 'object') {
    const message = `${check.impossible}. The row is skipped unless this file cancels every row of the port`;
    report('msisdn', warning('LINE_NOT_CHANGEABLE', message));
  }
  const subject = cells('msisdn') && uniqueMsisdn(cells('msisdn'), report, context);
  return subject ? rowOf(subject, null) : undefined;
}

/** A row that gets a new PAC (spec gap 19). `portRow` is undefined where it was not found, which was reported. */
function checkAmendRow(
  cells: Cells,
  portRow: PortRowReading | undefined,
  report: Report,
  context: ImportContext,
): ValidatedRow | undefined {
  const { number, isUnique } = readMsisdn(cells('msisdn'), report, context);
  const rowWith = (pac: Pac | null): ValidatedRow | undefined =>
    number !== undefined && isUnique ? rowOf(number, pac) : undefined;
  if (context.isWithheld?.('pac')) return rowWith(null);
  const text = cells('pac');
  if (text === '') {
    report('pac', error('PAC_REQUIRED', 'pac must not be empty. Enter the new PAC, or write cancel as the action'));
    return undefined;
  }
  const country = likelyCountry(cells('msisdn'), context.settings);
  const pac = accept('pac', number === undefined ? parseLonePac(text, country) : parsePac(text, number), report);
  if (pac === undefined) return undefined;
  const check = portRow === undefined ? 'due' : checkAmend(portRow, pac);
  if (typeof check === 'object') {
    report('pac', error('LINE_NOT_CHANGEABLE', check.impossible));
    return undefined;
  }
  return rowWith(pac);
}

// The group of a change: rows that request the same change of the same port share a request.

/** undefined: the port can no longer be cancelled, which is reported. Single rows are checked just before the call. */
function changeShape(
  { action, whole }: Omit<ChangeHead, 'portId'>,
  { port }: ChangeTarget,
  cells: CellReader,
): Shape | undefined {
  const check = action === 'cancel' ? checkPortCancel(port.statusName) : 'due';
  if (typeof check === 'object') {
    return cells.error(whole ? 'portId' : 'msisdn', 'PORT_NOT_CHANGEABLE', check.impossible);
  }
  const head: ChangeHead = { portId: port.id, action, whole };
  const label = `${action === 'amend' ? 'Amend' : 'Cancel'} ${whole ? '' : 'rows of '}${nameOf(port)}`;
  // Whether the whole port is cancelled depends on all rows of it in the file.
  return { label, head: JSON.stringify(head), ...(action === 'cancel' && { isTogether: true }) };
}

// The call that changes a port. It is decided on the port as it was just read, so nothing is requested that is done
// already: unlike a create, the call may be repeated (spec gaps 31 and 43).

type ChangeHead = z.infer<typeof changeHead>;
type Rows = UpdatePortBody['Rows'];

type Call = (client: PortingClient, portId: string, rows: Rows) => Promise<void>;

async function madeAlready(request: PlannedRequest, context: ValidationContext): Promise<string | undefined> {
  const now = await revalidate(request, { ...context, mayBeMade: true });
  if ('rejection' in now || (now.excludedRows ?? []).length > 0) return undefined;
  const { portId, call: left } = callHead.parse(now.send.head);
  return left === 'nothing' ? portId : undefined;
}

async function call(client: PortingClient, request: PlannedRequest): Promise<string> {
  const { portId, call: name } = callHead.parse(request.head);
  const rows = request.rows.flatMap(({ wire }) => callRow.parse(wire) ?? []);
  await calls[name].make(client, portId, rows);
  return portId;
}

async function revalidate(request: PlannedRequest, context: ValidationContext): Promise<Revalidation> {
  const { catalogue, settings, mayBeMade = false } = context;
  const head = changeHead.parse(request.head);
  const port = await catalogue.port(head.portId, 'fresh');
  if (port === undefined) return { rejection: error('PORT_UNKNOWN', `The service does not know port ${head.portId}`) };
  const portRows = new Map(port.rows.map((row) => [msisdnKey(row.msisdn, settings.callingCode), row]));
  const change = planChange(commandOf(head, request, mayBeMade), { statusName: port.statusName, rows: portRows });
  if (change.rejection !== undefined) return { rejection: error('PORT_NOT_CHANGEABLE', change.rejection) };
  const excludedRows = excludedRowsOf(request, change);
  const rows = request.rows
    .filter(({ line }) => !excludedRows.some((row) => row.line === line))
    .map((row) => {
      const written = portRows.get(row.subject)?.msisdn ?? row.subject;
      return { ...row, wire: change.numbers.has(row.subject) ? bodyRow(written, row) : null };
    });
  return {
    send: { ...request, head: { portId: head.portId, call: change.call }, rows },
    note: calls[change.call].note,
    excludedRows,
  };
}

/** `Msisdn` exactly as Port Detail shows it, and no PAC where the row is cancelled (spec gap 31). */
function bodyRow(Msisdn: string, { wire }: PlannedRequest['rows'][number]): Rows[number] {
  const { pac } = changeRow.parse(wire);
  return pac === null
    ? { Msisdn, PortRowStatus: 'CancellationRequested' }
    : { Msisdn, Pac: pac, PortRowStatus: 'Amended' };
}

// Finds the port and the port row that a file row is about: by the port id, or by a number that was ported with
// simporter.

interface ChangeTarget {
  readonly port: ChangeablePort;
  /** Absent where the file row has no number: the whole port is meant. */
  readonly row?: ChangeablePort['rows'][number];
}

/** undefined: it was reported. A number that is invalid or not in the port is reported, and the row is absent. */
async function findTarget(
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
const findPort = async (portId: string, { knownPort }: Catalogue): Promise<ChangeablePort | undefined> =>
  (await knownPort(portId)) ?? (portId === portId.toLowerCase() ? undefined : knownPort(portId.toLowerCase()));

/** Whether the row of the target can be cancelled while other rows stay; a row that was not found is not checked. */
function checkTargetRow(target: ChangeTarget | undefined): ChangeCheck {
  if (target?.row === undefined) return 'due';
  const { port, row } = target;
  // What is wrong with the whole port is reported with its shape.
  return typeof checkPortCancel(port.statusName) === 'object' ? 'due' : checkRowCancel(port.statusName, row);
}

/** Whether a reading of the port lets rows be cancelled. That a row can only leave with all others is a warning. */
const allowsCancel = ({ statusName }: ChangeablePort): boolean => checkPortCancel(statusName) === 'due';

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
  if (found !== undefined) return found;
  return cells.error('msisdn', 'PORT_UNKNOWN', describeWithoutPort(number, await catalogue.findScheduled(number)));
}

// Update Port: gives rows of a port a new PAC, or cancels them (spec, Update Port; spec gaps 28 and 31).

const actions = ['amend', 'cancel'] as const;

export const updatePort: Operation = {
  name: 'update-port',
  purpose: 'give numbers of a port new PACs, or cancel them',
  columns: [
    { ...msisdnColumn, required: true },
    column('pac', {
      aliases: pacAliases,
      isSecret: true,
      help: 'The new PAC or RIO. Empty if the row is to be cancelled.',
      example: 'ABC123456',
    }),
    repeatingColumn('action', {
      mayBeNamed: ['change', 'what to do', 'cancel'],
      looksLike: /^(?:amend|cancel)/i,
      help: 'amend sets the new PAC, cancel takes the row out of the port. Empty means amend.',
      example: 'amend',
    }),
    portIdColumn,
    referenceColumn,
  ],
  checkShape: checkUpdateShape,
  allowsChange: (cells, port, row) =>
    row !== undefined &&
    (cells('action').toLowerCase() === 'cancel' ? allowsCancel(port) : checkAmend(row, cells('pac')) === 'due'),
  submission: changeSubmission,
};

async function checkUpdateShape(cells: Cells, context: ImportContext): Promise<ValidatedShape> {
  const reader = new CellReader(cells);
  const action = cells('action') === '' ? 'amend' : reader.oneOf('action', actions);
  const likely = action ?? closest(cells('action'), actions)[0];
  const target = await findTarget(reader, context);
  const shape = action && target && changeShape({ action, whole: false }, target, reader);
  // The row check must not keep the port itself: thousands of shapes stay in memory.
  const portRow = target?.row;
  const check = checkTargetRow(target);
  const checkRow = (rowCells: Cells, rowReport: Report) => {
    if (likely === 'amend') return checkAmendRow(rowCells, portRow, rowReport, context);
    const row = checkCancelRow(rowCells, likely === undefined ? 'due' : check, rowReport, context);
    if (likely === undefined || rowCells('pac') === '') return row;
    rowReport('pac', error('CELL_NOT_ALLOWED', 'A row that is cancelled takes no pac. Leave pac or action empty'));
    return undefined;
  };
  return { ...(reader.hasErrors || shape === undefined ? {} : { shape }), findings: reader.findings, checkRow };
}
