// The call of a create-port request: validated again with today's catalogue, then sent as one body.
import * as z from 'zod/mini';
import type { Catalogue, Freshness } from '#shared/operations/catalogue.ts';
import {
  bookDate,
  bookInCycle,
  bookOrSchedule,
  type ConnectionDate,
  type Cycle,
  holidaysOf,
  todayOf,
} from '#shared/operations/columns/connection-date.ts';
import { findOrderNumber } from '#shared/operations/columns/tariff-and-services.ts';
import type {
  BookingContext,
  MovablePort,
  RequestedServices,
  Rescheduled,
  Revalidation,
  Submission,
  ValidationContext,
} from '#shared/operations/operation.ts';
import { isRowLeaving } from '#shared/port/port-change.ts';
import type { PlannedRequest, PlannedRow } from '#shared/request/request.ts';
import { holidaysBefore } from '#shared/row/booking-window.ts';
import { type CalendarDate, fromWireDate, toWireDate } from '#shared/row/calendar-date.ts';
import { error, type Finding, type IssueCode } from '#shared/row/issue.ts';
import { type Msisdn, msisdnKey } from '#shared/row/msisdn.ts';
import { parsePac } from '#shared/row/pac.ts';
import {
  type CreatePortBody,
  type CreatePortRow,
  serviceSetting,
  type TargetNetwork,
} from '#shared/service/contract.ts';
import { type CreatePortRowWire, calendarDateSchema, createPortRowWire } from './row.ts';

/** What all rows of one Create Port share, as stored in the plan. */
export const createPortHead = z.object({
  portType: z.string(),
  targetNetworkId: z.int(),
  networkNumber: z.int(),
  sourceNetworkId: z.int(),
  connectionDate: calendarDateSchema,
  /** The row had `auto`, so the date may be rolled forward (spec gap 10). */
  auto: z.boolean(),
  /** With a limit of numbers a day: the day that planning chose. It stays when the date changes. */
  place: z.optional(calendarDateSchema),
  why: z.optional(z.string()),
  groupName: z.string(),
  tariffId: z.int(),
  boltOns: z.array(z.int()),
  services: z.nullable(z.array(serviceSetting)),
  provisioningOrder: z.nullable(z.int()),
  provisioningOrderName: z.nullable(z.string()),
});
export type CreatePortHead = z.infer<typeof createPortHead>;

export const createPortSubmission: Submission = {
  makes: 'port',
  // Each part would be a port, and no key shows that a declined port was not created.
  splitsWhenDeclined: false,
  claims: true,
  revalidate,
  precheck,
  call: (client, request, name) => client.createPort(createPortBodyOf(request, name)),
  reschedule,
  rowsLeft,
  requestedServices,
};

/**
 * The same call for another date, from the current state of the port: without its cancelled rows, and with its
 * current PACs. The date is validated like that of a new file, so nothing is cancelled for a date that cannot be
 * booked.
 */
async function reschedule(
  request: PlannedRequest,
  port: MovablePort,
  date: CalendarDate | 'auto',
  context: ValidationContext,
): Promise<Rescheduled> {
  const head = createPortHead.parse(request.head);
  const target = await findTarget(head, context.catalogue);
  if (target === undefined) return { rejection: networkNotOffered(head) };
  const chosen =
    date === 'auto'
      ? bookAuto(await cycleOf(head, request, context), target, todayOf(context))
      : bookDate(date, target, todayOf(context));
  if ('code' in chosen) return { rejection: chosen };
  if (chosen.sendOn !== undefined) return { rejection: notYet(chosen.date, chosen.sendOn) };
  const withdrawn = await findWithdrawn(head, target, context.catalogue);
  if (withdrawn !== undefined) return { rejection: withdrawn };
  const booked = fromWireDate(port.connectionDate);
  if (chosen.date === booked) {
    return { rejection: error('PORT_NOT_CHANGEABLE', `The port is already booked for ${booked}`) };
  }
  const rows = rowsLeft(request, port, context.settings.callingCode);
  const expired = expiringBefore(chosen.date, { ...request, rows });
  if (expired !== undefined) {
    const message = `The PAC of line ${expired} expires before ${chosen.date}. Use an earlier date or a new PAC`;
    return { rejection: error('PAC_EXPIRES_BEFORE_DATE', message) };
  }
  const { date: connectionDate, auto, why } = chosen;
  const label = request.label.replaceAll(head.connectionDate, connectionDate);
  return { move: { label, head: { ...head, connectionDate, auto, why }, rows }, why };
}

