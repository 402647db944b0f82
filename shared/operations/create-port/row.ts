// The columns of create-port and the cells that do not repeat. A limit per day may still move a row to another day:
// `create-port.ts` checks what depends on the day that is booked.

import * as z from 'zod/mini';
import { valueKinds } from '#shared/files/column-values.ts';
import { pacAliases } from '#shared/files/secret-columns.ts';
import { yesNo } from '#shared/operations/columns/cell-reader.ts';
import { accept, likelyCountry, readMsisdn, reportEmpty, uniqueIccid } from '#shared/operations/columns/sim-row.ts';
import { boltOnsColumn, servicesColumn } from '#shared/operations/columns/tariff-and-services.ts';
import {
  type Cells,
  type Column,
  column,
  type ImportContext,
  msisdnAliases,
  type Report,
  referenceColumn,
  repeatingColumn,
  simAliases,
  type ValidatedRow,
} from '#shared/operations/operation.ts';
import { describePrediction, type NumberPrediction } from '#shared/request/number-claim.ts';
import { type CalendarDate, daysBetween, parseCalendarDate } from '#shared/row/calendar-date.ts';
import { error, warning } from '#shared/row/issue.ts';
import { formatMsisdn, type Msisdn } from '#shared/row/msisdn.ts';
import { type Pac, parseLonePac, parsePac } from '#shared/row/pac.ts';
import type { CreatePortRow } from '#shared/service/contract.ts';

// The columns of a create-port file.

export const createPortColumns: readonly Column[] = [
  column('msisdn', {
    aliases: msisdnAliases,
    required: true,
    valueKind: 'msisdn',
    help: 'The number to port: 07…, 447… or +44 7…. Spaces, hyphens and brackets are ignored.',
    example: '07700 900123',
  }),
  column('serialNo', {
    aliases: ['serial number', ...simAliases],
    looksLike: valueKinds.iccid,
    valueKind: 'iccid',
    neededFor: 'the port types Port and MigrateIn',
    help: 'The serial number of the SIM (ICCID): 19 or 20 digits from 89. Not needed for MigrateInKeep.',
    example: '8944110068123456787',
  }),
  column('pac', {
    aliases: pacAliases,
    looksLike: /^(?=.*\d)[A-Z0-9+ -]{9,20}$/i,
    valueKind: 'pac',
    neededFor: 'the port type Port',
    isSecret: true,
    help: 'The UK PAC or French RIO. Required for Port, optional for migrations.',
    example: 'ABC123456',
  }),
  column('pacExpiry', {
    aliases: [
      'pac expiry date',
      'pac expires',
      'pac exp',
      'pac valid until',
      'pac valid to',
      'pac validity',
      'pac end date',
      'pac expiration',
      'pac expiration date',
      'pac code expiry',
      'pac code expiry date',
    ],
    mayBeNamed: ['pac date'],
    isDate: true,
    help: 'The last day on which the PAC is valid, YYYY-MM-DD. Must not be before the connection date.',
    example: '2026-07-31',
  }),
  repeatingColumn('portType', {
    aliases: ['porting type'],
    required: true,
    namesItems: true,
    help: 'Port, MigrateIn or MigrateInKeep.',
    example: 'Port',
  }),
  repeatingColumn('targetNetwork', {
    aliases: ['target network id', 'target network name', 'target', 'to network', 'gaining network', 'new network'],
    required: true,
    namesItems: true,
    help: 'The network to port to: its id or its exact name.',
    example: 'UK Mobile A',
  }),
  repeatingColumn('sourceNetwork', {
    aliases: [
      'source network id',
      'source network name',
      'source',
      'from network',
      'donor network',
      'losing network',
      'current network',
    ],
    required: true,
    namesItems: true,
    help: 'The network to port from: its id or its exact name.',
    example: 'Source Mobile One',
  }),
  repeatingColumn('connectionDate', {
    aliases: ['port date', 'porting date', 'port-in date', 'connection day', 'date'],
    isDate: true,
    required: true,
    help: 'The port date, YYYY-MM-DD, or auto for the earliest day that can be booked.',
    example: 'auto',
  }),
  repeatingColumn('tariff', {
    aliases: ['tariff id', 'tariff number', 'tariff name'],
    required: true,
    namesItems: true,
    help: 'The tariff: its number or its exact name.',
    example: '2001',
  }),
  boltOnsColumn,
  servicesColumn,
  repeatingColumn('esim', {
    aliases: ['is esim'],
    isYesNo: true,
    mayBeNamed: ['sim type', 'type of sim', 'sim format', 'sim kind', 'physical or esim'],
    looksLike: new RegExp(`${yesNo.looksLike.source}|^e-?sim$`, 'i'),
    help: 'Whether the SIM is an eSIM: true, false, yes or no. Empty means no.',
    example: 'false',
  }),
  repeatingColumn('provisioningOrder', {
    aliases: ['provisioning order number', 'provisioning order id', 'existing provisioning order', 'prov order'],
    neededFor: 'every SIM, unless a new provisioning order is named',
    namesItems: true,
    help: 'An existing provisioning order: its number or its exact name. Type-A networks only.',
    example: '5001',
  }),
  repeatingColumn('provisioningOrderName', {
    aliases: ['new provisioning order', 'new provisioning order name', 'name of provisioning order'],
    help: 'The name of a new provisioning order, at most 255 characters. One of the two order columns is required.',
    example: 'Field team',
  }),
  repeatingColumn('groupName', {
    aliases: ['group'],
    isLabel: true,
    help: 'A name for the rows with the same tariff, bolt-ons and services. If empty, it is made from the tariff.',
    example: 'Field team',
  }),
  referenceColumn,
];

