// Resolves a request for which action is required, as a person decided. The service is asked first: no resolution
// sends a number that a port may have, and none loses a port. A request that changed since it was read stays as it is.
import { unpackLines } from '#shared/domain/imports/packed-lines.ts';
import { type Resolution, type ResolveAnswer, resolvedAs } from '#shared/domain/requests/resolution.ts';
import type { PortItem } from '#shared/items/port.ts';
import { leaveUnread, type PortReading } from '#shared/outcome/port-snapshot.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import { type Observation, readPort } from '#shared/pipeline/observe-port.ts';
import { isMissing } from '#shared/port/port.ts';
import { unlessNotFound } from '#shared/porting/unless-not-found.ts';
import type { RequestItem, Resolved } from '#shared/request/request.ts';
import { adoptPorts } from '#shared/request/request-state.ts';
import { leaveMissingPort } from '#shared/request/waiting-request.ts';
import { redactText } from '#shared/row/redact.ts';
import { isPortingFailure, NotFound, Rejected } from '#shared/service/errors.ts';
import { tokenOfPortName } from '#shared/text/identity.ts';
import { isDeadlineNear, makesOf, type SyncPipeline } from './dependencies.ts';
import { runLimits } from './intervals.ts';
import { notifyReport } from './notify-report.ts';
import { ResolutionDeclined, unlessChanged } from './resolve/resolution-declined.ts';
import { resolveDuplicate, type Settled } from './resolve/resolve-duplicate.ts';
import { recordOwnPort } from './unknown/adopt-port.ts';
import { findPortsByName } from './unknown/find-ports.ts';
import { resendOrAbandon } from './unknown/resend-or-abandon.ts';
import { sentRows, verifyPortRows } from './unknown-outcomes/verify-port-rows.ts';

/** Resolutions that were not carried out: the API could not start sync, or the run was killed. */
export async function resolveWaiting(pipeline: SyncPipeline): Promise<void> {
  const { resolutions, clocks } = pipeline;
  for (const { expiresAt: _, ...resolution } of await resolutions.waiting(clocks.wall(), runLimits.resolutions)) {
    if (isDeadlineNear(pipeline)) return;
    await resolveRequest(resolution, pipeline);
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
    const { message: why, advice } = declineOf(error);
    log.info('a resolution was not carried out', { ...about, because: why });
    return { resolved: false, why, advice };
  }
}

function declineOf(error: unknown): ResolutionDeclined {
  if (error instanceof ResolutionDeclined) return error;
  if (!isPortingFailure(error)) throw error;
  const why = `the service could not be called: ${redactText(error.message)}`;
  return new ResolutionDeclined(why, 'Resolve the request once the service answers');
}

async function carryOut(resolution: Resolution, pipeline: SyncPipeline): Promise<Settled> {
  const { importId, request, what } = resolution;
  const { requests, clocks } = pipeline;
  const item = await requests.get(importId, request);
  if (item === undefined)
    throw new ResolutionDeclined('the request does not exist', 'Check the import and the number of the request');
  // A run was killed before it recorded its answer.
  if (resolution.at !== undefined && item.resolution?.at === resolution.at) {
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
  if ((await unlessNotFound(readPort(port.portId, pipeline))) !== undefined)
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
  try {
    return await readPort(portId, pipeline);
  } catch (error) {
    if (!(error instanceof NotFound || error instanceof Rejected)) throw error;
    throw new ResolutionDeclined(`the service does not know port ${portId}`, 'Copy the id from the portal');
  }
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
