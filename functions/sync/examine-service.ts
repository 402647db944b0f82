// Examines how the service behaves where its specification is open, before the first import. Changes nothing.

import { portStatus, rowStatus } from '#shared/port/port-status.ts';
import type { ExamineAnswer, ServiceCheck } from '#shared/request/messages.ts';
import { fromWireDate, isWeekend } from '#shared/row/calendar-date.ts';
import type { MsisdnFormat } from '#shared/row/msisdn.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { PortingClient, PortingClientSettings } from '#shared/service/client.ts';
import type { PortDetail, PortList, TargetNetwork } from '#shared/service/contract.ts';
import { CredentialsRejected, isDecline, NotFound, PortingError } from '#shared/service/errors.ts';
import { defaultRetryPolicy } from '#shared/service/retry-policy.ts';
import { readIfPresent } from '#shared/service/scan-port-list.ts';
import { counted } from '#shared/text/wording.ts';
import { clockToleranceMs } from './intervals.ts';

export interface ExamineOptions {
  /** Opens a client that reads the secret as it is stored now. */
  readonly openClient: (settings: Pick<PortingClientSettings, 'fetch' | 'retry'>) => PortingClient;
  readonly wall: Clock;
  readonly settings: { readonly msisdnFormat: MsisdnFormat; readonly callingCode: string };
}

type Finding = Omit<ServiceCheck, 'check'>;

/** What the checks read once. */
interface Readings {
  readonly options: ExamineOptions;
  readonly client: PortingClient;
  readonly networks: readonly TargetNetwork[];
  /** Milliseconds from the wall clock to the `Date` header of an answer; NaN where there is none. */
  readonly aheadMs: number;
  /** Milliseconds that the call took. */
  readonly tookMs: number;
  /** Limits of calls that the service names in its headers. */
  readonly namedLimit: string | null;
  readonly list: PortList;
  /** The first port of the list. */
  readonly port: PortDetail | undefined;
}

const ok = (answer: string): Finding => ({ state: 'ok', answer });
const warning = (answer: string, advice: string): Finding => ({ state: 'warning', answer, advice });
const failed = (answer: string, advice: string): Finding => ({ state: 'error', answer, advice });
const noPort: Finding = { state: 'unknown', answer: 'no port of the account shows it yet' };

const pageSize = 50;

/** In the order of the output. A check that throws is reported as an error, and the other checks continue. */
const checks: Readonly<Record<string, (readings: Readings) => Finding | Promise<Finding>>> = {
  clock: compareClocks,
  networks: describeNetworks,
  holidays: describeHolidays,
  'page-base': findPageBase,
  'page-size': checkPageSize,
  'list-total': checkTotal,
  'list-order': describeOrder,
  dates: checkDates,
  statuses: checkStatuses,
  'status-ids': compareStatusIds,
  numbers: checkNumbers,
  'unknown-port': readUnknownPort,
  orders: readOrders,
  'call-limit': describeLimit,
};

/** @throws Error other than a `PortingFailure` */
export async function examineService(options: ExamineOptions): Promise<ExamineAnswer> {
  const readings = await readOnce(options).catch(describeAccess);
  if ('state' in readings) return { checks: [{ check: 'access', ...readings }] };
  const found: ServiceCheck[] = [{ check: 'access', ...ok('the service accepts the secret') }];
  for (const [check, run] of Object.entries(checks)) {
    found.push({ check, ...(await Promise.resolve(readings).then(run).catch(describeFailure)) });
  }
  return { checks: found };
}

async function readOnce(options: ExamineOptions): Promise<Readings> {
  const { openClient, wall } = options;
  let [headers, tookMs, answeredAt] = [new Headers(), 0, 0];
  const client = openClient({
    // A failure is an answer.
    retry: { ...defaultRetryPolicy, attempts: 1 },
    fetch: async (...call) => {
      const startedAt = wall();
      const answer = await fetch(...call);
      [headers, answeredAt] = [answer.headers, wall()];
      tookMs = answeredAt - startedAt;
      return answer;
    },
  });
  const networks = (await client.networks()).flatMap(({ targetNetworks }) => targetNetworks);
  const limit = ['ratelimit-limit', 'x-ratelimit-limit', 'x-rate-limit-limit'].map((name) => headers.get(name));
  const ofNetworks = { tookMs, aheadMs: Date.parse(headers.get('date') ?? '') - answeredAt };
  const list = await readFront(client);
  const [first] = list.data;
  return {
    options,
    client,
    networks,
    list,
    ...ofNetworks,
    namedLimit: limit.find((value) => value !== null) ?? null,
    port: first && (await client.port(first.id)),
  };
}

