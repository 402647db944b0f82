// Reads a port of the service and records what the reading shows. Every port enters the results table this way.

import { type KnownPort, type PortSnapshot, type SnapshotContext, snapshotOf } from '#shared/outcome/port-snapshot.ts';
import type { PortItem, PortRowState } from '#shared/port/port.ts';
import { portStatus } from '#shared/port/port-status.ts';
import type { RequestItem } from '#shared/request/request.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { Metrics } from '#shared/runtime/metrics.ts';
import type { PortingClient } from '#shared/service/client.ts';
import type { PortDetail } from '#shared/service/contract.ts';

export type SnapshotSettings = Omit<SnapshotContext, 'readAt'>;

export interface ReadDependencies {
  readonly client: Pick<PortingClient, 'port'>;
  readonly settings: SnapshotSettings;
  readonly clocks: { readonly calendar: Clock };
}

export interface RecordDependencies {
  /** Writes a snapshot; false when the port or its request changed meanwhile. */
  readonly snapshots: { record(snapshot: PortSnapshot): Promise<boolean> };
  readonly metrics: Metrics;
  readonly log: Log;
}

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
}: ReadDependencies): SnapshotContext => ({
  account,
  zone,
  callingCode,
  lockingHour,
  readAt: clocks.calendar(),
});

/** @throws the failures of the client */
export async function readPort(portId: string, dependencies: ReadDependencies): Promise<Observation> {
  const context = snapshotContext(dependencies);
  return { context, detail: await dependencies.client.port(portId) };
}

export async function recordObservation(
  known: KnownPort,
  { detail, context }: Observation,
  dependencies: RecordDependencies,
): Promise<Recorded> {
  const snapshot = snapshotOf(known, detail, context);
  if (snapshot === undefined) return 'outdated';
  if (!(await recordSnapshot(snapshot, dependencies))) return 'conflict';
  const { seen, next } = snapshot;
  if (next.concern !== undefined && next.concern !== seen?.concern) {
    const { importId, request, portId, rowCount, actionRequired } = next;
    const about = { importId, request, portId, rowCount, actionRequired };
    dependencies.log.error('the port differs from the request', about);
  }
  return snapshot;
}

/** Writes the snapshot, and counts and logs what it shows. false: another write was first. */
export async function recordSnapshot(snapshot: PortSnapshot, dependencies: RecordDependencies): Promise<boolean> {
  if (!(await dependencies.snapshots.record(snapshot))) return false;
  if (hasChanged(snapshot)) reportChange(snapshot, dependencies);
  return true;
}

export const hasChanged = ({ rows, event, request }: PortSnapshot): boolean =>
  rows !== undefined || event !== undefined || request !== undefined;

function reportChange({ seen, next, event }: PortSnapshot, { metrics, log }: RecordDependencies): void {
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
export const observePort = async (
  portId: string,
  known: KnownPort,
  dependencies: ReadDependencies & RecordDependencies,
): Promise<Recorded> => recordObservation(known, await readPort(portId, dependencies), dependencies);

export interface FindKnownDependencies {
  readonly ports: {
    get(portId: string): Promise<PortItem | undefined>;
    rows(portId: string): Promise<PortRowState[] | undefined>;
  };
  readonly requests: { get(importId: string, request: number): Promise<RequestItem | undefined> };
}

/** The port with its request and its rows; undefined where the results table does not have all of them. */
export async function findKnownPort(
  portId: string,
  { ports, requests }: FindKnownDependencies,
): Promise<Required<KnownPort> | undefined> {
  const port = await ports.get(portId);
  const request = port && (await requests.get(port.importId, port.request));
  const rows = port && (await ports.rows(portId));
  return port && request && rows && { port, request, rows };
}
