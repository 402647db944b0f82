// The call of a create-port request: judged once more against today's catalogue, then sent as one body.
import * as z from 'zod/mini';
import { type CalendarDate, fromWireDate, parseCalendarDate, toWireDate } from '#shared/domain/calendar-date.ts';
import { holidaysBefore } from '#shared/domain/cut-off.ts';
import { error, type Finding } from '#shared/domain/issue.ts';
import { rowStatus } from '#shared/domain/lifecycle.ts';
import type { Msisdn } from '#shared/domain/msisdn.ts';
import { parsePac } from '#shared/domain/pac.ts';
import type { PlannedRequest, PlannedRow } from '#shared/domain/plan.ts';
import { msisdnKey } from '#shared/domain/port-look.ts';
import { type CreatePortBody, type PortDetail, serviceSetting, type TargetNetwork } from '#shared/porting/contract.ts';
import { type ConnectionDate, decideDate, holidaysOf, todayOf } from './connection-date.ts';
import type { JudgeContext, NetworksOffered, Rechecked, Rescheduled, ServicesAsked, Submission } from './operation.ts';
import { orderNumberOf } from './provisioning-order.ts';

const calendarDate = z.custom<CalendarDate>((text) => typeof text === 'string' && parseCalendarDate(text).ok);

/** What all rows of one Create Port share, as it stands in the plan. */
export const createPortHead = z.object({
  portType: z.string(),
  targetNetworkId: z.int(),
  networkNumber: z.int(),
  sourceNetworkId: z.int(),
  connectionDate: calendarDate,
  /** The date was left to us, and may be rolled forward (decision 10). */
  auto: z.boolean(),
  why: z.optional(z.string()),
  groupName: z.string(),
  tariffId: z.int(),
  boltOns: z.array(z.int()),
  services: z.nullable(z.array(serviceSetting)),
  provisioningOrder: z.nullable(z.int()),
  provisioningOrderName: z.nullable(z.string()),
});
export type CreatePortHead = z.infer<typeof createPortHead>;

const createPortRowWire = z.object({
  msisdn: z.string(),
  serialNo: z.nullable(z.string()),
  pac: z.nullable(z.string()),
  esim: z.boolean(),
  pacExpiry: z.optional(calendarDate),
});

export const createPortSubmission: Submission = {
  makes: 'port',
  claims: true,
  recheck,
  obstacle,
  call: (client, request, name) => client.createPort(createPortBodyOf(request, name)),
  reschedule,
  servicesAsked,
};

/**
 * The same call on another day, as the port stands now: without the lines that were cancelled in it, and with the PACs that
 * it has by now. Judged like a new file, so that nothing is cancelled for a day that cannot be booked.
 */
async function reschedule(
  request: PlannedRequest,
  port: PortDetail,
  date: CalendarDate | 'auto',
  context: JudgeContext,
): Promise<Rescheduled> {
  const head = createPortHead.parse(request.head);
  const target = await findTarget(head, context.catalogue);
  if (target === undefined) return { refuse: targetGone(head) };
  const decided = decideDate(date === 'auto' ? undefined : date, target, todayOf(context));
  if ('code' in decided) return { refuse: decided };
  const booked = fromWireDate(port.connectionDate);
  if (decided.date === booked) {
    return { refuse: error('PORT_NOT_CHANGEABLE', `the port is booked for ${booked} already`) };
  }
  const rows = liveRows(request, port, context);
  const expired = expiringBefore(decided.date, { ...request, rows });
  if (expired !== undefined) {
    const message = `the PAC of line ${expired} expires before ${decided.date}`;
    return { refuse: error('PAC_EXPIRES_BEFORE_DATE', message) };
  }
  const { date: connectionDate, auto, why } = decided;
  const label = request.label.replaceAll(head.connectionDate, connectionDate);
  return { move: { label, head: { ...head, connectionDate, auto, why }, rows }, why };
}

/** In the order of the plan. A PAC that was amended stands in the port only. */
function liveRows({ rows }: PlannedRequest, port: PortDetail, { settings }: JudgeContext): PlannedRow[] {
  const live = new Map(
    port.rows
      .filter(({ statusName }) => !rowStatus(statusName).terminal)
      .map((row) => [msisdnKey(row.msisdn, settings.callingCode), row]),
  );
  return rows.flatMap((row) => {
    const there = live.get(row.subject);
    if (there === undefined) return [];
    const wire = createPortRowWire.parse(row.wire);
    const pac = parsePac(there.pac ?? '', row.subject as Msisdn);
    return [{ ...row, wire: { ...wire, pac: pac.ok ? pac.value : wire.pac } }];
  });
}

