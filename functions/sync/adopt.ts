// Takes a port as the one that a request made: only when it holds exactly the numbers that were sent.
import type { PortRowState, RequestItem } from '#shared/domain/ledger.ts';
import { type LookContext, lookAtDetail, lookMissingDue, type PortReading } from '#shared/domain/port-look.ts';
import { adopted, leftToPeople, withNextRevision } from '#shared/domain/request-state.ts';
import { NotFound } from '#shared/porting/errors.ts';
import { ownRows, sentRows } from './own-rows.ts';
import { lookContext, type SyncParts } from './parts.ts';

/**
 * Reads the port of a request that was created: for the first time, and begins to follow it; or because people must be told
 * of a further port, and then its rows are in the table already.
 * @throws the client's failures; `NotFound` only of a port that was never read
 */
export async function settle(item: RequestItem, parts: SyncParts): Promise<boolean> {
  const context = lookContext(parts);
  const detail = await read(item.portId ?? '', parts);
  if (detail instanceof NotFound) return recordMissing(item, detail, context, parts);
  const rows = (await parts.ports.rows(detail.id)) ?? (await firstRows(item, detail, parts));
  if (rows === undefined) return giveToPeople(item, withoutPlan(detail.id), parts);
  return recordLook(item, rows, detail, context, parts);
}

async function read(portId: string, { client }: SyncParts): Promise<PortReading | NotFound> {
  try {
    return await client.port(portId);
  } catch (error) {
    if (error instanceof NotFound) return error;
    throw error;
  }
}

/** @throws the answer itself where nothing of the port is known yet. false: a newer look is known already */
async function recordMissing(
  request: RequestItem,
  answer: NotFound,
  context: LookContext,
  { ports, looks, log }: SyncParts,
): Promise<boolean> {
  const { importId, request: number, portId = '' } = request;
  const port = await ports.get(portId);
  const rows = await ports.rows(portId);
  if (port === undefined || rows === undefined) throw answer;
  log.error('the service does not know a port any more', { portId, importId, request: number });
  const look = lookMissingDue({ request, port, rows }, context);
  return look !== undefined && looks.record(look);
}

/** Of a port that was never read: a former look would have left its rows, whatever became of plan and claims since. */
async function firstRows(item: RequestItem, detail: PortReading, parts: SyncParts) {
  return (await sentRows(item, parts)) ?? ownRows(item, detail, undefined, parts);
}

/** Plans expire: without one nobody can say which number stands on which line of a port that holds others. */
const withoutPlan = (portId: string): string =>
  `the plan has expired, and port ${portId} does not hold exactly the numbers that were sent`;

/** Which of `adopted` and `people` it became; undefined when the request changed meanwhile. */
export async function adopt(
  item: RequestItem,
  portIds: readonly string[],
  parts: SyncParts,
): Promise<'adopted' | 'people' | undefined> {
  const { requests, clocks, metrics, log } = parts;
  const sent = await sentRows(item, parts);
  const context = lookContext(parts);
  const ours: Own[] = [];
  for (const portId of portIds) {
    const detail = await parts.client.port(portId);
    const rows = await ownRows(item, detail, sent, parts);
    if (rows !== undefined) ours.push({ detail, rows });
  }
  const [first] = ours;
  if (first === undefined) {
    const message = `the service holds ${portIds.join(', ')} under this request's name, with other numbers`;
    return (await giveToPeople(item, message, parts)) ? 'people' : undefined;
  }
  const next = adopted(
    item,
    ours.map(({ detail }) => detail.id),
    clocks.wall(),
  );
  if (!(await requests.replace(item, next))) return undefined;
  const duplicates = next.duplicatePortIds?.length ?? 0;
  if (duplicates > 0) metrics.count('duplicates', duplicates);
  const about = { importId: item.importId, request: item.request, portId: next.portId };
  log.warn('a port was adopted', { ...about, duplicates: next.duplicatePortIds });
  await recordLook(withNextRevision(item, next), first.rows, first.detail, context, parts);
  return 'adopted';
}

/** A port that holds exactly what was sent. */
interface Own {
  readonly detail: PortReading;
  readonly rows: readonly PortRowState[];
}

/** Beside what was known of the port. false: a newer look is known already. */
export async function recordLook(
  request: RequestItem,
  rows: readonly PortRowState[],
  detail: PortReading,
  context: LookContext,
  { ports, looks }: SyncParts,
): Promise<boolean> {
  const look = lookAtDetail({ request, port: await ports.get(detail.id), rows }, detail, context);
  return look !== undefined && looks.record(look);
}

function giveToPeople(item: RequestItem, message: string, { requests, clocks, log }: SyncParts): Promise<boolean> {
  log.error(message, { importId: item.importId, request: item.request });
  return requests.replace(item, leftToPeople(item, message, clocks.wall()));
}
