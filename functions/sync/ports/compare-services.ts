// Compares the services that were requested with those of the SIMs: of a complete port, and of accepted settings, which
// are done once their SIMs show them. Each SIM is a call, so a run compares a limited number of SIMs, only of requests
// with services, and continues where the last run stopped.
import { isDeepStrictEqual } from 'node:util';
import type { RequestedServices } from '#shared/operations/operation.ts';
import {
  type ComparisonItem,
  compareServices,
  deferComparison,
  finishComparison,
  type MismatchedSim,
  markNotComparable,
  type Readings,
  recordReadings,
  withReadings,
} from '#shared/outcome/service-comparison.ts';
import { notInPort, rowStatus } from '#shared/port/port-status.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { msisdnKey } from '#shared/row/msisdn.ts';
import type { ServiceGroup } from '#shared/service/contract.ts';
import { inParallel } from '#shared/service/in-parallel.ts';
import { isoTime } from '#shared/text/wording.ts';
import { hasOwnFailure } from '../failure-classifier.ts';
import { runLimits, settingSimsMs } from '../intervals.ts';
import { isDeadlineNear, type SyncRun } from '../run.ts';

/** SIMs that are read before the deadline is checked again. */
const sliceSize = 20;

/** Returns how many SIMs were read. */
export async function compareServicesAsRequested(run: SyncRun): Promise<number> {
  const { comparisons, clocks, settings, failures } = run;
  const due = await comparisons.due(
    settings.account,
    isoTime(clocks.wall()),
    runLimits.comparisons,
    failures.noteUnreadable,
  );
  let read = 0;
  for (const item of due) {
    const most = settings.simsPerRun - read;
    if (most <= 0 || isDeadlineNear(run)) break;
    const compared = await deferIfUnreadable(item, run, () => compareRequest(item, most, run));
    read += compared.read;
    const { next, request } = compared;
    // The rows of a request are written with what their SIMs show, or neither is: then the next run reads them again.
    if (!(await comparisons.replace(item, next, request))) continue;
    if (request !== undefined || !isDeepStrictEqual(next.sims, item.sims)) run.changed.add(item.importId);
    report(item, next, run);
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
  readonly next: ComparisonItem;
  /** SIMs that were read. */
  readonly read: number;
  /** @default - no row has another result */
  readonly request?: { readonly seen: RequestItem; readonly next: RequestItem } | undefined;
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
    log.warn('a port or a SIM could not be read: its services are compared later', {
      importId,
      request,
      portId,
      error,
    });
    const deferred = deferComparison(item, clocks.wall());
    if (isIsolated) return { next: deferred, read: 0 };
    // Deferred as well, so that it is not the first to fail in the next run.
    await comparisons.replace(item, deferred);
    throw error;
  }
}

async function compareRequest(item: ComparisonItem, most: number, run: SyncRun): Promise<Compared> {
  const { clocks, requests, plans, operationNamed } = run;
  const request = await requests.get(item.importId, item.request);
  if (request === undefined) return { next: markNotComparable(item, clocks.wall()), read: 0 };
  const planned = await plans.read(request);
  if (planned === undefined) return comparedAs(item, markNotComparable(item, clocks.wall()), request, run);
  const services = operationNamed(request.operation)?.submission.requestedServices?.(planned);
  if (services !== undefined) return compareSims(item, request, { most, services }, run);
  const end = item.waiting === undefined ? finishComparison : markNotComparable;
  return comparedAs(item, end(item, clocks.wall()), request, run);
}

function comparedAs(
  item: ComparisonItem,
  next: ComparisonItem,
  request: RequestItem,
  { clocks }: SyncRun,
  read = 0,
): Compared {
  const after = withReadings(request, item, next, { wall: clocks.wall(), calendar: clocks.calendar() });
  return { next, read, request: after === request ? undefined : { seen: request, next: after } };
}

/** Reads accepted settings only as long as a row waits, and then all of them. */
async function compareSims(
  item: ComparisonItem,
  request: RequestItem,
  { most, services }: { readonly most: number; readonly services: RequestedServices },
  run: SyncRun,
): Promise<Compared> {
  const { clocks } = run;
  const { waiting } = item;
  const sims = waiting === undefined ? await portedSims(request, services, run) : acceptedSims(request, services);
  const wanted = new Set(unpackLines(waiting ?? ''));
  const isWanted = ({ line }: Sim) => wanted.size === 0 || wanted.has(line);
  const log = run.log.with({ importId: item.importId, request: item.request });
  const readings: ComparedSims = { equal: [], differing: [], failed: [], declined: [] };
  let { compared } = item;
  let read = 0;
  while (compared < sims.length && read < most && !isDeadlineNear(run)) {
    const slice = sims.slice(compared, compared + Math.min(sliceSize, most - read));
    const chosen = slice.filter(isWanted);
    await compareSlice(chosen, services, readings, { ...run, log });
    compared += slice.length;
    read += chosen.length;
  }
  const place = { lines: sims.map(({ line }) => line), compared };
  const known = { ...item, networkNumber: services.networkNumber };
  const isEarly = wanted.size > 0 && mayBeSetting(request, clocks.calendar());
  const next = recordReadings(known, readings, place, { now: clocks.wall(), isEarly });
  return comparedAs(item, next, request, run, read);
}

/** Whether the service may still be setting the services. */
const mayBeSetting = ({ submittedAt }: RequestItem, calendarNow: number): boolean =>
  submittedAt !== undefined && calendarNow < Date.parse(submittedAt) + settingSimsMs;

type Sim = Omit<MismatchedSim, 'services'>;

/** In the order of the plan. */
function acceptedSims(request: RequestItem, { sims }: RequestedServices): Sim[] {
  const accepted = new Set(unpackLines(request.lines ?? ''));
  return sims.flatMap(({ serialNumber, ...sim }) =>
    serialNumber !== null && accepted.has(sim.line) ? [{ ...sim, serialNumber }] : [],
  );
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

/** In the order of the plan. */
type ComparedSims = { readonly [Name in keyof Readings]: Readings[Name][number][] };

/** Adds the SIMs of the slice to `readings`. */
async function compareSlice(
  slice: readonly Sim[],
  requested: RequestedServices,
  readings: ComparedSims,
  run: SyncRun,
): Promise<void> {
  const read = new Map<Sim, ServiceGroup[] | 'failed' | 'declined'>();
  await inParallel(slice, run.settings.callsAtOnce, async (sim) => {
    read.set(sim, await readServices(sim, run));
  });
  for (const sim of slice) {
    const groups = read.get(sim) ?? 'failed';
    if (typeof groups === 'string') {
      readings[groups].push(sim.line);
      continue;
    }
    const settings = groups.flatMap((group) => group.services);
    const services = compareServices(requested.services, settings);
    if (services.length > 0) readings.differing.push({ ...sim, services });
    else readings.equal.push(sim.line);
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
    await failures.deferIsolated(error);
    log.warn('the services of a SIM could not be read', { line, error });
    return hasOwnFailure(error) ? 'failed' : 'declined';
  }
}
