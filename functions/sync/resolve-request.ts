// Resolves a request for which action is required, as a person decided. The service is asked first: no resolution
// sends a number that a port may have, and none loses a port. A request that changed since it was read stays as it is.
import { findAccountProblem } from '#shared/import/import-state.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import { type Observation, readPort } from '#shared/pipeline/observe-port.ts';
import { isMissing, leaveUnread, type PortItem, type PortReading, type PortRowState } from '#shared/port/port.ts';
import { isBeingCancelled, isCancellable } from '#shared/port/port-change.ts';
import { isPortStatus, portStatus } from '#shared/port/port-status.ts';
import { type Resolution, type ResolveAnswer, resolvedAs } from '#shared/request/messages.ts';
import { describePrediction, portedNumberOf, predictNumber } from '#shared/request/number-claim.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import type { RequestItem, Resolved } from '#shared/request/request.ts';
import { adoptPorts, closeDuplicates, keepPort, openPortsOf } from '#shared/request/request-state.ts';
import { leaveMissingPort } from '#shared/request/waiting-request.ts';
import { UnreadableItem } from '#shared/row/issue.ts';
import { redactText } from '#shared/row/redact.ts';
import { isDecline, isPortingFailure, unlessDeclined } from '#shared/service/errors.ts';
import { isSameRequest, tokenOfPortName } from '#shared/text/identity.ts';
import { isoTime } from '#shared/text/wording.ts';
import { noteUnreadable } from './failure-classifier.ts';
import { runLimits } from './intervals.ts';
import { isDeadlineNear, makesOf, notifyReport, type SyncPipeline, type SyncRun } from './run.ts';
import { recordOwnPort, sentRows, verifyPortRows } from './unknown-outcomes/adopt-port.ts';
import { findPortsByName } from './unknown-outcomes/port-list-passes.ts';
import { ResolutionDeclined, resendOrAbandon, unlessChanged } from './unknown-outcomes/resend-or-abandon.ts';

/** Resolutions that were not carried out: the API could not start sync, or the run was killed. */
export async function resolveWaiting(run: SyncRun): Promise<void> {
  const { resolutions, clocks, failures } = run;
  const waiting = await resolutions.waiting(clocks.wall(), runLimits.resolutions, failures.noteUnreadable);
  for (const { expiresAt: _, ...resolution } of waiting) {
    if (isDeadlineNear(run)) return;
    await run.deadline.measured(() => resolveRequest(resolution, run));
  }
}

/** The answer is also recorded for the person who asked for it in the API. */
export async function resolveRequest(resolution: Resolution, pipeline: SyncPipeline): Promise<ResolveAnswer> {
  const answer = await answerOf(resolution, pipeline);
  await pipeline.resolutions.answer(resolution, answer);
  return answer;
}

async function answerOf(resolution: Resolution, pipeline: SyncPipeline): Promise<ResolveAnswer> {
  const { importId, request, what } = resolution;
  const { log } = pipeline;
  const about = { importId, request, resolution: what.kind };
  try {
    const { item, waitsFor } = await carryOut(resolution, pipeline);
    const { state, portId = null } = item;
    log.warn('a person resolved a request', { ...about, state, portId });
    await notifyReport([importId], pipeline);
    return { resolved: true, state, portId, ...(waitsFor && { waitsFor }) };
  } catch (error) {
    const { message: why, advice } = declineOf(error, pipeline);
    log.info('a resolution was not carried out', { ...about, because: why });
    return { resolved: false, why, advice };
  }
}

function declineOf(error: unknown, pipeline: SyncPipeline): ResolutionDeclined {
  if (error instanceof ResolutionDeclined) return error;
  if (error instanceof UnreadableItem) {
    noteUnreadable(pipeline)(error);
    const why = `an item of the table cannot be read: ${error.place}`;
    return new ResolutionDeclined(why, 'Ask whoever operates simporter to correct it, then resolve the request again');
  }
  if (!isPortingFailure(error)) throw error;
  const why = `the service could not be called: ${redactText(error.message)}`;
  return new ResolutionDeclined(why, 'Resolve the request once the service answers');
}

async function carryOut(resolution: Resolution, pipeline: SyncPipeline): Promise<Settled> {
  const { importId, request, what } = resolution;
  const { requests, settings, clocks } = pipeline;
  const item = await requests.get(importId, request);
  if (item === undefined)
    throw new ResolutionDeclined('the request does not exist', 'Check the import and the number of the request');
  const held = findAccountProblem(item, settings.account);
  if (held !== undefined)
    throw new ResolutionDeclined(held, 'Resolve the request once simporter works for its account');
  // A run was killed before it recorded its answer. To cancel the other ports of a kept one is safe to repeat.
  const isCarriedOut = resolution.at !== undefined && item.resolution?.at === resolution.at;
  if (isCarriedOut && (what.kind !== 'keep' || openPortsOf(item).length < 2)) {
    await endMissingPorts(item, pipeline);
    return { item };
  }
  const isScheduled = item.state === 'scheduled' && what.kind === 'abandon';
  const resolved = resolvedAs(resolution, clocks.wall());
  const missing = await findMissingPort(item, what.kind, pipeline);
  if (missing !== undefined) return { item: await leavePort(item, missing, resolved, pipeline) };
  if (item.state !== 'action-required' && !isScheduled && what.kind !== 'keep')
    throw new ResolutionDeclined(`the request is in state ${item.state}`, 'No action is needed');
  switch (what.kind) {
    case 'adopt':
      return { item: await adoptPort(item, what.portId, resolved, pipeline) };
    case 'keep':
      return resolveDuplicate(item, what, resolved, pipeline);
    case 'abandon':
    case 'resend':
      return { item: await resendOrAbandon(item, resolved, () => findPortsByName(item, pipeline), pipeline) };
  }
}

