// Requests that come in the place of a port: asks the service to cancel that port, and lets them go once it is read back as
// Cancelled. Never before: what was accepted is not done yet, and a number must not stand in two live ports.
import type { ReplacedPort, RequestError, RequestItem } from '#shared/domain/ledger.ts';
import type { SubmitMessage } from '#shared/domain/plan.ts';
import { lookAtDetail, type PortReading } from '#shared/domain/port-look.ts';
import { cancelAsked, freed, refusedUnsent } from '#shared/domain/request-state.ts';
import type { NetworksOffered } from '#shared/operations/operation.ts';
import { isRefusal } from '#shared/porting/errors.ts';
import { isBeingCancelled, isCancelled, mayCancel } from './cancellable.ts';
import { obstacleTo } from './obstacle.ts';
import { isTimeShort, lookContext, type SyncParts } from './parts.ts';
import { unlessUnreadable } from './put-off.ts';
import type { RunParts } from './trouble.ts';

/** A cancel takes some time (spec): only after this long without news, in calendar time, is the port read and asked again. */
const patienceMs = 10 * 60_000;
/** When the port is worth the first look after a cancel, in calendar time. */
const firstLookMs = 60_000;

/** Brings every held request one step on; answers how many were let go. Adds the imports that changed to `imports`. */
export async function releaseHeld(parts: RunParts, imports: Set<string>): Promise<number> {
  const now = new Date(parts.clocks.wall()).toISOString();
  const held = await parts.requests.held(now, parts.settings.limit, parts.trouble.noteUnreadable);
  const offered = networksOnce(parts);
  let released = 0;
  for (const item of held) {
    if (isTimeShort(parts)) break;
    const { replaces } = item;
    if (replaces === undefined) continue;
    const step = await unlessUnreadable(item, parts, () => stepOf(item, replaces, offered, parts));
    if (step === undefined || step === 'waits' || step === 'later') continue;
    imports.add(item.importId);
    if (step === 'free') released += 1;
  }
  return released;
}

async function stepOf(
  item: RequestItem,
  replaces: ReplacedPort,
  offered: NetworksOffered,
  parts: SyncParts,
): Promise<'waits' | 'asked' | 'refused' | 'free'> {
  const known = await knownEnd(replaces, parts);
  if (known !== undefined) return settle(item, replaces, known, parts);
  const askedAt = replaces.cancelAskedAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(replaces.cancelAskedAt);
  if (parts.clocks.calendar() - askedAt < patienceMs) return 'waits';
  const port = await readPort(replaces, parts);
  if (!mayCancel(port.statusName)) return settle(item, replaces, port.statusName, parts);
  // The port is worth more than nothing: it is not cancelled for a request that could not be sent any more.
  const obstacle = isBeingCancelled(port) ? undefined : await obstacleTo(item, offered, parts);
  if (obstacle !== undefined) return refuse(item, obstacle, replaces, parts);
  const asked = cancelAsked(item, replaces, parts.clocks.calendar());
  if (!(await parts.requests.replace(item, asked)) || isBeingCancelled(port)) return 'waits';
  await cancel(replaces, parts);
  return 'asked';
}

/** The status in which the port ended, where that stands in the ledger: there the claims of its numbers have ended too. */
async function knownEnd({ importId, request }: ReplacedPort, { requests }: SyncParts): Promise<string | undefined> {
  const before = await requests.get(importId, request);
  return before?.endedAt === undefined ? undefined : (before.portStatus ?? '');
}

async function settle(
  item: RequestItem,
  replaces: ReplacedPort,
  status: string,
  parts: SyncParts,
): Promise<'waits' | 'refused' | 'free'> {
  const wall = parts.clocks.wall();
  if (isCancelled(status)) {
    // The reading is in the ledger only when its request has ended; until then the numbers are not free.
    if ((await knownEnd(replaces, parts)) === undefined) return 'waits';
    if (!(await parts.requests.replace(item, freed(item, replaces, wall)))) return 'waits';
    const { importId, request, plan } = item;
    const message: SubmitMessage = { importId, request, plan };
    await parts.queues.send(parts.settings.submitQueueUrl, [message]);
    parts.log.info('a port is cancelled, its successor is sent', { importId, request, portId: replaces.portId });
    return 'free';
  }
  const why = { kind: 'port-not-cancelled', message: `it is ${status} and could not be cancelled any more` };
  return refuse(item, why, replaces, parts);
}

/** Ends the request; its port is left alone. */
async function refuse(
  item: RequestItem,
  why: RequestError,
  { portId }: ReplacedPort,
  { requests, clocks, metrics, log }: SyncParts,
): Promise<'waits' | 'refused'> {
  const error = { ...why, message: `port ${portId} stays as it was: ${why.message}` };
  if (!(await requests.replace(item, refusedUnsent(item, error, item.lines, clocks.wall())))) return 'waits';
  metrics.count('requestsRefused');
  const { importId, request } = item;
  log.warn('a port could not be moved', { importId, request, portId, because: why.kind });
  return 'refused';
}

/** Asked once in a run, however many ports are to be moved. */
function networksOnce({ client }: SyncParts): NetworksOffered {
  let networks: ReturnType<NetworksOffered['networks']> | undefined;
  return {
    networks: () => {
      networks ??= client.networks();
      return networks;
    },
  };
}

/** Reads the port and writes what it tells, as any look does. */
async function readPort({ portId, importId, request: number }: ReplacedPort, parts: SyncParts): Promise<PortReading> {
  const context = lookContext(parts);
  const detail = await parts.client.port(portId);
  const request = await parts.requests.get(importId, number);
  const port = await parts.ports.get(portId);
  const rows = await parts.ports.rows(portId);
  if (request !== undefined && rows !== undefined) {
    const look = lookAtDetail({ port, request, rows }, detail, context);
    if (look !== undefined) await parts.looks.record(look);
  }
  return detail;
}

/** A refusal is no end: the next look tells what the port has come to. What is not known to be harmless is read back, too. */
async function cancel({ portId, importId, request }: ReplacedPort, parts: SyncParts): Promise<void> {
  try {
    await parts.client.cancelPort(portId);
    parts.log.info('a port is to be cancelled', { portId, importId, request });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    parts.log.warn('the service would not cancel a port', { portId, importId, request, error });
  }
  const port = await parts.ports.get(portId);
  const soon = new Date(parts.clocks.calendar() + firstLookMs).toISOString();
  if (port?.dueAt !== undefined && port.dueAt > soon) await parts.ports.touch(port, { ...port, dueAt: soon });
}
