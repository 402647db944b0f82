// Adopts a port as the one that a request created, if it has exactly the numbers that were sent.
import { snapshotMissingWithRequest } from '#shared/outcome/port-snapshot.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import {
  hasExactly,
  isPortOf,
  type Observation,
  readPort,
  recordObservation,
  recordSnapshot,
  snapshotContext,
  unreadRow,
} from '#shared/pipeline/observe-port.ts';
import type { PortItem, PortReading, PortRowState } from '#shared/port/port.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { adoptPorts, discardPortId, markActionRequired, wrongPort } from '#shared/request/request-state.ts';
import { msisdnKey } from '#shared/row/msisdn.ts';
import { type Decline, isDecline } from '#shared/service/errors.ts';
import { inParallel } from '#shared/service/in-parallel.ts';
import { concurrency } from '../intervals.ts';
import type { SyncPipeline } from '../run.ts';

/**
 * Reads the port of a created request: for the first time, or because a duplicate port was found and the concern of a
 * port that is known already must name it. Returns whether something changed.
 * @throws the failures of the client; a decline only for a port that was never read
 */
export async function readCreatedPort(item: RequestItem, pipeline: SyncPipeline): Promise<boolean> {
  let observation: Observation;
  try {
    observation = await readPort(item.portId ?? '', pipeline);
  } catch (error) {
    if (isDecline(error)) return recordMissing(item, error, pipeline);
    throw error;
  }
  const { detail } = observation;
  const stored = isOf(item, await pipeline.ports.get(detail.id)) ? await pipeline.ports.rows(detail.id) : undefined;
  if (stored !== undefined) return recordOwnPort(item, stored, observation, pipeline);
  const planned = await sentRows(item, pipeline);
  const numbers = planned?.map(({ msisdn }) => msisdn);
  if (!isPortOf(item.token, detail, numbers, pipeline.settings.callingCode)) return discard(item, detail, pipeline);
  const rows = planned ?? (await verifyPortRows(item, detail, undefined, pipeline));
  if (rows !== undefined) return recordOwnPort(item, rows, observation, pipeline);
  const message = `the plan has expired, and port ${detail.id} does not have exactly the numbers that were sent`;
  return requireAction(item, message, pipeline);
}

const isOf = ({ importId, request }: RequestItem, port: PortItem | undefined): port is PortItem =>
  port?.importId === importId && port.request === request;

/** The service answered with the id of another port. */
async function discard(item: RequestItem, { id, name }: PortReading, pipeline: SyncPipeline): Promise<boolean> {
  const { clocks, settings, log } = pipeline;
  log.error('the service answered with the id of another port', { importId: item.importId, request: item.request, id });
  const times = { now: clocks.wall(), quietMs: settings.quietMs };
  return (await moveRequest(item, discardPortId(item, wrongPort(id, name), times), pipeline)) !== undefined;
}

/** @throws the answer of the service, if nothing is known about the port yet */
async function recordMissing(request: RequestItem, answer: Decline, pipeline: SyncPipeline): Promise<boolean> {
  const { ports, log } = pipeline;
  const { importId, request: number, portId = '' } = request;
  const port = await ports.get(portId);
  const rows = await ports.rows(portId);
  if (rows === undefined || !isOf(request, port)) throw answer;
  log.error('the service does not know a port any more', { portId, importId, request: number });
  const snapshot = snapshotMissingWithRequest({ request, port, rows }, snapshotContext(pipeline));
  return snapshot !== undefined && recordSnapshot(snapshot, pipeline);
}

/**
 * Records a reading of the request's own port. `rows` are those that were sent, for a port that was never read before.
 */
export async function recordOwnPort(
  request: RequestItem,
  rows: readonly PortRowState[],
  observation: Observation,
  pipeline: SyncPipeline,
): Promise<boolean> {
  const { ports } = pipeline;
  const { id } = observation.detail;
  const known = { request, port: await ports.get(id), rows: (await ports.rows(id)) ?? rows };
  return typeof (await recordObservation(known, observation, pipeline)) === 'object';
}

