// Resends or abandons a request, as a person decided, once the port list has shown which ports it has.
import { moveRequest } from '#shared/pipeline/move-request.ts';
import type { PortRowState } from '#shared/port/port.ts';
import { isPortStatus, portStatus } from '#shared/port/port-status.ts';
import { submitMessageOf } from '#shared/request/messages.ts';
import type { RequestItem, Resolved } from '#shared/request/request.ts';
import { abandonRequest, allPortsOf, resendRequest, verifyBeforeResend } from '#shared/request/request-state.ts';
import { awaitProof } from '#shared/request/waiting-request.ts';
import { makesOf, type SyncPipeline } from '../run.ts';
import { sentRows, verifyPortRows } from './adopt-port.ts';
import type { NamedPorts } from './port-list-passes.ts';

/** The ports with the name of the request. `too-long`: to be searched by the next runs of sync. */
type FindNamed = () => Promise<NamedPorts | 'unproven' | 'too-long'>;

/** @throws ResolutionDeclined, and the failures of the client */
export const resendOrAbandon = (
  item: RequestItem,
  resolved: Resolved,
  findNamed: FindNamed,
  pipeline: SyncPipeline,
): Promise<RequestItem> => (resolved.what === 'abandon' ? abandon : resend)(item, resolved, findNamed, pipeline);

const waitForSearch = (item: RequestItem, resolved: Resolved, pipeline: SyncPipeline): Promise<RequestItem> =>
  unlessChanged(moveRequest(item, awaitProof(item, resolved, pipeline.clocks.wall()), pipeline));

/**
 * A request for a port is sent again only if the service shows no port of it, other than cancelled ones with other
 * numbers. An empty list proves nothing, so sync searches again.
 */
async function resend(
  item: RequestItem,
  resolved: Resolved,
  findNamed: FindNamed,
  pipeline: SyncPipeline,
): Promise<RequestItem> {
  const { clocks, queues, resources, settings } = pipeline;
  const makes = makesOf(item, pipeline);
  if (makes === undefined)
    throw new ResolutionDeclined(`this version has no operation ${item.operation}`, 'Abandon the request');
  if (item.portId !== undefined) {
    const advice = 'Cancel that port, then abandon the request';
    throw new ResolutionDeclined(`the request has port ${item.portId}`, advice);
  }
  const sent = await sentRows(item, pipeline);
  if (sent === undefined) {
    const advice = 'Adopt the port if there is one; otherwise abandon the request and import the rows again';
    throw new ResolutionDeclined('the plan has expired, so the request cannot be sent again', advice);
  }
  const isOver = (statusName: string) => isPortStatus(statusName, 'Cancelled');
  const found = makes === 'port' ? await findOverPorts(item, sent, isOver, findNamed, pipeline) : undefined;
  if (found === 'too-long') return waitForSearch(item, resolved, pipeline);
  const times = { now: clocks.wall(), quietMs: settings.quietMs };
  if (found?.isListEmpty) return unlessChanged(moveRequest(item, verifyBeforeResend(item, resolved, times), pipeline));
  const stored = await unlessChanged(moveRequest(item, resendRequest(item, resolved, times.now), pipeline));
  // If this message is lost, sync sends another.
  await queues.send(resources.submitQueueUrl, [submitMessageOf(stored)]);
  return stored;
}

/** The numbers become free for another import, so no port of the request may be in progress. */
async function abandon(
  item: RequestItem,
  resolved: Resolved,
  findNamed: FindNamed,
  pipeline: SyncPipeline,
): Promise<RequestItem> {
  const { clocks } = pipeline;
  const isOver = (statusName: string) => portStatus(statusName).terminal;
  // A scheduled request was never sent.
  const named =
    makesOf(item, pipeline) === 'port' && item.attempt > 0
      ? await findOverPorts(item, await sentRows(item, pipeline), isOver, findNamed, pipeline)
      : { ports: [] };
  if (named === 'too-long') return waitForSearch(item, resolved, pipeline);
  const { ports } = named;
  const found = ports.map(({ id, statusName }) => `port ${id} with the name of the request is ${statusName}`);
  const purged = allPortsOf(item).filter((known) => !ports.some(({ id }) => id === known));
  const unknown = purged.map((id) => `the service does not know port ${id} any more`);
  const reasons = resolved.because ? [resolved.because] : [];
  const message = ['abandoned by a person', ...reasons, ...found, ...unknown].join('; ');
  return unlessChanged(moveRequest(item, abandonRequest(item, resolved, message, clocks.wall()), pipeline));
}

/**
 * The ports that the service has under the name of the request.
 * @throws ResolutionDeclined where one of them has the numbers of a request without a port, or is not over
 */
async function findOverPorts(
  item: RequestItem,
  sent: readonly PortRowState[] | undefined,
  isOver: (statusName: string) => boolean,
  findNamed: FindNamed,
  pipeline: SyncPipeline,
): Promise<NamedPorts | 'too-long'> {
  const found = await findNamed();
  if (found === 'too-long') return found;
  if (found === 'unproven') {
    const why = 'the port list does not show every port that exists';
    throw new ResolutionDeclined(why, 'Resolve it again later, or look for the name of the request in the portal');
  }
  for (const { id, statusName, detail } of item.portId === undefined ? found.ports : []) {
    if (detail === undefined || (await verifyPortRows(item, detail, sent, pipeline)) === undefined) continue;
    throw new ResolutionDeclined(
      `port ${id} (${statusName}) has exactly the numbers of the request`,
      `Adopt port ${id}`,
    );
  }
  const live = found.ports.find(({ statusName }) => !isOver(statusName));
  if (live === undefined) return found;
  throw new ResolutionDeclined(
    `port ${live.id} has the name of the request and is ${live.statusName}`,
    'Cancel that port in the portal, and resolve the request once the port is Cancelled',
  );
}

/** A resolution that cannot be carried out. The message is the reason. Nothing was changed. */
export class ResolutionDeclined extends Error {
  override readonly name = 'ResolutionDeclined';
  readonly advice: string;

  constructor(why: string, advice: string) {
    super(why);
    this.advice = advice;
  }
}

/** @throws ResolutionDeclined where the request could not be replaced */
export async function unlessChanged<Stored>(replacing: Promise<Stored | undefined>): Promise<Stored> {
  const stored = await replacing;
  if (stored !== undefined) return stored;
  const advice = 'Check its state, then resolve it again if that is still necessary';
  throw new ResolutionDeclined('the request changed meanwhile', advice);
}
