// The ledger: the one way in which a request moves, and in which a port is read and recorded. Each change is counted and
// logged once.

import { type KnownPort, type PortSnapshot, type SnapshotContext, snapshotOf } from '#shared/outcome/port-snapshot.ts';
import { portStatus } from '#shared/port/port-status.ts';
import type { RequestItem, RequestState } from '#shared/request/request.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { MetricName, Metrics } from '#shared/runtime/metrics.ts';
import type { PortDetail } from '#shared/service/contract.ts';
import type { Pipeline, ServicePipeline } from './pipeline.ts';

// Replaces a request by its next state.

/** Returns the request as it is stored; undefined when it changed since it was read: then nothing was written. */
export async function moveRequest(
  seen: RequestItem,
  next: RequestItem,
  { requests, metrics, log }: ServicePipeline,
): Promise<RequestItem | undefined> {
  const stored = await requests.replace(seen, next);
  if (stored === undefined) return undefined;
  countMove(seen, stored, metrics);
  logMove(seen, stored, log);
  return stored;
}

/** A state counts when the request enters it. */
const countedAs: Partial<Record<RequestState, MetricName>> = {
  created: 'requestsCreated',
  accepted: 'requestsCreated',
  declined: 'requestsDeclined',
  unknown: 'requestsUnknown',
  'action-required': 'requestsUnresolved',
};

/** States that are reached without a call: the log of a call has its answer. */
function logMove(seen: RequestItem, { importId, request, state, error }: RequestItem, log: Log) {
  if (state === seen.state || seen.state === 'in-flight') return;
  const about = { importId, request, was: seen.state, because: error?.kind };
  if (state === 'action-required') log.error('a request requires action', about);
  if (state === 'declined') log.warn('a request was declined before it was sent', about);
}

function countMove(seen: RequestItem, next: RequestItem, metrics: Metrics): void {
  const name = next.state === seen.state ? undefined : countedAs[next.state];
  if (name !== undefined) metrics.count(name);
  const duplicates = (next.duplicatePortIds?.length ?? 0) - (seen.duplicatePortIds?.length ?? 0);
  const late = Number(next.isLate === true && seen.isLate !== true);
  if (duplicates + late > 0) metrics.count('duplicates', duplicates + late);
  const excluded = (next.excludedRows?.length ?? 0) - (seen.excludedRows?.length ?? 0);
  if (excluded > 0) metrics.count('rowsSkipped', excluded);
}

// Reads a port of the service and records what the reading shows. Every port enters the results table this way.

/** A port as the service showed it, and when the reading began. */
export interface Observation {
  readonly detail: PortDetail;
  readonly context: SnapshotContext;
}

/** The snapshot that was written. `outdated`: a newer reading is known. `conflict`: another write was first. */
export type Recorded = PortSnapshot | 'outdated' | 'conflict';

/** The context of a reading that begins now. */
export const snapshotContext = ({
  settings: { account, zone, callingCode, lockingHour },
  clocks,
}: Pipeline): SnapshotContext => ({
  account,
  zone,
  callingCode,
  lockingHour,
  readAt: clocks.calendar(),
});

/** @throws the failures of the client */
export async function readPort(portId: string, pipeline: ServicePipeline): Promise<Observation> {
  const context = snapshotContext(pipeline);
  return { context, detail: await pipeline.client.port(portId) };
}

export async function recordObservation(
  known: KnownPort,
  { detail, context }: Observation,
  pipeline: ServicePipeline,
): Promise<Recorded> {
  const snapshot = snapshotOf(known, detail, context);
  if (snapshot === undefined) return 'outdated';
  if (!(await recordSnapshot(snapshot, pipeline))) return 'conflict';
  const { seen, next } = snapshot;
  if (next.concern !== undefined && next.concern !== seen?.concern) {
    const { importId, request, portId, rowCount, actionRequired } = next;
    const about = { importId, request, portId, rowCount, actionRequired };
    pipeline.log.error('the port differs from the request', about);
  }
  return snapshot;
}

/** Writes the snapshot, and counts and logs what it shows. false: another write was first. */
export async function recordSnapshot(snapshot: PortSnapshot, pipeline: ServicePipeline): Promise<boolean> {
  if (!(await pipeline.snapshots.record(snapshot))) return false;
  if (hasChanged(snapshot)) reportChange(snapshot, pipeline);
  return true;
}

export const hasChanged = ({ rows, event, request }: PortSnapshot): boolean =>
  rows !== undefined || event !== undefined || request !== undefined;

function reportChange({ seen, next, event }: PortSnapshot, { metrics, log }: ServicePipeline): void {
  const { portId, importId, request, status, actionRequired } = next;
  const ids = { portId, importId, request };
  const added = actionRequired - (seen?.actionRequired ?? 0);
  if (added > 0) metrics.count('actionRequired', added);
  if (!portStatus(status).known) {
    metrics.count('unknownStatus');
    log.warn('the service uses an unknown status', { ...ids, status });
  }
  if (seen !== undefined) log.info('port changed', { ...ids, status, was: event?.was, actionRequired });
}

/** Reads a port that the results table knows, and records what changed. @throws the failures of the client */
export const observePort = async (portId: string, known: KnownPort, pipeline: ServicePipeline): Promise<Recorded> =>
  recordObservation(known, await readPort(portId, pipeline), pipeline);

/** The port with its request and its rows; undefined where the results table does not have all of them. */
export async function findKnownPort(
  portId: string,
  { ports, requests }: Pipeline,
): Promise<Required<KnownPort> | undefined> {
  const port = await ports.get(portId);
  const request = port && (await requests.get(port.importId, port.request));
  const rows = port && (await ports.rows(portId));
  return port && request && rows && { port, request, rows };
}