/** Where pages are counted from 0 and the list has one page, page 1 is empty. */
async function readFront(client: PortingClient): Promise<PortList> {
  const one = await client.listPorts(1, pageSize);
  return one.data.length === 0 && one.total > 0 ? client.listPorts(0, pageSize) : one;
}

function describeAccess(error: unknown): Finding {
  if (!(error instanceof PortingError)) throw error;
  const advice =
    error instanceof CredentialsRejected
      ? 'Store the client id and the secret that the service issued for this account.'
      : error.status === undefined
        ? 'Check service.baseUrl and service.authUrl, and whether the service accepts calls from this address.'
        : 'Check service.baseUrl and service.accountId.';
  return failed(error.message, advice);
}

function describeFailure(error: unknown): Finding {
  if (!(error instanceof PortingError)) throw error;
  return failed(error.message, 'The specification describes another answer: ask the operator of the service.');
}

function compareClocks({ aheadMs, tookMs }: Readings): Finding {
  if (Number.isNaN(aheadMs)) return { state: 'unknown', answer: 'answers have no Date header' };
  const difference = Math.max(0, Math.abs(aheadMs) - tookMs - 1000);
  if (difference <= clockToleranceMs) return ok('the clocks agree');
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return warning(
    `the clock of the service is ${seconds} s ${aheadMs > 0 ? 'ahead' : 'behind'}`,
    'Set the clock of this machine; if it is right, inform the operator of the service.',
  );
}

function describeNetworks({ networks }: Readings): Finding {
  if (networks.length > 0) return ok(counted(networks.length, 'network'));
  return warning('the account can port to no network', 'Ask the operator of the service to enable networks.');
}

function describeHolidays({ networks }: Readings): Finding {
  const days = networks.flatMap(({ upcomingHolidays }) => upcomingHolidays.map(fromWireDate));
  if (days.length === 0) return warning('no network has holidays', 'Ports on a bank holiday would be declined.');
  // A bank holiday may be on a weekend.
  const areMostWeekends = days.filter(isWeekend).length * 2 > days.length;
  return ok(areMostWeekends ? 'bank holidays and weekends are listed' : 'bank holidays are listed');
}

async function findPageBase({ client, list }: Readings): Promise<Finding> {
  if (list.total < 2) return noPort;
  const read = (page: number) => client.listPorts(page, 1);
  const [one, zero] = [await read(1), await readIfPresent(read, 0)];
  const isZero = zero.data.length > 0 && zero.data[0]?.id !== one.data[0]?.id;
  return ok(`the first page is ${isZero ? 0 : 1}`);
}

function checkPageSize({ list }: Readings): Finding {
  if (list.total <= 1) return noPort;
  const expected = Math.min(list.total, pageSize);
  if (list.data.length >= expected) return ok(`a page has up to ${pageSize} ports`);
  return failed(
    `a page of ${pageSize} has ${list.data.length} of ${list.total} ports`,
    'The list cannot prove that a port does not exist: ask the operator for pages of 50.',
  );
}

function checkTotal({ list: { total, totalPages, data } }: Readings): Finding {
  const pages = Math.ceil(total / pageSize);
  if (total < data.length || totalPages < pages) {
    return failed(
      `the list reports ${total} ports on ${totalPages} pages, and its first page has ${data.length}`,
      'Only a list that reports its length proves that a port does not exist: ask the operator.',
    );
  }
  return ok(`${counted(total, 'port')} on ${counted(totalPages, 'page')}`);
}

