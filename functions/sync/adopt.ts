// Takes a port as the one that a request made: only when it holds exactly the numbers that were sent.
import type { PortRowState, RequestItem } from '#shared/domain/ledger.ts';
import { type LookContext, lookAtDetail, type PortReading } from '#shared/domain/port-look.ts';
import { adopted, leftToPeople, withNextRevision } from '#shared/domain/request-state.ts';
import { ownRows, sentRows } from './own-rows.ts';
import { lookContext, type SyncParts } from './parts.ts';

/** Reads the port of a request that was created, for the first time, and begins to follow it. */
export async function settle(item: RequestItem, parts: SyncParts): Promise<boolean> {
  const context = lookContext(parts);
  const sent = await sentRows(item, parts);
  const detail = await parts.client.port(item.portId ?? '');
  const rows = sent ?? (await ownRows(item, detail, sent, parts));
  if (rows === undefined) return giveToPeople(item, withoutPlan(detail.id), parts);
  return recordLook(item, rows, detail, context, parts);
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

/** false: a newer look is known already. */
async function recordLook(
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
