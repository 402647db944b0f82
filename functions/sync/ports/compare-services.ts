// Compares the services that were requested with those of the SIMs: of a complete port, and of accepted settings, which
// are done once their SIMs show them. Each SIM is a call, so a run compares a limited number of SIMs, only of requests
// with services, and continues where the last run stopped.
import { isDeepStrictEqual } from 'node:util';
import type { RequestedServices } from '#shared/operations/operation.ts';
import {
  type ComparisonItem,
  compareServices,
  continueComparison,
  deferComparison,
  finishComparison,
  type MismatchedSim,
  markNotComparable,
  waitForServices,
} from '#shared/outcome/service-comparison.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import { notInPort, rowStatus } from '#shared/port/port-status.ts';
import { acceptedLines, isQuiet, recordReadings, unpackLines } from '#shared/request/lines.ts';
import type { ReadBack, RequestItem } from '#shared/request/request.ts';
import { msisdnKey } from '#shared/row/msisdn.ts';
import type { ServiceGroup } from '#shared/service/contract.ts';
import { inParallel } from '#shared/service/in-parallel.ts';
import { isoTime } from '#shared/text/wording.ts';
import { runLimits } from '../intervals.ts';
import { hasOwnFailure, isDeadlineNear, type SyncRun } from '../run.ts';

/** SIMs that are read before the deadline is checked again. */
const sliceSize = 20;

/** Returns how many SIMs were read. */
export async function compareServicesAsRequested(run: SyncRun): Promise<number> {
  const { comparisons, clocks, settings, failures } = run;
  const due = await comparisons.due(isoTime(clocks.wall()), runLimits.comparisons, failures.noteUnreadable);
  let read = 0;
  for (const item of due) {
    const most = settings.simsPerRun - read;
    if (most <= 0 || isDeadlineNear(run)) break;
    const compared = await deferIfUnreadable(item, run, () => compareRequest(item, most, run));
    read += compared.read;
    if (!(await comparisons.replace(item, compared.item))) continue;
    if (compared.hasMoved || !isDeepStrictEqual(compared.item.sims, item.sims)) run.changed.add(item.importId);
    report(item, compared.item, run);
  }
  return read;
}

function report(
  before: ComparisonItem,
  { importId, request, portId, sims }: ComparisonItem,
  { metrics, log }: SyncRun,
): void {
  const added = sims.length - before.sims.length;
  if (added <= 0) return;
  metrics.count('actionRequired', added);
  log.warn('the services of some SIMs differ from those requested', { importId, request, portId, sims: sims.length });
}

interface Compared {
  readonly item: ComparisonItem;
  /** SIMs that were read. */
  readonly read: number;
  /** Rows of the request have another result. @default false */
  readonly hasMoved?: boolean;
}

async function deferIfUnreadable(
  item: ComparisonItem,
  { clocks, log, comparisons, failures }: SyncRun,
  step: () => Promise<Compared>,
): Promise<Compared> {
  try {
    return await step();
  } catch (error) {
    const isIsolated = await failures.isIsolatedFailure(error);
    if (!isIsolated && !hasOwnFailure(error)) throw error;
    const { importId, request, portId } = item;
    log.warn('a port could not be read: its services are compared later', { importId, request, portId, error });
    const deferred = deferComparison(item, clocks.wall());
    if (isIsolated) return { item: deferred, read: 0 };
    // Deferred as well, so that it is not the first to fail in the next run.
    await comparisons.replace(item, deferred);
    throw error;
  }
}

async function compareRequest(item: ComparisonItem, most: number, run: SyncRun): Promise<Compared> {
  const { clocks, requests, plans, operationNamed } = run;
  const now = clocks.wall();
  const request = await requests.get(item.importId, item.request);
  if (request === undefined) return { item: markNotComparable(item, now), read: 0 };
  const planned = await plans.read(request);
  if (planned === undefined) return markPlanExpired(item, request, run);
  const services = operationNamed(request.operation)?.submission.requestedServices?.(planned);
  if (services === undefined) return { item: finishComparison(item, [], now), read: 0 };
  const visit = await visitSims(item, request, { most, services }, run);
  const known = { ...item, networkNumber: services.networkNumber };
  const { readBack } = request;
  if (readBack !== undefined) return confirmRows(known, { request, readBack }, visit, run);
  return { item: nextComparison(known, visit, visit.found, now), read: visit.read };
}