/** simporter assumes no order. */
function describeOrder({ list: { data } }: Readings): Finding {
  const days = data.map(({ connectionDate }) => connectionDate);
  if (new Set(days).size < 2) return noPort;
  const sorted = [...days].sort();
  const isSame = (other: readonly string[]) => days.every((day, index) => day === other[index]);
  if (isSame(sorted)) return ok('by date, oldest first');
  return ok(isSame(sorted.reverse()) ? 'by date, newest first' : 'not by date');
}

const localMidnight = /^\d{4}-\d{2}-\d{2}(T00:00:00(\.0+)?)?$/;
const utcMidnight = /^\d{4}-\d{2}-\d{2}T00:00:00(\.0+)?(Z|\+00:00)$/;

function checkDates({ list: { data } }: Readings): Finding {
  const dates = data.map(({ connectionDate }) => connectionDate);
  const other = dates.find((date) => !localMidnight.test(date) && !utcMidnight.test(date));
  if (other !== undefined) {
    return warning(
      `a port has the date ${other}, which is not midnight`,
      'simporter reads the first ten characters: compare this day with the portal of the service.',
    );
  }
  if (dates.length === 0) return noPort;
  return ok(dates.some((date) => utcMidnight.test(date)) ? 'dates are midnight in UTC' : 'dates have no time zone');
}

function checkStatuses({ list: { data }, port }: Readings): Finding {
  if (port === undefined) return noPort;
  const ports = [...data, port].map(({ statusName }) => portStatus(statusName));
  const rows = port.rows.map(({ statusName }) => rowStatus(statusName));
  const unknown = [...new Set([...ports, ...rows].filter(({ known }) => !known).map(({ label }) => label))];
  if (unknown.length === 0) return ok('every status is one of the specification');
  return warning(
    `the service has statuses that the specification does not name: ${unknown.join(', ')}`,
    'Such ports are followed and shown as the service names them. Please report these statuses.',
  );
}

/** simporter compares names only. */
function compareStatusIds({ list, port }: Readings): Finding {
  const listed = list.data[0];
  if (port === undefined || listed?.statusName !== port.statusName) return noPort;
  return ok(listed.status === port.status ? 'the same in every call' : 'different in the list and in the port');
}

function checkNumbers({ port, options: { settings } }: Readings): Finding {
  const [row] = port?.rows ?? [];
  if (row === undefined) return noPort;
  const format = formatOf(row.msisdn, settings.callingCode);
  if (format === settings.msisdnFormat) return ok(`numbers are written as ${format}`);
  if (format === undefined) return warning('numbers have an unknown form', 'Ask the operator which form it expects.');
  return warning(
    `the service writes numbers as ${format}, not as ${settings.msisdnFormat}`,
    `If the portal made this port, set account.msisdnFormat to ${format}.`,
  );
}

function formatOf(number: string, callingCode: string): MsisdnFormat | undefined {
  if (number.startsWith('+')) return 'e164plus';
  if (number.startsWith('0')) return 'national';
  return number.startsWith(callingCode) ? 'e164' : undefined;
}

async function readUnknownPort({ client }: Readings): Promise<Finding> {
  try {
    await client.port('00000000-0000-4000-8000-000000000000');
  } catch (error) {
    if (error instanceof NotFound) return ok('404');
    if (!isDecline(error)) throw error;
    return warning(
      `${error.status} instead of 404`,
      'A port that the service no longer shows stays in progress until a person resolves it.',
    );
  }
  return failed('a port that does not exist is answered', 'Ask the operator of the service.');
}

/** Reads the orders of each network. A Type-B network answers 409 (spec gap 5). */
async function readOrders({ networks, client }: Readings): Promise<Finding> {
  const numbers = [...new Set(networks.map(({ networkNumber }) => networkNumber))];
  let typeB = 0;
  for (const number of numbers) if ((await client.provisioningOrders(number)) === 'not-available') typeB += 1;
  return ok(`${counted(numbers.length - typeB, 'Type-A network')}, ${counted(typeB, 'Type-B network')}`);
}

function describeLimit({ namedLimit }: Readings): Finding {
  if (namedLimit !== null) return ok(`the service names a limit: ${namedLimit.slice(0, 100)}`);
  return {
    state: 'unknown',
    answer: 'the service names no limit',
    advice: 'Ask its operator, and set callsPerSecond.',
  };
}