// The columns of a create-port row that do not repeat: number, SIM and PAC.

/** What the other columns depend on in the repeating columns; nothing is checked against an unknown fact. */
export interface RowFacts {
  /** The port type, or what the cell may mean. */
  readonly portTypes: readonly string[];
  readonly connectionDate: CalendarDate | undefined;
  /** The row is sent on this day, because its date cannot be booked before. */
  readonly sendOn?: CalendarDate | undefined;
  readonly esim: boolean;
}

export const calendarDateSchema = z.custom<CalendarDate>(
  (text) => typeof text === 'string' && parseCalendarDate(text).ok,
);

/**
 * A row as stored in the plan: `serialNo` and `pac` in their wire form, the number in the account's `msisdnFormat`. All
 * but `pacExpiry` are fields of the call.
 */
export const createPortRowWire = z.object({
  msisdn: z.string(),
  serialNo: z.nullable(z.string()),
  pac: z.nullable(z.string()),
  esim: z.boolean(),
  pacExpiry: z.optional(calendarDateSchema),
} satisfies Partial<Record<keyof CreatePortRow | 'pacExpiry', z.ZodMiniType>>);
export type CreatePortRowWire = z.infer<typeof createPortRowWire>;

type CreatePortValidRow = ValidatedRow & { readonly wire: CreatePortRowWire };

/** Validates `msisdn`, `serialNo`, `pac` and `pacExpiry` (spec gaps 12, 18 to 22). */
export function checkCreatePortRow(
  cells: Cells,
  facts: RowFacts,
  report: Report,
  context: ImportContext,
): CreatePortValidRow | undefined {
  const { number: msisdn, isUnique } = readMsisdn(cells('msisdn'), report, context);
  const prediction = msisdn === undefined ? undefined : context.predictNumber?.(msisdn);
  const isNew = msisdn === undefined || checkPrediction(msisdn, prediction, report, context);
  const serialNo = checkSerialNo(cells('serialNo'), facts, report, context);
  const pac = checkPac(cells, msisdn, facts, report, context);
  const isWithheld = context.isWithheld?.('pac') === true;
  const hasPac = isWithheld ? needsPac(facts) : cells('pac') !== '';
  const pacExpiry = checkPacExpiry(cells('pacExpiry'), hasPac, facts, report);
  if (
    msisdn === undefined ||
    !isUnique ||
    !isNew ||
    serialNo === undefined ||
    pac === undefined ||
    pacExpiry === undefined
  )
    return undefined;
  if (prediction?.kind === 'cancelled') reportCancelled(msisdn, prediction, report);
  const { msisdnFormat, callingCode } = context.settings;
  const number = formatMsisdn(msisdn, msisdnFormat, callingCode);
  const wire = { msisdn: number, serialNo, pac, esim: facts.esim, pacExpiry: pacExpiry ?? undefined };
  return { subject: msisdn, wire, isAtRisk: expiresSoon(wire, facts.connectionDate) };
}

