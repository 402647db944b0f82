// Adopts a port as the one that a request created, if it has exactly the numbers that were sent.
import { isPortOf } from '#shared/domain/ports/port-ownership.ts';
import { type PortReading, snapshotMissingWithRequest } from '#shared/domain/ports/port-snapshot.ts';
import { adoptPorts, discardPortId, markActionRequired, wrongPort } from '#shared/domain/requests/request-state.ts';
import type { PortItem, PortRowState } from '#shared/items/port.ts';
import type { RequestItem } from '#shared/items/request.ts';
import { moveRequest } from '#shared/ledger/move-request.ts';
import {
  type Observation,
  readPort,
  recordObservation,
  recordSnapshot,
  snapshotContext,
} from '#shared/ledger/observe-port.ts';
import { NotFound } from '#shared/porting/errors.ts';
import type { SyncDependencies } from '../dependencies.ts';
import { sentRows, verifyPortRows } from './verify-port-rows.ts';

/**
 * Reads the port of a created request: for the first time, or because a duplicate port was found and the concern of a
 * port that is known already must name it. Returns whether something changed.
 * @throws the failures of the client; `NotFound` only for a port that was never read
 */
export async function readCreatedPort(item: RequestItem, dependencies: SyncDependencies): Promise<boolean> {
  let observation: Observation;
  try {
    observation = await readPort(item.portId ?? '', dependencies);
  } catch (error) {
    if (error instanceof NotFound) return recordMissing(item, error, dependencies);
    throw error;
  }
  const { detail } = observation;
  const stored = isOf(item, await dependencies.ports.get(detail.id))
    ? await dependencies.ports.rows(detail.id)
    : undefined;
  if (stored !== undefined) return recordOwnPort(item, stored, observation, dependencies);
  const planned = await sentRows(item, dependencies);
  const numbers = planned?.map(({ msisdn }) => msisdn);
  if (!isPortOf(item.token, detail, numbers, dependencies.settings.callingCode))
    return discard(item, detail, dependencies);
  const rows = planned ?? (await verifyPortRows(item, detail, undefined, dependencies));
  if (rows !== undefined) return recordOwnPort(item, rows, observation, dependencies);
  const message = `the plan has expired, and port ${detail.id} does not have exactly the numbers that were sent`;
  return requireAction(item, message, dependencies);
}

const isOf = ({ importId, request }: RequestItem, port: PortItem | undefined): port is PortItem =>
  port?.importId === importId && port.request === request;

/** The service answered with the id of another port. */
async function discard(item: RequestItem, { id, name }: PortReading, dependencies: SyncDependencies): Promise<boolean> {
  const { clocks, settings, log } = dependencies;
  log.error('the service answered with the id of another port', { importId: item.importId, request: item.request, id });
  const times = { now: clocks.wall(), quietMs: settings.quietMs };
  return (await moveRequest(item, discardPortId(item, wrongPort(id, name), times), dependencies)) !== undefined;
}

/** @throws the answer of the service, if nothing is known about the port yet */
async function recordMissing(request: RequestItem, answer: NotFound, dependencies: SyncDependencies): Promise<boolean> {
  const { ports, log } = dependencies;
  const { importId, request: number, portId = '' } = request;
  const port = await ports.get(portId);
  const rows = await ports.rows(portId);
  if (rows === undefined || !isOf(request, port)) throw answer;
  log.error('the service does not know a port any more', { portId, importId, request: number });
  const snapshot = snapshotMissingWithRequest({ request, port, rows }, snapshotContext(dependencies));
  return snapshot !== undefined && recordSnapshot(snapshot, dependencies);
}

/**
 * Records a reading of the request's own port. `rows` are those that were sent, for a port that was never read before.
 */
export async function recordOwnPort(
  request: RequestItem,
  rows: readonly PortRowState[],
  observation: Observation,
  dependencies: SyncDependencies,
): Promise<boolean> {
  const { ports } = dependencies;
  const { id } = observation.detail;
  const known = { request, port: await ports.get(id), rows: (await ports.rows(id)) ?? rows };
  return typeof (await recordObservation(known, observation, dependencies)) === 'object';
}

/** Adopts those of the ports that belong to the request. undefined: the request changed meanwhile. */
export async function adoptFoundPorts(
  item: RequestItem,
  portIds: readonly string[],
  dependencies: SyncDependencies,
): Promise<'adopted' | 'actionRequired' | undefined> {
  const { clocks, log } = dependencies;
  const sent = await sentRows(item, dependencies);
  const own: { readonly observation: Observation; readonly rows: readonly PortRowState[] }[] = [];
  for (const portId of portIds) {
    const observation = await readPort(portId, dependencies);
    const rows = await verifyPortRows(item, observation.detail, sent, dependencies);
    if (rows !== undefined) own.push({ observation, rows });
  }
  const [first] = own;
  if (first === undefined) {
    const message = `the service has ${portIds.join(', ')} under the name of this request, with other numbers`;
    return (await requireAction(item, message, dependencies)) ? 'actionRequired' : undefined;
  }
  const ids = own.map(({ observation }) => observation.detail.id);
  const adopted = await moveRequest(item, adoptPorts(item, ids, clocks.wall()), dependencies);
  if (adopted === undefined) return undefined;
  const { importId, request, portId, duplicatePortIds: duplicates = [] } = adopted;
  log.warn('a port was adopted', { importId, request, portId, duplicates });
  await recordOwnPort(adopted, first.rows, first.observation, dependencies);
  return 'adopted';
}

async function requireAction(item: RequestItem, message: string, dependencies: SyncDependencies): Promise<boolean> {
  const next = markActionRequired(item, message, dependencies.clocks.wall());
  return (await moveRequest(item, next, dependencies)) !== undefined;
}
