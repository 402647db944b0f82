// The proof that a port is a request's own: it holds exactly the numbers that were sent. The plan says which those are; once it
// has expired, the claims do.
import type { PortRowState, RequestItem } from '#shared/domain/ledger.ts';
import { unpackLines } from '#shared/domain/lines.ts';
import { msisdnKey, type PortReading } from '#shared/domain/port-look.ts';
import { inParallel } from './in-parallel.ts';
import type { SyncParts, SyncSettings } from './parts.ts';

/** Claims read at the same time. */
const width = 4;

/** Where the proof is sought. */
interface Witnesses {
  readonly numbers: SyncParts['numbers'];
  readonly settings: Pick<SyncSettings, 'callingCode'>;
}

/** The rows that the last attempt sent; undefined when the plan has expired. */
export async function sentRows(
  item: RequestItem,
  { plans }: Pick<SyncParts, 'plans'>,
): Promise<PortRowState[] | undefined> {
  const planned = await plans.read(item);
  const sent = new Set(unpackLines(item.lines ?? ''));
  return planned?.rows
    .filter(({ line }) => sent.has(line))
    .map(({ line, subject }) => ({ line, msisdn: subject, status: '' }));
}

/** The rows that were sent where the port holds each of them and no other, else undefined. `sent` is what `sentRows` answered. */
export async function ownRows(
  item: RequestItem,
  detail: PortReading,
  sent: readonly PortRowState[] | undefined,
  { numbers, settings }: Witnesses,
): Promise<readonly PortRowState[] | undefined> {
  const held = new Set(detail.rows.map(({ msisdn }) => msisdnKey(msisdn, settings.callingCode)));
  if (sent === undefined) return claimedRows(item, held, numbers);
  const isOwn = sent.length > 0 && held.size === sent.length && sent.every(({ msisdn }) => held.has(msisdn));
  return isOwn ? sent : undefined;
}

/**
 * Submit claims each number for its request and its line before it sends it, and no other import gets the claim while the
 * request goes on: as many claims as lines were sent, each for one of them, are what was sent.
 */
async function claimedRows(
  { importId, request, lines }: RequestItem,
  held: ReadonlySet<string>,
  numbers: Witnesses['numbers'],
): Promise<readonly PortRowState[] | undefined> {
  const sent = new Set(unpackLines(lines ?? ''));
  if (sent.size === 0 || held.size !== sent.size) return undefined;
  const claimed = new Map<number, PortRowState>();
  await inParallel([...held], width, async (msisdn) => {
    const claim = await numbers.get(msisdn);
    const isOurs = claim?.importId === importId && claim.request === request && sent.has(claim.line);
    if (isOurs) claimed.set(claim.line, { line: claim.line, msisdn, status: '' });
  });
  if (claimed.size !== sent.size) return undefined;
  return [...claimed.values()].sort((one, other) => one.line - other.line);
}
