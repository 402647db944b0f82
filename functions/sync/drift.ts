// Compares the services that were asked for with those that the SIMs of a completed port have: one call a SIM, so only for
// requests that asked for any, so many SIMs a run, and from where the last run stopped.

import { isDeepStrictEqual } from 'node:util';
import {
  comparedLater,
  compareServices,
  type DriftedSim,
  type DriftItem,
  ended,
  goneOn,
  notComparable,
} from '#shared/domain/drift.ts';
import type { RequestItem } from '#shared/domain/ledger.ts';
import { rowStatus } from '#shared/domain/lifecycle.ts';
import { msisdnKey, notInPort } from '#shared/domain/port-look.ts';
import type { ServicesAsked } from '#shared/operations/operation.ts';
import { inParallel } from './in-parallel.ts';
import { isTimeShort } from './parts.ts';
import { hasFailedItself, type RunParts } from './trouble.ts';

/** Requests taken up in a run. */
const mostRequests = 500;
/** SIMs asked about at a time; between two such slices the time that is left is looked at. */
const sliceSize = 20;
const width = 4;

/** Answers how many SIMs were asked about; adds the imports of which something was found or mended to `imports`. */
export async function compareAsked(parts: RunParts, imports: Set<string>): Promise<number> {
  const now = new Date(parts.clocks.wall()).toISOString();
  const due = await parts.drifts.due(now, mostRequests, parts.trouble.noteUnreadable);
  let asked = 0;
  for (const item of due) {
    if (asked >= parts.settings.simsPerRun || isTimeShort(parts)) break;
    const most = parts.settings.simsPerRun - asked;
    const next = await unlessUnreadable(item, parts, () => compareRequest(item, most, parts));
    asked += next.asked;
    if (!(await parts.drifts.replace(item, next.item))) continue;
    if (!isDeepStrictEqual(next.item.sims, item.sims)) imports.add(item.importId);
    tell(item, next.item, parts);
  }
  return asked;
}

function tell(before: DriftItem, { importId, request, portId, sims }: DriftItem, { metrics, log }: RunParts): void {
  const more = sims.length - before.sims.length;
  if (more <= 0) return;
  metrics.count('attention', more);
  log.warn('SIMs have other services than were asked for', { importId, request, portId, sims: sims.length });
}

interface Compared {
  readonly item: DriftItem;
  readonly asked: number;
}

async function unlessUnreadable(
  item: DriftItem,
  { clocks, log, drifts, trouble }: RunParts,
  step: () => Promise<Compared>,
): Promise<Compared> {
  try {
    return await step();
  } catch (error) {
    const isOwn = await trouble.concernsOnlyIt(error);
    if (!isOwn && !hasFailedItself(error)) throw error;
    const { importId, request, portId } = item;
    log.warn('a port could not be read, so its services are compared later', { importId, request, portId, error });
    const later = comparedLater(item, clocks.wall());
    if (isOwn) return { item: later, asked: 0 };
    // Whatever it was, this one is not the first thing to fail in the next run.
    await drifts.replace(item, later);
    throw error;
  }
}

async function compareRequest(item: DriftItem, most: number, parts: RunParts): Promise<Compared> {
  const wall = parts.clocks.wall();
  const request = await parts.requests.get(item.importId, item.request);
  const planned = request && (await parts.plans.read(request));
  if (request === undefined || planned === undefined) return { item: notComparable(item, wall), asked: 0 };
  const services = parts.operationNamed(request.operation)?.submission.servicesAsked?.(planned);
  if (services === undefined) return { item: ended(item, [], wall), asked: 0 };
  const sims = await simsOf(request, services, parts);
  const log = parts.log.with({ importId: item.importId, request: item.request });
  const found: DriftedSim[] = [];
  let isWhole = true;
  let place = item.compared;
  while (place < sims.length && place - item.compared < most && !isTimeShort(parts)) {
    const slice = sims.slice(place, Math.min(place + sliceSize, item.compared + most));
    const told = await compareSlice(slice, services, { ...parts, log });
    found.push(...told.found);
    isWhole &&= told.isWhole;
    place += slice.length;
  }
  const known = { ...item, networkNumber: services.networkNumber };
  const next = place < sims.length ? goneOn(known, place, found, wall) : ended(known, found, wall, isWhole);
  return { item: next, asked: place - item.compared };
}

type Sim = Omit<DriftedSim, 'services'>;

/** The SIMs that were ported; a serial that nobody knew before (Migrate In Keep) is told by the port. */
async function simsOf(request: RequestItem, { sims }: ServicesAsked, parts: RunParts): Promise<Sim[]> {
  const portId = request.portId ?? '';
  const rows = (await parts.ports.rows(portId)) ?? [];
  const ported = new Set(
    rows.filter(({ status }) => status !== notInPort && !rowStatus(status).terminal).map(({ line }) => line),
  );
  const concerned = sims.filter(({ line }) => ported.has(line));
  const serials = concerned.some(({ serialNumber }) => serialNumber === null)
    ? await serialsIn(portId, parts)
    : undefined;
  return concerned.flatMap(({ line, msisdn, serialNumber }) => {
    const serial = serialNumber ?? serials?.get(msisdn);
    return serial ? [{ line, msisdn, serialNumber: serial }] : [];
  });
}

async function serialsIn(portId: string, { client, settings }: RunParts): Promise<Map<string, string>> {
  const { rows } = await client.port(portId);
  return new Map(rows.map(({ msisdn, serialNo }) => [msisdnKey(msisdn, settings.callingCode), serialNo ?? '']));
}

interface ComparedSlice {
  /** In the order of the slice. */
  readonly found: readonly DriftedSim[];
  /** The service showed every SIM that it knows. */
  readonly isWhole: boolean;
}

async function compareSlice(slice: readonly Sim[], asked: ServicesAsked, parts: RunParts): Promise<ComparedSlice> {
  const found = new Map<Sim, DriftedSim>();
  let isWhole = true;
  await inParallel(slice, width, async (sim) => {
    const groups = await servicesOf(sim, parts);
    if (groups === 'failed') isWhole = false;
    if (typeof groups === 'string') return;
    const settings = groups.flatMap((group) => group.services);
    const services = compareServices(asked.services, settings);
    if (services.length > 0) found.set(sim, { ...sim, services });
  });
  return { found: slice.flatMap((sim) => found.get(sim) ?? []), isWhole };
}

/** Whatever the service makes of this SIM, it must not keep the others from being compared. */
async function servicesOf({ serialNumber, line }: Sim, { client, log, trouble }: RunParts) {
  try {
    return await client.simServices(serialNumber);
  } catch (error) {
    if (!(await trouble.concernsOnlyIt(error))) throw error;
    log.warn('the services of a SIM could not be read', { line, error });
    trouble.noteLeft(error);
    return hasFailedItself(error) ? 'failed' : 'refused';
  }
}