/** In the order of the plan. An amended PAC is only in the port. A row whose cancellation is requested has left. */
function rowsLeft({ rows }: PlannedRequest, port: MovablePort, callingCode: string): PlannedRow[] {
  const staying = port.rows.filter((row) => !isRowLeaving(row));
  const live = new Map(staying.map((row) => [msisdnKey(row.msisdn, callingCode), row]));
  return rows.flatMap((row) => {
    const portRow = live.get(row.subject);
    if (portRow === undefined) return [];
    const wire = createPortRowWire.parse(row.wire);
    const pac = parsePac(portRow.pac ?? '', row.subject as Msisdn);
    // Of a port that was made elsewhere, only the port has the PAC, in a notation that the service took.
    return [{ ...row, wire: { ...wire, pac: pac.ok ? pac.value : (wire.pac ?? (portRow.pac || null)) } }];
  });
}

function requestedServices({ head, rows }: PlannedRequest): RequestedServices | undefined {
  const { networkNumber, services } = createPortHead.parse(head);
  if (services === null || services.length === 0) return undefined;
  const sims = rows.map(({ line, subject, wire }) => ({
    line,
    msisdn: subject,
    serialNumber: createPortRowWire.parse(wire).serialNo,
  }));
  return { networkNumber, services, sims };
}

/** What all rows of a request share: each field of the contract that a row does not have itself. */
type SharedFields = Required<Omit<CreatePortRow, keyof CreatePortRowWire>>;

/** The body of Create Port for a planned request; `name` is the name of the port. */
export function createPortBodyOf(request: PlannedRequest, name: string): CreatePortBody {
  const head = createPortHead.parse(request.head);
  const { groupName, tariffId, boltOns, services, provisioningOrder, provisioningOrderName } = head;
  const shared: SharedFields = { groupName, tariffId, boltOns, services, provisioningOrder, provisioningOrderName };
  return {
    name,
    targetNetworkId: head.targetNetworkId,
    sourceNetworkId: head.sourceNetworkId,
    connectionDate: toWireDate(head.connectionDate),
    portType: head.portType,
    rows: request.rows.map(({ wire }) => {
      const { pacExpiry: _, ...row } = createPortRowWire.parse(wire);
      return { ...shared, ...row };
    }),
  };
}

/** A file that waited may be too late for its date, and its order may exist by now (spec gaps 10 and 17). */
async function revalidate(request: PlannedRequest, context: ValidationContext): Promise<Revalidation> {
  const head = createPortHead.parse(request.head);
  const bookable = await bookableToday(request, head, context);
  if ('code' in bookable) return { rejection: bookable };
  const { target, chosen } = bookable;
  if (chosen.sendOn !== undefined) return { rejection: notYet(chosen.date, chosen.sendOn), sendOn: chosen.sendOn };
  const order = await resolveOrder(head, request, context);
  const send = { ...request, head: { ...head, connectionDate: chosen.date, ...order } };
  const before = holidaysBefore(chosen.date, holidaysOf(target));
  const holidays = before.length === 0 ? {} : { holidays: before };
  if (chosen.date === head.connectionDate) return { send, ...holidays };
  return { send, ...holidays, note: `Moved from ${head.connectionDate} to ${chosen.date}: ${chosen.why}` };
}

/** A kept list of networks is enough to confirm the planned date; any other result needs a fresh one. */
async function bookableToday(request: PlannedRequest, head: CreatePortHead, context: ValidationContext) {
  const { catalogue, readDayCycle } = context;
  const today = todayOf(context);
  const kept = await bookableOn(today, request, head, { catalogue, readDayCycle });
  if ('chosen' in kept && kept.chosen.date === head.connectionDate) return kept;
  return bookableOn(today, request, head, { catalogue, readDayCycle }, 'fresh');
}

async function precheck(request: PlannedRequest, today: CalendarDate, booking: BookingContext) {
  const head = createPortHead.parse(request.head);
  const bookable = await bookableOn(today, request, head, booking);
  if ('code' in bookable) return bookable;
  const { date, sendOn } = bookable.chosen;
  if (sendOn) return notYet(date, sendOn);
  return findMissingPac(request, head) ?? findWithdrawn(head, bookable.target, booking.catalogue);
}

/** What the request names and the service no longer offers: it would decline the request once the port is cancelled. */
async function findWithdrawn(
  { networkNumber, sourceNetworkId, tariffId, boltOns, services }: CreatePortHead,
  { name, sourceNetworks }: TargetNetwork,
  catalogue: Catalogue,
): Promise<Finding | undefined> {
  const gone = (code: IssueCode, what: string) => error(code, `${what} is no longer offered on ${name}`);
  if (!sourceNetworks.some(({ id }) => id === sourceNetworkId))
    return gone('SOURCE_NETWORK_UNKNOWN', `Source network ${sourceNetworkId}`);
  const isOffered = (wanted: number) => (each: { readonly number: number }) => each.number === wanted;
  if (!(await catalogue.tariffs(networkNumber)).some(isOffered(tariffId)))
    return gone('TARIFF_UNKNOWN', `Tariff ${tariffId}`);
  const offered = boltOns.length === 0 ? [] : await catalogue.boltOns(tariffId);
  const boltOn = boltOns.find((one) => !offered.some(isOffered(one)));
  if (boltOn !== undefined) return gone('BOLT_ON_UNKNOWN', `Bolt-on ${boltOn}`);
  const groups = services === null ? [] : await catalogue.services(networkNumber, tariffId);
  const names = new Set(groups.flatMap((group) => group.services).map((service) => service.name));
  const service = services?.find((one) => !names.has(one.name));
  return service && gone('SERVICE_UNKNOWN', `Service ${service.name}`);
}