/** What one run read of the SIMs of a request. */
interface Visit extends ComparedSims {
  /** SIMs that the comparison has covered since it began, in the order of the plan. */
  readonly place: number;
  readonly isLast: boolean;
  readonly read: number;
}

async function visitSims(
  item: ComparisonItem,
  request: RequestItem,
  { most, services }: { readonly most: number; readonly services: RequestedServices },
  run: SyncRun,
): Promise<Visit> {
  const { sims, isWanted } = await simsToRead(item, request, services, run);
  const log = run.log.with({ importId: item.importId, request: item.request });
  const visit: ComparedSims = { equal: [], found: [], failed: [], declined: [] };
  let [place, read] = [item.compared, 0];
  while (place < sims.length && read < most && !isDeadlineNear(run)) {
    const slice = sims.slice(place, place + Math.min(sliceSize, most - read));
    const wanted = slice.filter(isWanted);
    await compareSlice(wanted, services, visit, { ...run, log });
    place += slice.length;
    read += wanted.length;
  }
  return { ...visit, place, isLast: place >= sims.length, read };
}

function nextComparison(item: ComparisonItem, visit: Visit, found: readonly MismatchedSim[], now: number) {
  if (!visit.isLast) return continueComparison(item, visit.place, found, now);
  return finishComparison(item, found, now, visit.failed.length > 0 ? 'some-sims' : 'all-sims');
}

/**
 * Records which accepted rows are complete. The request is written first: after a crash in between its comparison is
 * still due, and the same SIMs are read again.
 */
async function confirmRows(
  item: ComparisonItem,
  { request, readBack }: { readonly request: RequestItem; readonly readBack: ReadBack },
  visit: Visit,
  run: SyncRun,
): Promise<Compared> {
  const { clocks } = run;
  const { read } = visit;
  const [now, calendar] = [clocks.wall(), clocks.calendar()];
  const isEarly = readBack.waiting !== '' && isQuiet(request, calendar);
  const found = isEarly ? [] : visit.found;
  const readings = {
    equal: visit.equal.map(lineOf),
    differing: found.map(lineOf),
    unread: isEarly ? [] : [...visit.failed, ...visit.declined].map(lineOf),
  };
  const next = recordReadings(request, readBack, readings, { wall: now, calendar });
  const hasMoved = !isDeepStrictEqual(next.readBack, readBack);
  // Another write was first: the next run reads these SIMs again.
  if (hasMoved && (await moveRequest(request, next, run)) === undefined) return { item, read };
  if (readBack.waiting === '') return { item: nextComparison(item, visit, found, now), read, hasMoved };
  // While rows wait, those that are known to differ stay known.
  const sum = item.compared === 0 ? [...item.sims, ...found] : found;
  const waits = visit.isLast && next.readBack?.waiting !== '';
  const comparison = waits ? waitForServices(item, sum, now) : nextComparison(item, visit, sum, now);
  return { item: comparison, read, hasMoved };
}

/** The plan has expired, so the requested services are unknown. */
async function markPlanExpired(item: ComparisonItem, request: RequestItem, run: SyncRun): Promise<Compared> {
  const { clocks } = run;
  const now = clocks.wall();
  const { readBack } = request;
  if (readBack !== undefined) {
    const times = { wall: now, calendar: clocks.calendar() };
    const readings = { equal: [], differing: [], unread: unpackLines(readBack.waiting) };
    const next = recordReadings(request, readBack, readings, times);
    // Another write was first: the next run ends the request.
    if ((await moveRequest(request, next, run)) === undefined) return { item, read: 0 };
  }
  return { item: markNotComparable(item, now), read: 0, hasMoved: readBack !== undefined };
}

type Sim = Omit<MismatchedSim, 'services'>;

