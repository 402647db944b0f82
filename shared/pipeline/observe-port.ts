// Reads a port of the service and records what the reading shows. Every port enters the results table this way.

import { type KnownPort, type PortSnapshot, type SnapshotContext, snapshotOf } from '#shared/outcome/port-snapshot.ts';
import type { PortReading, PortRowState } from '#shared/port/port.ts';
import { portStatus } from '#shared/port/port-status.ts';
import { firstLineOf, type PlannedRow } from '#shared/request/request.ts';
import { msisdnKey } from '#shared/row/msisdn.ts';
import type { PortDetail } from '#shared/service/contract.ts';
import { ContractBroken } from '#shared/service/errors.ts';
import { tokenOfPortName } from '#shared/text/identity.ts';
import type { Pipeline, ServicePipeline } from './pipeline.ts';

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

/** @throws the failures of the client, and what `withRows` throws */
export async function readPort(portId: string, pipeline: ServicePipeline): Promise<Observation> {
  const context = snapshotContext(pipeline);
  return { context, detail: withRows(portId, await pipeline.client.port(portId)) };
}

/** @throws ContractBroken for an answer without rows, because every port was created with some */
export function withRows(portId: string, detail: PortDetail): PortDetail {
  if (detail.rows.length === 0) throw new ContractBroken('the port has no rows', { call: `port ${portId}` });
  return detail;
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

/** A row that was sent, before its port is read. */
export const unreadRow = (row: PlannedRow): PortRowState => ({
  line: row.line,
  msisdn: row.subject,
  status: '',
  ...firstLineOf(row),
});

// Whether a port is that of a request.

/** The port has all of these numbers (E.164 digits) and no others. */
export function hasExactly(numbers: readonly string[], { rows }: PortReading, callingCode: string): boolean {
  const inPort = new Set(rows.map(({ msisdn }) => msisdnKey(msisdn, callingCode)));
  return numbers.length > 0 && inPort.size === numbers.length && numbers.every((number) => inPort.has(number));
}

/** By the token in its name. @param sent the numbers of the request; undefined where its plan has expired */
export function isPortOf(
  token: string,
  port: PortReading,
  sent: readonly string[] | undefined,
  callingCode: string,
): boolean {
  const named = tokenOfPortName(port.name);
  return named === undefined ? sent === undefined || hasExactly(sent, port, callingCode) : named === token;
}
