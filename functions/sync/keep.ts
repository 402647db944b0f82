// One request made more than one port, and a person says which of them stays. The others are cancelled only where that person
// said so, and stay flagged until the service shows them to be over.
import type { Decide, DecisionAnswer } from '#shared/domain/decision.ts';
import type { Decided, PortRowState, RequestItem } from '#shared/domain/ledger.ts';
import { portStatus } from '#shared/domain/lifecycle.ts';
import type { LookContext, PortReading } from '#shared/domain/port-look.ts';
import { kept, undecidedPortsOf, withNextRevision, withoutDuplicates } from '#shared/domain/request-state.ts';
import { isRefusal } from '#shared/porting/errors.ts';
import { recordLook } from './adopt.ts';
import { isBeingCancelled, isCancelled, mayCancel } from './cancellable.ts';
import { ownRows, sentRows } from './own-rows.ts';
import { lookContext, type SyncParts } from './parts.ts';
import { portsUnderName } from './ports-under-name.ts';
import { overtaken, refusal } from './refusal.ts';
import { unlessUnknown } from './unless-unknown.ts';

type Keep = Extract<Decide['what'], { readonly kind: 'keep' }>;

export async function keep(
  item: RequestItem,
  { portId, cancelOthers }: Keep,
  decided: Decided,
  parts: SyncParts,
): Promise<DecisionAnswer> {
  const problem = undecidable(item, portId);
  if (problem !== undefined) return problem;
  const context = lookContext(parts);
  const stays = await unlessUnknown(parts.client.port(portId));
  if (stays === undefined) return refusal(`the service knows no port ${portId}`, 'keep one that it knows');
  const rows = await ownRows(item, stays, await sentRows(item, parts), parts);
  if (rows === undefined) {
    return refusal(`port ${portId} does not hold exactly the numbers that were sent`, 'keep one that does');
  }
  const others = undecidedPortsOf(item).filter((id) => id !== portId);
  const read = await readThoseLeft(others, item, parts);
  if (read === undefined) return notProven;
  const living = read.filter(isLive);
  const standing = judgeOthers(stays, living, cancelOthers);
  if (standing !== undefined) return standing;
  // Written before anything is cancelled: from now on the end of another port is not the end of the request.
  const next = kept(item, portId, decided, parts.clocks.wall());
  if (!(await parts.requests.replace(item, next))) return overtaken;
  for (const port of living) await cancel(port, item, parts);
  const settling = { stays, rows, others, living, context };
  return settle(withNextRevision(item, next), settling, parts);
}

/** Why there is nothing to decide, or nothing that can be decided like this. */
function undecidable(item: RequestItem, portId: string): DecisionAnswer | undefined {
  const ports = undecidedPortsOf(item);
  if (ports.length < 2) return refusal('it has no second port', 'see what became of it: `simporter results`');
  if (!ports.includes(portId))
    return refusal(`port ${portId} is none of its ports: ${ports.join(', ')}`, 'keep one of them');
  if (item.state !== 'created') return refusal(`it is ${item.state}`, 'decide once it has its port');
  // Its numbers may be in another import by now.
  if (item.endedAt === undefined || item.portId === portId) return undefined;
  const advice = `follow ${portId} in the portal, or cancel it there and drop the rows again`;
  return refusal(`port ${item.portId} has ended, and with it the request: its numbers are free`, advice);
}

const isLive = ({ statusName }: PortReading): boolean => !portStatus(statusName).terminal;

function judgeOthers(
  stays: PortReading,
  living: readonly PortReading[],
  cancelOthers: boolean,
): DecisionAnswer | undefined {
  const [first] = living;
  if (first === undefined) return undefined;
  if (isCancelled(stays.statusName))
    return refusal(`port ${stays.id} is Cancelled`, `keep ${first.id}, which is ${first.statusName}`);
  const late = living.find((port) => !mayCancel(port.statusName) && !isBeingCancelled(port));
  if (late !== undefined) {
    const advice = `keep that one (--keep ${late.id}), or ask the service's operator`;
    return refusal(`port ${late.id} is ${late.statusName}: it cannot be cancelled any more`, advice);
  }
  if (cancelOthers) return undefined;
  const told = living.map(({ id, statusName }) => `${id} is ${statusName}`).join(', ');
  return refusal(
    `the same numbers are still on their way in another port: ${told}`,
    `cancel it in the portal and decide again, or have it cancelled: --keep ${stays.id} --yes`,
  );
}

/** What is being cancelled is not asked again. A refusal is no end: what the port has come to is read afterwards. */
async function cancel(
  port: PortReading,
  { importId, request }: RequestItem,
  { client, log }: SyncParts,
): Promise<void> {
  if (isBeingCancelled(port)) return;
  const about = { portId: port.id, importId, request };
  try {
    await client.cancelPort(port.id);
    log.warn('a duplicate is to be cancelled', about);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.warn('the service would not cancel a port', { ...about, error });
  }
}

interface Settling {
  readonly stays: PortReading;
  readonly rows: readonly PortRowState[];
  /** The ids of its other ports. */
  readonly others: readonly string[];
  /** Those of them that were not over yet. */
  readonly living: readonly PortReading[];
  readonly context: LookContext;
}

async function settle(
  item: RequestItem,
  { stays, rows, others, living, context }: Settling,
  parts: SyncParts,
): Promise<DecisionAnswer> {
  const waitsFor: string[] = [];
  for (const { id } of living) if (isLive(await parts.client.port(id))) waitsFor.push(id);
  const over = others.filter((id) => !waitsFor.includes(id));
  const next = over.length === 0 ? item : withoutDuplicates(item, over, parts.clocks.wall());
  if (next !== item && !(await parts.requests.replace(item, next))) return overtaken;
  const request = next === item ? item : withNextRevision(item, next);
  // Were this look overtaken, sync would take another: the request is due.
  await recordLook(request, await knownRows(stays.id, rows, parts), stays, context, parts);
  return { decided: true, state: next.state, portId: stays.id, ...(waitsFor.length === 0 ? {} : { waitsFor }) };
}

const knownRows = async (portId: string, rows: readonly PortRowState[], { ports }: SyncParts) =>
  (await ports.rows(portId)) ?? rows;

/** Those that the service has not purged; undefined where one is not shown, and the list does not prove that it is gone. */
async function readThoseLeft(
  ids: readonly string[],
  item: RequestItem,
  parts: SyncParts,
): Promise<readonly PortReading[] | undefined> {
  const read: PortReading[] = [];
  const gone: string[] = [];
  for (const id of ids) {
    const port = await unlessUnknown(parts.client.port(id));
    if (port === undefined) gone.push(id);
    else read.push(port);
  }
  if (gone.length === 0) return read;
  const shown = await portsUnderName(item, parts);
  return shown === undefined || shown.some(({ id }) => gone.includes(id)) ? undefined : read;
}

const notProven = refusal(
  'the service does not show one of its other ports, and the list does not prove that it is gone',
  "decide again later, or ask the service's operator",
);
