// Proves that a port belongs to a request: it has exactly the numbers that were sent. The plan names those numbers, and
// once it has expired, the claims do.
import { unpackLines } from '#shared/domain/imports/packed-lines.ts';
import type { PortRowState } from '#shared/items/port.ts';
import { hasExactly } from '#shared/outcome/port-ownership.ts';
import type { PortReading } from '#shared/outcome/port-snapshot.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { msisdnKey } from '#shared/row/msisdn.ts';
import { inParallel } from '#shared/service/in-parallel.ts';
import type { SyncPipeline } from '../dependencies.ts';
import { concurrency } from '../intervals.ts';

/** The rows that the last attempt sent; undefined when the plan has expired. */
export async function sentRows(item: RequestItem, { plans }: SyncPipeline): Promise<PortRowState[] | undefined> {
  const planned = await plans.read(item);
  const sent = new Set(unpackLines(item.lines ?? ''));
  return planned?.rows
    .filter(({ line }) => sent.has(line))
    .map(({ line, subject }) => ({ line, msisdn: subject, status: '' }));
}

/** The rows that were sent, if the port has all of them and no others. @param sent the answer of `sentRows` */
export async function verifyPortRows(
  item: RequestItem,
  detail: PortReading,
  sent: readonly PortRowState[] | undefined,
  { numbers, settings }: SyncPipeline,
): Promise<readonly PortRowState[] | undefined> {
  const { callingCode } = settings;
  if (sent === undefined)
    return claimedRows(item, new Set(detail.rows.map(({ msisdn }) => msisdnKey(msisdn, callingCode))), numbers);
  const own = sent.map(({ msisdn }) => msisdn);
  return hasExactly(own, detail, callingCode) ? sent : undefined;
}

/**
 * Submit claims each number for its request and its line before it sends it, and no other import gets the claim while
 * the request is in progress. So if there are as many claims as lines that were sent, each for one of them, they are
 * what was sent.
 */
async function claimedRows(
  { importId, request, lines }: RequestItem,
  inPort: ReadonlySet<string>,
  numbers: SyncPipeline['numbers'],
): Promise<readonly PortRowState[] | undefined> {
  const sent = new Set(unpackLines(lines ?? ''));
  if (sent.size === 0 || inPort.size !== sent.size) return undefined;
  const claimed = new Map<number, PortRowState>();
  await inParallel([...inPort], concurrency, async (msisdn) => {
    const claim = await numbers.get(msisdn);
    const isOurs = claim?.importId === importId && claim.request === request && sent.has(claim.line);
    if (isOurs) claimed.set(claim.line, { line: claim.line, msisdn, status: '' });
  });
  if (claimed.size !== sent.size) return undefined;
  return [...claimed.values()].sort((one, other) => one.line - other.line);
}
