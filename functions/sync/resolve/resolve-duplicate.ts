// A request created more than one port, and a person decides which one to keep. The others are cancelled only if that
// person wants it, and stay flagged until the service shows that they have ended.
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { portedNumberOf } from '#shared/domain/requests/ported-number.ts';
import type { Resolution } from '#shared/domain/requests/resolution.ts';
import type { PortRowState } from '#shared/items/port.ts';
import type { PortReading } from '#shared/outcome/port-snapshot.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import { type Observation, readPort } from '#shared/pipeline/observe-port.ts';
import { isBeingCancelled, isCancellable } from '#shared/port/port-change.ts';
import { isPortStatus, portStatus } from '#shared/port/port-status.ts';
import { unlessNotFound } from '#shared/porting/unless-not-found.ts';
import { describePrediction, predictNumber } from '#shared/request/number.ts';
import type { RequestItem, Resolved } from '#shared/request/request.ts';
import { closeDuplicates, keepPort, openPortsOf } from '#shared/request/request-state.ts';
import { isDecline } from '#shared/service/errors.ts';
import { isSameRequest } from '#shared/text/identity.ts';
import type { SyncPipeline } from '../dependencies.ts';
import { recordOwnPort } from '../unknown/adopt-port.ts';
import { findPortsByName } from '../unknown/find-ports.ts';
import { sentRows, verifyPortRows } from '../unknown-outcomes/verify-port-rows.ts';
import { ResolutionDeclined, unlessChanged } from './resolution-declined.ts';

type Keep = Extract<Resolution['what'], { readonly kind: 'keep' }>;

export interface Settled {
  readonly item: RequestItem;
  /** Ports that are still to be cancelled. */
  readonly waitsFor?: string[];
}

/** @throws ResolutionDeclined, and the failures of the client */
export async function resolveDuplicate(
  item: RequestItem,
  keep: Keep,
  resolution: Resolved,
  pipeline: SyncPipeline,
): Promise<Settled> {
  const { portId } = keep;
  checkRequest(item, portId);
  const kept = await unlessNotFound(readPort(portId, pipeline));
  if (kept === undefined) throw new ResolutionDeclined(`the service does not know port ${portId}`, 'Keep another port');
  const rows = await verifyPortRows(item, kept.detail, await sentRows(item, pipeline), pipeline);
  if (rows === undefined) {
    const why = `port ${portId} does not have exactly the numbers that were sent`;
    throw new ResolutionDeclined(why, 'Keep a port that has them');
  }
  const others = openPortsOf(item).filter((id) => id !== portId);
  const live = (await readOthers(others, item, pipeline)).filter(isLive);
  checkOthers(kept.detail, live, keep);
  if (item.portId !== portId) await claimAgain(item, rows, portId, pipeline);
  // Written before any port is cancelled: from now on the end of another port is not the end of the request.
  const next = keepPort(item, portId, resolution, pipeline.clocks.wall());
  const stored = await unlessChanged(moveRequest(item, next, pipeline));
  for (const port of live) await cancel(port, item, pipeline);
  return closeOthers(stored, { kept, rows, others, live }, pipeline);
}

/** There must be ports to choose from, and this one must be one of them. */
function checkRequest(item: RequestItem, portId: string): void {
  const ports = openPortsOf(item);
  if (ports.length < 2 && !item.isLate)
    throw new ResolutionDeclined('the request has no second port', 'No action is needed');
  if (!ports.includes(portId)) {
    const why = `port ${portId} is none of its ports: ${ports.join(', ')}`;
    throw new ResolutionDeclined(why, 'Keep one of these ports');
  }
  if (item.state !== 'created')
    throw new ResolutionDeclined(`the request is in state ${item.state}`, 'Resolve it once its port is known');
  if (item.endedAt === undefined || item.portId === portId) return;
  throw new ResolutionDeclined(
    `port ${item.portId} has ended, and with it the request`,
    `Follow port ${portId} in the portal. If you cancel it there, keep port ${item.portId}: its numbers are free then`,
  );
}

const isLive = ({ statusName }: PortReading): boolean => !portStatus(statusName).terminal;