/** The port of a created request that the service does not have any more; undefined where no person may leave it. */
async function findMissingPort(
  { state, portId }: RequestItem,
  kind: Resolution['what']['kind'],
  { ports }: SyncPipeline,
): Promise<PortItem | undefined> {
  if (state !== 'created' || portId === undefined || (kind !== 'abandon' && kind !== 'resend')) return undefined;
  const port = await ports.get(portId);
  return port !== undefined && isMissing(port) ? port : undefined;
}

async function leavePort(
  item: RequestItem,
  port: PortItem,
  resolved: Resolved,
  pipeline: SyncPipeline,
): Promise<RequestItem> {
  if ((await unlessDeclined(readPort(port.portId, pipeline))) !== undefined)
    throw new ResolutionDeclined(`the service shows port ${port.portId} again`, 'No action is needed');
  const left = leaveMissingPort(item);
  const next = await resendOrAbandon(left, resolved, () => findPortsByName(left, pipeline), pipeline);
  await endMissingPorts(next, pipeline);
  return next;
}

/** The ports that the request has left are not read again, and require no action. */
async function endMissingPorts({ formerPortIds = [] }: RequestItem, { ports, clocks }: SyncPipeline) {
  for (const portId of formerPortIds) {
    const port = await ports.get(portId);
    if (port?.dueAt !== undefined && isMissing(port)) await ports.touch(port, leaveUnread(port, clocks.calendar()));
  }
}

/** Only a port that has exactly the numbers that were sent, and that belongs to no other request. */
async function adoptPort(
  item: RequestItem,
  portId: string,
  resolved: Resolved,
  pipeline: SyncPipeline,
): Promise<RequestItem> {
  if (makesOf(item, pipeline) !== 'port')
    throw new ResolutionDeclined(`${item.operation} creates no port`, 'Abandon or resend the request');
  if (item.portId !== undefined && item.portId !== portId) {
    const advice = `Adopt port ${item.portId}, or abandon the request`;
    throw new ResolutionDeclined(`the request has port ${item.portId}`, advice);
  }
  const observation = await readPortIfKnown(portId, pipeline);
  const { detail } = observation;
  await checkOwner(detail, item, pipeline);
  const rows = await verifyPortRows(item, detail, await sentRows(item, pipeline), pipeline);
  if (rows === undefined) {
    const sent = unpackLines(item.lines ?? '').length;
    const why = `port ${detail.id} does not have exactly the ${sent} numbers that were sent`;
    const advice = 'Adopt a port that has them, or cancel this port in the portal and resend the request';
    throw new ResolutionDeclined(why, advice);
  }
  const next = { ...adoptPorts(item, [detail.id], pipeline.clocks.wall()), resolution: resolved };
  const adopted = await unlessChanged(moveRequest(item, next, pipeline));
  await recordOwnPort(adopted, rows, observation, pipeline);
  return adopted;
}

async function readPortIfKnown(portId: string, pipeline: SyncPipeline): Promise<Observation> {
  const observation = await unlessDeclined(readPort(portId, pipeline));
  if (observation !== undefined) return observation;
  throw new ResolutionDeclined(`the service does not know port ${portId}`, 'Copy the id from the portal');
}

/** The port must not belong to another request, by the table or by the token at the end of its name. */
async function checkOwner(
  { id, name }: PortReading,
  { importId, request, token }: RequestItem,
  { ports }: SyncPipeline,
): Promise<void> {
  const port = await ports.get(id);
  const isOther = port !== undefined && (port.importId !== importId || port.request !== request);
  const other = tokenOfPortName(name);
  if (!isOther && (other === undefined || other === token)) return;
  const owner = isOther
    ? `request ${port.request} of import ${port.importId}`
    : `another request, with the token ${other}`;
  throw new ResolutionDeclined(`port ${id} belongs to ${owner}`, 'Adopt the port of this request');
}

// A request created more than one port, and a person decides which one to keep. The others are cancelled only if that
// person wants it, and stay flagged until the service shows that they have ended.

type Keep = Extract<Resolution['what'], { readonly kind: 'keep' }>;

interface Settled {
  readonly item: RequestItem;
  /** Ports that are still to be cancelled. */
  readonly waitsFor?: string[];
}

/** @throws ResolutionDeclined, and the failures of the client */
async function resolveDuplicate(
  item: RequestItem,
  keep: Keep,
  resolution: Resolved,
  pipeline: SyncPipeline,
): Promise<Settled> {
  const { portId } = keep;
  checkRequest(item, portId);
  const kept = await unlessDeclined(readPort(portId, pipeline));
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
  const about = { importId, request, claimedAt: isoTime(clocks.wall()), expiresAt };
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
    const port = await unlessDeclined(pipeline.client.port(id));
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
