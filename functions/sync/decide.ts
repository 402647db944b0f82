// A person's decision about a request that was left to people. What the service can still be asked is asked first: no
// decision sends a number while a port may hold it, and none forgets a port. The write is fenced by what was seen before.
import { type Decide, type DecisionAnswer, decidedAs } from '#shared/domain/decision.ts';
import { tokenOfPortName } from '#shared/domain/identity.ts';
import type { Decided, PortRowState, RequestItem } from '#shared/domain/ledger.ts';
import { portStatus } from '#shared/domain/lifecycle.ts';
import { unpackLines } from '#shared/domain/lines.ts';
import { lookAtDetail, type PortReading } from '#shared/domain/port-look.ts';
import { redactText } from '#shared/domain/redact.ts';
import { adopted, givenUp, portsOf, sentAgain, withNextRevision } from '#shared/domain/request-state.ts';
import { isPortingFailure, NotFound, Rejected } from '#shared/porting/errors.ts';
import { isCancelled } from './cancellable.ts';
import { keep } from './keep.ts';
import { ownRows, sentRows } from './own-rows.ts';
import { lookContext, type SyncParts, tellReport } from './parts.ts';
import { portsUnderName } from './ports-under-name.ts';
import { overtaken, refusal } from './refusal.ts';

export async function decide(wish: Decide, parts: SyncParts): Promise<DecisionAnswer> {
  const { importId, request, what } = wish;
  const item = await parts.requests.get(importId, request);
  if (item === undefined) return refusal('there is no such request', 'take it from `simporter attention`');
  if (item.state !== 'needs-human' && what.kind !== 'keep') {
    return refusal(`it is ${item.state}: nobody has to decide about it`, 'see what became of it: `simporter results`');
  }
  const answer = await unlessServiceFails(() => decideAs(item, wish, parts));
  const about = { importId, request, decision: what.kind };
  if (!answer.decided) parts.log.info('a decision was not carried out', { ...about, because: answer.why });
  else parts.log.warn('a person decided', { ...about, state: answer.state, portId: answer.portId });
  if (answer.decided) await tellReport([importId], parts);
  return answer;
}

function decideAs(item: RequestItem, wish: Decide, parts: SyncParts): Promise<DecisionAnswer> {
  const decided = decidedAs(wish, parts.clocks.wall());
  if (wish.what.kind === 'adopt') return adoptPort(item, wish.what.portId, decided, parts);
  if (wish.what.kind === 'keep') return keep(item, wish.what, decided, parts);
  return wish.what.kind === 'give-up' ? giveUp(item, decided, parts) : sendAgain(item, decided, parts);
}

async function unlessServiceFails(step: () => Promise<DecisionAnswer>): Promise<DecisionAnswer> {
  try {
    return await step();
  } catch (error) {
    if (!isPortingFailure(error)) throw error;
    return refusal(`the service could not be asked: ${redactText(error.message)}`, 'decide again once it answers');
  }
}

const makesOf = ({ operation }: RequestItem, { operationNamed }: SyncParts) =>
  operationNamed(operation)?.submission.makes;

/** As reconcile adopts: only a port that holds exactly what was sent, and nobody else's. */
async function adoptPort(
  item: RequestItem,
  portId: string,
  decided: Decided,
  parts: SyncParts,
): Promise<DecisionAnswer> {
  if (makesOf(item, parts) !== 'port') {
    return refusal(`${item.operation} makes no port`, 'decide with --give-up or --send-again');
  }
  if (item.portId !== undefined && item.portId !== portId) {
    return refusal(
      `it has port ${item.portId} already`,
      `take that one, --adopt ${item.portId}, or decide with --give-up`,
    );
  }
  const context = lookContext(parts);
  const detail = await readPort(portId, parts);
  if (detail === undefined) return refusal(`the service knows no port ${portId}`, 'copy the id from the portal');
  const owner = await ownerOf(detail, item, parts);
  if (owner !== undefined) return refusal(`port ${detail.id} belongs to ${owner}`, 'decide with the port of this one');
  const rows = await ownRows(item, detail, await sentRows(item, parts), parts);
  if (rows === undefined) {
    const sent = unpackLines(item.lines ?? '').length;
    const advice = 'adopt one that does, or cancel it in the portal and decide with --send-again';
    return refusal(`port ${detail.id} does not hold exactly the ${sent} numbers that were sent`, advice);
  }
  const next = { ...adopted(item, [detail.id], parts.clocks.wall()), decided };
  if (!(await parts.requests.replace(item, next))) return overtaken;
  const look = lookAtDetail({ request: withNextRevision(item, next), rows }, detail, context);
  if (look !== undefined) await parts.looks.record(look);
  return { decided: true, state: next.state, portId: detail.id };
}