function checkOthers(kept: PortReading, live: readonly PortReading[], { cancelOthers }: Keep): void {
  const [first] = live;
  if (first === undefined) return;
  if (isPortStatus(kept.statusName, 'Cancelled'))
    throw new ResolutionDeclined(`port ${kept.id} is Cancelled`, `Keep ${first.id}, which is ${first.statusName}`);
  const late = live.find((port) => !isCancellable(port.statusName) && !isBeingCancelled(port));
  if (late !== undefined) {
    const advice = `Keep port ${late.id}, or contact the service operator`;
    throw new ResolutionDeclined(`port ${late.id} is ${late.statusName} and can no longer be cancelled`, advice);
  }
  if (cancelOthers) return;
  const statuses = live.map(({ id, statusName }) => `${id} is ${statusName}`).join(', ');
  throw new ResolutionDeclined(
    `the same numbers are in progress in another port: ${statuses}`,
    `Cancel that port in the portal and resolve again, or keep port ${kept.id} and have the others cancelled`,
  );
}

/** A number whose row had ended in the port that was followed was free, so another import may have claimed it. */
async function claimAgain(
  { importId, request, expiresAt }: RequestItem,
  rows: readonly PortRowState[],
  portId: string,
  { numbers, requests, clocks }: SyncPipeline,
): Promise<void> {
  const about = { importId, request, claimedAt: isoTime(clocks.wall()), ...(expiresAt && { expiresAt }) };
  const lines = new Map(rows.map(({ msisdn, line }) => [msisdn, line]));
  for (const seen of await numbers.getMany([...lines.keys()])) {
    const { number } = seen;
    if (isSameRequest(seen, about)) continue;
    const prediction = predictNumber(seen, await requests.get(seen.importId, seen.request));
    if (prediction?.kind === 'in-progress') {
      const { message } = describePrediction(number, prediction);
      throw new ResolutionDeclined(message, `Cancel that import, or cancel port ${portId} in the portal`);
    }
    const ported = portedNumberOf(seen);
    const claim = { ...about, number, line: lines.get(number) ?? seen.line, ...(ported && { ported }) };
    await unlessChanged(numbers.takeOver(seen, claim).then((isTaken) => (isTaken ? claim : undefined)));
  }
}

/** If the service declines, the port is still read again afterwards. */
async function cancel(
  port: PortReading,
  { importId, request }: RequestItem,
  { client, log }: SyncPipeline,
): Promise<void> {
  if (isBeingCancelled(port)) return;
  const ids = { portId: port.id, importId, request };
  try {
    await client.cancelPort(port.id);
    log.warn('the service was asked to cancel a duplicate port', ids);
  } catch (error) {
    if (!isDecline(error)) throw error;
    log.warn('the service declined to cancel a port', { ...ids, error });
  }
}

interface Choice {
  readonly kept: Observation;
  readonly rows: readonly PortRowState[];
  /** The ids of its other ports. */
  readonly others: readonly string[];
  /** Those of them that had not ended. */
  readonly live: readonly PortReading[];
}

async function closeOthers(
  item: RequestItem,
  { kept, rows, others, live }: Choice,
  pipeline: SyncPipeline,
): Promise<Settled> {
  const { client, clocks } = pipeline;
  const waitsFor: string[] = [];
  for (const { id } of live) if (isLive(await client.port(id))) waitsFor.push(id);
  const ended = others.filter((id) => !waitsFor.includes(id));
  const close = () => unlessChanged(moveRequest(item, closeDuplicates(item, ended, clocks.wall()), pipeline));
  const stored = ended.length === 0 ? item : await close();
  // If this fails, sync reads the port: the request is due.
  await recordOwnPort(stored, rows, kept, pipeline);
  return { item: stored, ...(waitsFor.length === 0 ? {} : { waitsFor }) };
}

/**
 * The ports that the service still has.
 * @throws ResolutionDeclined where the list does not prove that the others are gone
 */
async function readOthers(
  ids: readonly string[],
  item: RequestItem,
  pipeline: SyncPipeline,
): Promise<readonly PortReading[]> {
  const read: PortReading[] = [];
  const missing: string[] = [];
  for (const id of ids) {
    const port = await unlessNotFound(pipeline.client.port(id));
    if (port === undefined) missing.push(id);
    else read.push(port);
  }
  if (missing.length === 0) return read;
  const found = await findPortsByName(item, pipeline);
  if (typeof found === 'object' && found.ports.every(({ id }) => !missing.includes(id))) return read;
  throw new ResolutionDeclined(
    'the service does not show one of the other ports, and the port list does not prove that it is gone',
    'Resolve it again later, or contact the service operator',
  );
}