const lineOf = ({ line }: Sim): number => line;

interface SimsToRead {
  /** In the order of the plan. */
  readonly sims: readonly Sim[];
  /** Whether this comparison reads the SIM. */
  readonly isWanted: (sim: Sim) => boolean;
}

/**
 * Accepted settings that are still waiting, and those that a crashed run found to differ. All settings once none is
 * waiting.
 */
async function simsToRead(
  { sims: stored }: ComparisonItem,
  request: RequestItem,
  services: RequestedServices,
  run: SyncRun,
): Promise<SimsToRead> {
  const { readBack } = request;
  if (readBack === undefined) return { sims: await portedSims(request, services, run), isWanted: () => true };
  const accepted = new Set(acceptedLines(request));
  const sims = services.sims.flatMap(({ serialNumber, ...sim }) =>
    serialNumber !== null && accepted.has(sim.line) ? [{ ...sim, serialNumber }] : [],
  );
  const known = new Set(stored.map(lineOf));
  const waiting = unpackLines(readBack.waiting);
  const wanted = new Set([...waiting, ...unpackLines(readBack.differing).filter((line) => !known.has(line))]);
  return { sims, isWanted: ({ line }) => waiting.length === 0 || wanted.has(line) };
}

/** The SIMs that were ported. The port shows serials that nobody knew before (Migrate In Keep). */
async function portedSims(request: RequestItem, { sims }: RequestedServices, run: SyncRun): Promise<Sim[]> {
  const portId = request.portId ?? '';
  const rows = (await run.ports.rows(portId)) ?? [];
  const ported = new Set(
    rows.filter(({ status }) => status !== notInPort && !rowStatus(status).terminal).map(({ line }) => line),
  );
  const concerned = sims.filter(({ line }) => ported.has(line));
  const isIncomplete = concerned.some(({ serialNumber }) => serialNumber === null);
  const serials = isIncomplete ? await serialsIn(portId, run) : undefined;
  return concerned.flatMap(({ line, msisdn, serialNumber }) => {
    const serial = serialNumber ?? serials?.get(msisdn);
    return serial ? [{ line, msisdn, serialNumber: serial }] : [];
  });
}

async function serialsIn(portId: string, { client, settings }: SyncRun): Promise<Map<string, string>> {
  const { rows } = await client.port(portId);
  return new Map(rows.map(({ msisdn, serialNo }) => [msisdnKey(msisdn, settings.callingCode), serialNo ?? '']));
}

/** In the order of the plan. `failed`: the service may show the SIM later. `declined`: it does not know the SIM. */
interface ComparedSims {
  readonly equal: Sim[];
  readonly found: MismatchedSim[];
  readonly failed: Sim[];
  readonly declined: Sim[];
}

/** Adds the SIMs of the slice to `compared`. */
async function compareSlice(
  slice: readonly Sim[],
  requested: RequestedServices,
  compared: ComparedSims,
  run: SyncRun,
): Promise<void> {
  const read = new Map<Sim, ServiceGroup[] | 'failed' | 'declined'>();
  await inParallel(slice, run.settings.callsAtOnce, async (sim) => {
    read.set(sim, await readServices(sim, run));
  });
  for (const sim of slice) {
    const groups = read.get(sim) ?? 'failed';
    if (typeof groups === 'string') {
      compared[groups].push(sim);
      continue;
    }
    const settings = groups.flatMap((group) => group.services);
    const services = compareServices(requested.services, settings);
    if (services.length > 0) compared.found.push({ ...sim, services });
    else compared.equal.push(sim);
  }
}

/** A SIM that cannot be read does not stop the others. */
async function readServices(
  { serialNumber, line }: Sim,
  { client, log, failures }: SyncRun,
): Promise<ServiceGroup[] | 'failed' | 'declined'> {
  try {
    return await client.simServices(serialNumber);
  } catch (error) {
    if (!(await failures.isIsolatedFailure(error))) throw error;
    log.warn('the services of a SIM could not be read', { line, error });
    failures.noteDeferred(error);
    return hasOwnFailure(error) ? 'failed' : 'declined';
  }
}
