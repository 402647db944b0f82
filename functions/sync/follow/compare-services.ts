// Compares the services that were requested with those of the SIMs of a complete port. Each SIM is a call, so a run
// compares a limited number of SIMs, only of requests with services, and continues where the last run stopped.
import { isDeepStrictEqual } from 'node:util';
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { msisdnKey } from '#shared/domain/numbers/msisdn.ts';
import { notInPort } from '#shared/domain/ports/port-concern.ts';
import { rowStatus } from '#shared/domain/ports/port-status.ts';
import {
  type ComparisonItem,
  compareServices,
  continueComparison,
  deferComparison,
  finishComparison,
  type MismatchedSim,
  markNotComparable,
} from '#shared/domain/ports/service-mismatch.ts';
import type { RequestItem } from '#shared/items/request.ts';
import type { RequestedServices } from '#shared/operations/kit/operation.ts';
import type { ServiceGroup } from '#shared/porting/contract.ts';
import type { RunDependencies } from '../dependencies.ts';
import { hasOwnFailure } from '../failure-classifier.ts';
import { inParallel } from '../in-parallel.ts';
import { runLimits } from '../intervals.ts';
import { isDeadlineNear } from '../is-deadline-near.ts';

/** SIMs that are read before the deadline is checked again. */
const sliceSize = 20;

/** Answers how many SIMs were read. Adds the imports of which a mismatch was found or has ended to `imports`. */
export async function compareServicesAsRequested(dependencies: RunDependencies, imports: Set<string>): Promise<number> {
  const { comparisons, clocks, settings, failures } = dependencies;
  const due = await comparisons.due(isoTime(clocks.wall()), runLimits.comparisons, failures.noteUnreadable);
  let read = 0;
  for (const item of due) {
    const most = settings.simsPerRun - read;
    if (most <= 0 || isDeadlineNear(dependencies)) break;
    const compared = await deferIfUnreadable(item, dependencies, () => compareRequest(item, most, dependencies));
    read += compared.read;
    if (!(await comparisons.replace(item, compared.item))) continue;
    if (!isDeepStrictEqual(compared.item.sims, item.sims)) imports.add(item.importId);
    report(item, compared.item, dependencies);
  }
  return read;
}

function report(
  before: ComparisonItem,
  { importId, request, portId, sims }: ComparisonItem,
  { metrics, log }: RunDependencies,
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
}

async function deferIfUnreadable(
  item: ComparisonItem,
  { clocks, log, comparisons, failures }: RunDependencies,
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
    // Deferred all the same, so that it is not the first to fail in the next run.
    await comparisons.replace(item, deferred);
    throw error;
  }
}

async function compareRequest(item: ComparisonItem, most: number, dependencies: RunDependencies): Promise<Compared> {
  const { clocks, requests, plans, operationNamed } = dependencies;
  const now = clocks.wall();
  const request = await requests.get(item.importId, item.request);
  const planned = request && (await plans.read(request));
  if (request === undefined || planned === undefined) return { item: markNotComparable(item, now), read: 0 };
  const services = operationNamed(request.operation)?.submission.requestedServices?.(planned);
  if (services === undefined) return { item: finishComparison(item, [], now), read: 0 };
  const sims = await portedSims(request, services, dependencies);
  const log = dependencies.log.with({ importId: item.importId, request: item.request });
  const found: MismatchedSim[] = [];
  let shown: 'all-sims' | 'some-sims' = 'all-sims';
  let place = item.compared;
  while (place < sims.length && place - item.compared < most && !isDeadlineNear(dependencies)) {
    const slice = sims.slice(place, Math.min(place + sliceSize, item.compared + most));
    const compared = await compareSlice(slice, services, { ...dependencies, log });
    found.push(...compared.found);
    if (compared.shown === 'some-sims') shown = 'some-sims';
    place += slice.length;
  }
  const known = { ...item, networkNumber: services.networkNumber };
  const next =
    place < sims.length ? continueComparison(known, place, found, now) : finishComparison(known, found, now, shown);
  return { item: next, read: place - item.compared };
}

type Sim = Omit<MismatchedSim, 'services'>;

/** The SIMs that were ported. The port shows serials that nobody knew before (Migrate In Keep). */
async function portedSims(
  request: RequestItem,
  { sims }: RequestedServices,
  dependencies: RunDependencies,
): Promise<Sim[]> {
  const portId = request.portId ?? '';
  const rows = (await dependencies.ports.rows(portId)) ?? [];
  const ported = new Set(
    rows.filter(({ status }) => status !== notInPort && !rowStatus(status).terminal).map(({ line }) => line),
  );
  const concerned = sims.filter(({ line }) => ported.has(line));
  const isIncomplete = concerned.some(({ serialNumber }) => serialNumber === null);
  const serials = isIncomplete ? await serialsIn(portId, dependencies) : undefined;
  return concerned.flatMap(({ line, msisdn, serialNumber }) => {
    const serial = serialNumber ?? serials?.get(msisdn);
    return serial ? [{ line, msisdn, serialNumber: serial }] : [];
  });
}

async function serialsIn(portId: string, { client, settings }: RunDependencies): Promise<Map<string, string>> {
  const { rows } = await client.port(portId);
  return new Map(rows.map(({ msisdn, serialNo }) => [msisdnKey(msisdn, settings.callingCode), serialNo ?? '']));
}

interface ComparedSlice {
  /** In the order of the slice. */
  readonly found: readonly MismatchedSim[];
  /** Whether the service showed every SIM that it knows. */
  readonly shown: 'all-sims' | 'some-sims';
}

async function compareSlice(
  slice: readonly Sim[],
  requested: RequestedServices,
  dependencies: RunDependencies,
): Promise<ComparedSlice> {
  const found = new Map<Sim, MismatchedSim>();
  let shown: ComparedSlice['shown'] = 'all-sims';
  await inParallel(slice, dependencies.settings.callsAtOnce, async (sim) => {
    const groups = await readServices(sim, dependencies);
    if (groups === 'failed') shown = 'some-sims';
    if (typeof groups === 'string') return;
    const settings = groups.flatMap((group) => group.services);
    const services = compareServices(requested.services, settings);
    if (services.length > 0) found.set(sim, { ...sim, services });
  });
  return { found: slice.flatMap((sim) => found.get(sim) ?? []), shown };
}

/** A SIM that cannot be read does not stop the others. */
async function readServices(
  { serialNumber, line }: Sim,
  { client, log, failures }: RunDependencies,
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
