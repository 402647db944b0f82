// Takes a port as the one that a request made: only when it holds exactly the numbers that were sent.
import type { PortRowState, RequestItem } from '#shared/domain/ledger.ts';
import { unpackLines } from '#shared/domain/lines.ts';
import { type LookContext, lookAtDetail, msisdnKey, type PortReading } from '#shared/domain/port-look.ts';
import { adopted, leftToPeople, withNextRevision } from '#shared/domain/request-state.ts';
import { lookContext, type SyncParts } from './parts.ts';

/** Reads the port of a request that was created, for the first time, and begins to follow it. */
export async function settle(item: RequestItem, parts: SyncParts): Promise<boolean> {
  const context = lookContext(parts);
  const rows = await sentRows(item, parts);
  if (rows === undefined) return giveToPeople(item, withoutPlan, parts);
  const detail = await parts.client.port(item.portId ?? '');
  return recordLook(item, rows, detail, context, parts);
}

/** Which of `adopted` and `people` it became; undefined when the request changed meanwhile. */
export async function adopt(
  item: RequestItem,
  portIds: readonly string[],
  parts: SyncParts,
): Promise<'adopted' | 'people' | undefined> {
  const { requests, clocks, metrics, log } = parts;
  const rows = await sentRows(item, parts);
  if (rows === undefined) return (await giveToPeople(item, withoutPlan, parts)) ? 'people' : undefined;
  const context = lookContext(parts);
  const details: PortReading[] = [];
  for (const portId of portIds) details.push(await parts.client.port(portId));
  const ours = details.filter((detail) => holdsExactly(detail, rows, context.callingCode));
  const [first] = ours;
  if (first === undefined) {
    const message = `the service holds ${portIds.join(', ')} under this request's name, with other numbers`;
    return (await giveToPeople(item, message, parts)) ? 'people' : undefined;
  }
  const next = adopted(
    item,
    ours.map(({ id }) => id),
    clocks.wall(),
  );
  if (!(await requests.replace(item, next))) return undefined;
  const duplicates = next.duplicatePortIds?.length ?? 0;
  if (duplicates > 0) metrics.count('duplicates', duplicates);
  const about = { importId: item.importId, request: item.request, portId: next.portId };
  log.warn('a port was adopted', { ...about, duplicates: next.duplicatePortIds });
  await recordLook(withNextRevision(item, next), rows, first, context, parts);
  return 'adopted';
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

/** Plans expire: without one nobody can prove that a port is ours. */
export const withoutPlan = 'the plan has expired, so its numbers cannot be compared with those of the service';

function giveToPeople(item: RequestItem, message: string, { requests, clocks, log }: SyncParts): Promise<boolean> {
  log.error(message, { importId: item.importId, request: item.request });
  return requests.replace(item, leftToPeople(item, message, clocks.wall()));
}

/** The rows that the last attempt sent; undefined when the plan has expired. */
export async function sentRows(item: RequestItem, parts: SyncParts): Promise<PortRowState[] | undefined> {
  const planned = await parts.plans.read(item);
  const sent = new Set(unpackLines(item.lines ?? ''));
  return planned?.rows
    .filter(({ line }) => sent.has(line))
    .map(({ line, subject }) => ({ line, msisdn: subject, status: '' }));
}

/** The rows that were sent, each of them and no other. */
export function holdsExactly(detail: PortReading, rows: readonly PortRowState[], callingCode: string): boolean {
  const held = new Set(detail.rows.map(({ msisdn }) => msisdnKey(msisdn, callingCode)));
  return held.size === rows.length && rows.every(({ msisdn }) => held.has(msisdn));
}