/** Adopts those of the ports that belong to the request. undefined: the request changed meanwhile. */
export async function adoptFoundPorts(
  item: RequestItem,
  portIds: readonly string[],
  pipeline: SyncPipeline,
): Promise<'adopted' | 'actionRequired' | undefined> {
  const { clocks, log } = pipeline;
  const sent = await sentRows(item, pipeline);
  const own: { readonly observation: Observation; readonly rows: readonly PortRowState[] }[] = [];
  for (const portId of portIds) {
    const observation = await readPort(portId, pipeline);
    const rows = await verifyPortRows(item, observation.detail, sent, pipeline);
    if (rows !== undefined) own.push({ observation, rows });
  }
  const [first] = own;
  if (first === undefined) {
    const message = `the service has ${portIds.join(', ')} under the name of this request, with other numbers`;
    return (await requireAction(item, message, pipeline)) ? 'actionRequired' : undefined;
  }
  const ids = own.map(({ observation }) => observation.detail.id);
  const adopted = await moveRequest(item, adoptPorts(item, ids, clocks.wall()), pipeline);
  if (adopted === undefined) return undefined;
  const { importId, request, portId, duplicatePortIds: duplicates = [] } = adopted;
  log.warn('a port was adopted', { importId, request, portId, duplicates });
  await recordOwnPort(adopted, first.rows, first.observation, pipeline);
  return 'adopted';
}

async function requireAction(item: RequestItem, message: string, pipeline: SyncPipeline): Promise<boolean> {
  const next = markActionRequired(item, message, pipeline.clocks.wall());
  return (await moveRequest(item, next, pipeline)) !== undefined;
}

// Proves that a port belongs to a request: it has exactly the numbers that were sent. The plan names those numbers, and
// once it has expired, the claims do.

/** The rows that the last attempt sent; undefined when the plan has expired. */
export async function sentRows(item: RequestItem, { plans }: SyncPipeline): Promise<PortRowState[] | undefined> {
  const planned = await plans.read(item);
  const sent = new Set(unpackLines(item.lines ?? ''));
  return planned?.rows.filter(({ line }) => sent.has(line)).map(unreadRow);
}

/** The rows that were sent, if the port has all of them and no others. @param sent the answer of `sentRows` */
export async function verifyPortRows(
  item: RequestItem,
  detail: PortReading,
  sent: readonly PortRowState[] | undefined,
  { numbers, settings }: SyncPipeline,
): Promise<readonly PortRowState[] | undefined> {
  const { callingCode } = settings;
  if (sent === undefined)
    return claimedRows(item, new Set(detail.rows.map(({ msisdn }) => msisdnKey(msisdn, callingCode))), numbers);
  const own = sent.map(({ msisdn }) => msisdn);
  return hasExactly(own, detail, callingCode) ? sent : undefined;
}

/**
 * Submit claims each number for its request and its line before it sends it, and no other import gets the claim while
 * the request is in progress. So if there are as many claims as lines that were sent, each for one of them, they are
 * what was sent.
 */
async function claimedRows(
  { importId, request, lines }: RequestItem,
  inPort: ReadonlySet<string>,
  numbers: SyncPipeline['numbers'],
): Promise<readonly PortRowState[] | undefined> {
  const sent = new Set(unpackLines(lines ?? ''));
  if (sent.size === 0 || inPort.size !== sent.size) return undefined;
  const claimed = new Map<number, PortRowState>();
  await inParallel([...inPort], concurrency, async (msisdn) => {
    const claim = await numbers.get(msisdn);
    if (claim?.importId !== importId || claim.request !== request || !sent.has(claim.line)) return;
    const { line, firstLine } = claim;
    claimed.set(line, { line, msisdn, status: '', ...(firstLine && { firstLine }) });
  });
  if (claimed.size !== sent.size) return undefined;
  return [...claimed.values()].sort((one, other) => one.line - other.line);
}