async function readPort(portId: string, { client }: SyncParts) {
  try {
    return await client.port(portId);
  } catch (error) {
    if (error instanceof NotFound || error instanceof Rejected) return undefined;
    throw error;
  }
}

/** Another request, by the table or by the mark at the end of the port's name; undefined: nobody else. */
async function ownerOf(
  { id, name }: PortReading,
  { importId, request, token }: RequestItem,
  { ports }: SyncParts,
): Promise<string | undefined> {
  const port = await ports.get(id);
  if (port !== undefined && (port.importId !== importId || port.request !== request)) {
    return `request ${port.request} of import ${port.importId}`;
  }
  const marked = tokenOfPortName(name);
  return marked === undefined || marked === token ? undefined : `another request, marked ${marked}`;
}

/** What makes a port is sent again only where the service shows no port of ours, but for cancelled ones with other numbers. */
async function sendAgain(item: RequestItem, decided: Decided, parts: SyncParts): Promise<DecisionAnswer> {
  const makes = makesOf(item, parts);
  if (makes === undefined) return refusal(`this version has no ${item.operation}`, 'decide with --give-up');
  if (item.portId !== undefined) {
    return refusal(`it has port ${item.portId}`, 'decide with --give-up once that port is cancelled');
  }
  const rows = await sentRows(item, parts);
  if (rows === undefined) {
    const advice = '--adopt its port where there is one, else --give-up, then drop the rows again';
    return refusal('the plan has expired, so there is nothing left to send', advice);
  }
  if (makes === 'port') {
    const ports = await portsUnderName(item, parts);
    if (ports === undefined) return listTooLong;
    const ours = await findOwn(ports, item, rows, parts);
    if (ours !== undefined) return itIsThere(ours);
    const live = ports.find(({ statusName }) => !isCancelled(statusName));
    if (live !== undefined) return itLives(live);
  }
  if (!(await parts.requests.replace(item, sentAgain(item, decided, parts.clocks.wall())))) return overtaken;
  const { importId, request, plan } = item;
  // Were this message lost, reconcile would send another.
  await parts.queues.send(parts.settings.submitQueueUrl, [{ importId, request, plan }]);
  return { decided: true, state: 'planned', portId: null };
}

/** Its numbers become free for another import, so no port of ours may still be on its way. */
async function giveUp(item: RequestItem, decided: Decided, parts: SyncParts): Promise<DecisionAnswer> {
  let ports: readonly PortReading[] | undefined = [];
  if (makesOf(item, parts) === 'port') {
    ports = await portsUnderName(item, parts);
    if (ports === undefined) return listTooLong;
    const ours = await findOwn(ports, item, await sentRows(item, parts), parts);
    if (ours !== undefined && item.portId === undefined) return itIsThere(ours);
    const live = ports.find(({ statusName }) => !portStatus(statusName).terminal);
    if (live !== undefined) return itLives(live);
  }
  const found = ports.map(({ id, statusName }) => `port ${id} under its name is ${statusName}`);
  const purged = portsOf(item).filter((known) => !ports?.some(({ id }) => id === known));
  const unknown = purged.map((id) => `the service does not know port ${id} any more`);
  const reasons = decided.because ? [decided.because] : [];
  const message = ['given up by a person', ...reasons, ...found, ...unknown].join('; ');
  if (!(await parts.requests.replace(item, givenUp(item, decided, message, parts.clocks.wall())))) return overtaken;
  parts.metrics.count('requestsRefused');
  return { decided: true, state: 'refused', portId: item.portId ?? null };
}

async function findOwn(
  ports: readonly PortReading[],
  item: RequestItem,
  sent: readonly PortRowState[] | undefined,
  parts: SyncParts,
): Promise<PortReading | undefined> {
  for (const port of ports) if ((await ownRows(item, port, sent, parts)) !== undefined) return port;
  return undefined;
}

const listTooLong = refusal(
  'the list of ports is too long to be read in time, or shows fewer than it says there are',
  'look for its name in the portal',
);

const itIsThere = ({ id, statusName }: PortReading): DecisionAnswer =>
  refusal(`port ${id} (${statusName}) holds exactly its numbers`, `take it as its own: --adopt ${id}`);

const itLives = ({ id, statusName }: PortReading): DecisionAnswer =>
  refusal(
    `port ${id} bears its name and is ${statusName}`,
    'cancel that port in the portal; decide again once it is Cancelled',
  );