/** The service shows no PAC of a port that was made elsewhere. */
function findMissingPac({ rows }: PlannedRequest, { portType }: CreatePortHead): Finding | undefined {
  const missing = rows.find(({ wire }) => portType === 'Port' && createPortRowWire.parse(wire).pac === null);
  return missing && error('PAC_REQUIRED', `the PAC of line ${missing.line} is not known, so no other port can have it`);
}

const notYet = (date: CalendarDate, sendOn: CalendarDate): Finding =>
  error('DATE_TOO_LATE', `${date} can be booked from ${sendOn} on`);

/** undefined: any number of rows may be ported on one day. */
async function cycleOf(
  { place }: CreatePortHead,
  { importId }: PlannedRequest,
  { readDayCycle }: BookingContext,
): Promise<Cycle | undefined> {
  const length = place === undefined ? undefined : await readDayCycle?.(importId);
  return place === undefined || length === undefined ? undefined : { day: place, length };
}

const bookAuto = (cycle: Cycle | undefined, target: TargetNetwork, today: CalendarDate): ConnectionDate | Finding =>
  cycle === undefined ? bookDate('auto', target, today) : bookInCycle(cycle, target, today);

/** The network and the date for which the request can be booked today. */
async function bookableOn(
  today: CalendarDate,
  request: PlannedRequest,
  head: CreatePortHead,
  booking: BookingContext,
  freshness?: Freshness,
): Promise<{ readonly target: TargetNetwork; readonly chosen: ConnectionDate } | Finding> {
  const target = await findTarget(head, booking.catalogue, freshness);
  if (target === undefined) return networkNotOffered(head);
  const chosen = await chooseDateAgain(head, target, request, today, booking);
  return 'code' in chosen ? chosen : { target, chosen };
}

const networkNotOffered = ({ targetNetworkId, portType }: CreatePortHead): Finding =>
  error('TARGET_NETWORK_UNKNOWN', `Network ${targetNetworkId} is no longer offered for ${portType}`);

async function findTarget(
  head: CreatePortHead,
  catalogue: Catalogue,
  freshness?: Freshness,
): Promise<TargetNetwork | undefined> {
  const types = await catalogue.networks(freshness);
  const portType = types.find((type) => type.portTypeName === head.portType);
  return portType?.targetNetworks.find((network) => network.id === head.targetNetworkId);
}

/** The planned date if it can be booked, now or later; otherwise, for `auto`, one before which no PAC expires. */
async function chooseDateAgain(
  head: CreatePortHead,
  target: TargetNetwork,
  request: PlannedRequest,
  today: CalendarDate,
  booking: BookingContext,
): Promise<ConnectionDate | Finding> {
  const asPlanned = (head.auto ? bookDate : bookOrSchedule)(head.connectionDate, target, today);
  if ('date' in asPlanned) return asPlanned;
  const unavailable = (reason: string) =>
    error('DATE_NO_LONGER_AVAILABLE', `${head.connectionDate} can no longer be booked: ${reason}`);
  if (!head.auto) return unavailable(asPlanned.message);
  const later = bookAuto(await cycleOf(head, request, booking), target, today);
  if (!('date' in later)) return unavailable(later.message);
  const expired = expiringBefore(later.date, request);
  if (expired === undefined) return later;
  return unavailable(`the next date is ${later.date}, and the PAC of line ${expired} expires before`);
}

const expiringBefore = (date: CalendarDate, request: PlannedRequest): number | undefined =>
  request.rows.find(({ wire }) => {
    const { pacExpiry } = createPortRowWire.parse(wire);
    return pacExpiry !== undefined && pacExpiry < date;
  })?.line;

/** Another request of the import may have created the order with this name: then its number is sent instead. */
async function resolveOrder(
  { provisioningOrderName, networkNumber }: CreatePortHead,
  request: PlannedRequest,
  { catalogue }: ValidationContext,
) {
  if (provisioningOrderName === null) return {};
  if (!(await catalogue.capabilities(networkNumber)).provisioningOrders) return {};
  const number = await findOrderNumber(provisioningOrderName, networkNumber, request, catalogue);
  return number === undefined ? {} : { provisioningOrder: number, provisioningOrderName: null };
}