function servicesAsked({ head, rows }: PlannedRequest): ServicesAsked | undefined {
  const { networkNumber, services } = createPortHead.parse(head);
  if (services === null || services.length === 0) return undefined;
  const sims = rows.map(({ line, subject, wire }) => ({
    line,
    msisdn: subject,
    serialNumber: createPortRowWire.parse(wire).serialNo,
  }));
  return { networkNumber, services, sims };
}

/** The body of Create Port for a planned request; `name` is the port's. */
export function createPortBodyOf(request: PlannedRequest, name: string): CreatePortBody {
  const head = createPortHead.parse(request.head);
  const { groupName, tariffId, boltOns, services, provisioningOrder, provisioningOrderName } = head;
  const shared = { groupName, tariffId, boltOns, services, provisioningOrder, provisioningOrderName };
  return {
    name,
    targetNetworkId: head.targetNetworkId,
    sourceNetworkId: head.sourceNetworkId,
    connectionDate: toWireDate(head.connectionDate),
    portType: head.portType,
    rows: request.rows.map(({ wire }) => {
      const { msisdn, serialNo, pac, esim } = createPortRowWire.parse(wire);
      return { ...shared, msisdn, serialNo, pac, esim };
    }),
  };
}

/** A file that waited past midnight may have fallen below the minimum, and an order may exist by now (decisions 10, 17). */
async function recheck(request: PlannedRequest, context: JudgeContext): Promise<Rechecked> {
  const head = createPortHead.parse(request.head);
  const bookable = await bookableOn(todayOf(context), request, head, context.catalogue);
  if ('code' in bookable) return { refuse: bookable };
  const { target, decided } = bookable;
  const order = await resolveOrder(head, context);
  const send = { ...request, head: { ...head, connectionDate: decided.date, ...order } };
  const before = holidaysBefore(decided.date, holidaysOf(target));
  const holidays = before.length === 0 ? {} : { holidays: before };
  if (decided.date === head.connectionDate) return { send, ...holidays };
  return { send, ...holidays, note: `Moved from ${head.connectionDate} to ${decided.date}: ${decided.why}` };
}

async function obstacle(request: PlannedRequest, today: CalendarDate, offered: NetworksOffered) {
  const bookable = await bookableOn(today, request, createPortHead.parse(request.head), offered);
  return 'code' in bookable ? bookable : undefined;
}

/** The network and the date that the request can be booked for today. */
async function bookableOn(
  today: CalendarDate,
  request: PlannedRequest,
  head: CreatePortHead,
  offered: NetworksOffered,
): Promise<{ readonly target: TargetNetwork; readonly decided: ConnectionDate } | Finding> {
  const target = await findTarget(head, offered);
  if (target === undefined) return targetGone(head);
  const decided = redecideDate(head, target, request, today);
  return 'code' in decided ? decided : { target, decided };
}

const targetGone = ({ targetNetworkId, portType }: CreatePortHead): Finding =>
  error('TARGET_NETWORK_UNKNOWN', `network ${targetNetworkId} is no longer offered for ${portType}`);

async function findTarget(head: CreatePortHead, offered: NetworksOffered): Promise<TargetNetwork | undefined> {
  const types = await offered.networks();
  const portType = types.find((type) => type.portTypeName === head.portType);
  return portType?.targetNetworks.find((network) => network.id === head.targetNetworkId);
}

/** The date still stands; or it was left to us and another one is found that no PAC of the request expires before. */
function redecideDate(
  head: CreatePortHead,
  target: TargetNetwork,
  request: PlannedRequest,
  today: CalendarDate,
): ConnectionDate | Finding {
  const asPlanned = decideDate(head.connectionDate, target, today);
  if ('date' in asPlanned) return asPlanned;
  const gone = (reason: string) => error('DATE_NO_LONGER_AVAILABLE', `${head.connectionDate} has passed by: ${reason}`);
  if (!head.auto) return gone(asPlanned.message);
  const later = decideDate(undefined, target, today);
  if (!('date' in later)) return gone(later.message);
  const expired = expiringBefore(later.date, request);
  return expired === undefined
    ? later
    : gone(`${later.date} is the next one, and the PAC of line ${expired} expires before`);
}

const expiringBefore = (date: CalendarDate, request: PlannedRequest): number | undefined =>
  request.rows.find(({ wire }) => {
    const { pacExpiry } = createPortRowWire.parse(wire);
    return pacExpiry !== undefined && pacExpiry < date;
  })?.line;

/** Another request of the same import may have created the order of this name: then its number is sent instead. */
async function resolveOrder({ provisioningOrderName, networkNumber }: CreatePortHead, { catalogue }: JudgeContext) {
  if (provisioningOrderName === null || (await catalogue.isTypeB(networkNumber))) return {};
  const number = orderNumberOf(provisioningOrderName, await catalogue.provisioningOrders(networkNumber, 'fresh'));
  return number === undefined ? {} : { provisioningOrder: number, provisioningOrderName: null };
}