/** As long as a weekend: a port that misses a Friday is tried again on Monday. */
const mostDaysAtRisk = 3;

/** The PAC is valid on the connection date, and no longer if the port is late by a weekend. */
export const expiresSoon = ({ pacExpiry }: CreatePortRowWire, connectionDate: CalendarDate | undefined): boolean =>
  pacExpiry !== undefined && connectionDate !== undefined && daysBetween(connectionDate, pacExpiry) <= mostDaysAtRisk;

/** false: the number was ported before, and a port cannot be repeated. Submit decides about one in progress. */
function checkPrediction(
  msisdn: string,
  prediction: NumberPrediction | undefined,
  report: Report,
  { settings }: ImportContext,
): boolean {
  if (prediction === undefined || prediction.kind === 'cancelled') return true;
  const { code, message } = describePrediction(msisdn, prediction);
  if (prediction.kind === 'in-progress') {
    report('msisdn', warning(code, `${message}: the row is skipped if it still is when it is sent`));
    return true;
  }
  const { alreadyPorted: severity = 'error' } = settings;
  report('msisdn', { code, severity, message });
  return severity === 'warning';
}

function reportCancelled(msisdn: string, prediction: NumberPrediction, report: Report): void {
  const { code, message } = describePrediction(msisdn, prediction);
  report('msisdn', warning(code, `${message}: approve the plan to port it`));
}

/** null: the row has no serial and needs none. undefined: an error was reported. */
function checkSerialNo(
  text: string,
  { portTypes }: RowFacts,
  report: Report,
  context: ImportContext,
): string | null | undefined {
  if (text !== '') return uniqueIccid('serialNo', text, report, context);
  if (portTypes.length === 0 || portTypes.includes('MigrateInKeep')) return null;
  return reportEmpty('serialNo', report, `: a ${portTypes[0]} needs the SIM that gets the number`);
}

const needsPac = ({ portTypes }: RowFacts): boolean =>
  portTypes.length > 0 && portTypes.every((portType) => portType === 'Port');

function checkPac(
  cells: Cells,
  msisdn: Msisdn | undefined,
  facts: RowFacts,
  report: Report,
  context: ImportContext,
): Pac | null | undefined {
  if (context.isWithheld?.('pac') === true) return null;
  const text = cells('pac');
  if (text !== '' && msisdn !== undefined) return accept('pac', parsePac(text, msisdn), report);
  if (text !== '') {
    return accept('pac', parseLonePac(text, likelyCountry(cells('msisdn'), context.settings)), report);
  }
  if (!needsPac(facts)) return null;
  const message = 'pac must not be empty: a Port needs the PAC of the network that the number leaves';
  report('pac', error('PAC_REQUIRED', message));
  return undefined;
}

function checkPacExpiry(
  text: string,
  hasPac: boolean,
  facts: RowFacts,
  report: Report,
): CalendarDate | null | undefined {
  if (text === '') return checkUnknownExpiry(hasPac, facts, report);
  const expiry = accept('pacExpiry', parseCalendarDate(text), report);
  if (expiry === undefined || facts.connectionDate === undefined || expiry >= facts.connectionDate) return expiry;
  const message = `The PAC expires on ${expiry}, before the connection date ${facts.connectionDate}`;
  report('pacExpiry', error('PAC_EXPIRES_BEFORE_DATE', `${message}. Use an earlier date or a new PAC`));
  return undefined;
}

/** A PAC may expire before a row is sent that waits for its day. */
function checkUnknownExpiry(hasPac: boolean, { sendOn, connectionDate }: RowFacts, report: Report): null | undefined {
  if (sendOn === undefined || !hasPac) return null;
  const message = `pacExpiry must not be empty: the row is sent on ${sendOn}, and its PAC must be valid on ${connectionDate}`;
  report('pacExpiry', error('CELL_REQUIRED', message));
  return undefined;
}
