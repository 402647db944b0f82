// Settles requests that may have made a port. Nothing is ever sent again before two scans of the service's list have proven
// that it is not there.
import type { RequestItem } from '#shared/domain/ledger.ts';
import { provenHarmless, soughtInVain } from '#shared/domain/request-state.ts';
import { adopt } from './adopt.ts';
import { type FoundPorts, findPorts, isSearchOver } from './find-ports.ts';
import { isTimeShort } from './parts.ts';
import { unlessUnreadable } from './put-off.ts';
import { sendAgain } from './send-again.ts';
import type { RunParts } from './trouble.ts';

export interface Sought {
  /** Requests whose port was found and taken as theirs. */
  readonly adopted: number;
  /** Requests that were proven not to have made anything, and go back in line. */
  readonly absent: number;
  /** Requests that only a person can judge. */
  readonly people: number;
}

/** Adds the imports of which something changed to `imports`. Rejects with the client's failures: what is in doubt stays so. */
export async function seek(items: readonly RequestItem[], parts: RunParts, imports: Set<string>): Promise<Sought> {
  const outcome = { adopted: 0, absent: 0, people: 0 };
  if (items.length === 0 || isSearchOver(parts)) return outcome;
  const found = await findPorts(new Set(items.map(({ token }) => token)), parts);
  const absent: RequestItem[] = [];
  for (const item of items) {
    if (isTimeShort(parts)) break;
    const portIds = found.portsOf(item.token);
    if (portIds.length === 0 && found.complete) absent.push(item);
    else {
      const end = portIds.length === 0 ? await putOff(item, found, parts) : await adoptOne(item, portIds, parts);
      if (end !== 'later') outcome[end] += 1;
    }
    imports.add(item.importId);
  }
  outcome.absent = await sendAgain(absent, parts, provenHarmless);
  parts.log.info('requests of unknown outcome were looked for', { requests: items.length, ...outcome });
  return outcome;
}

async function adoptOne(item: RequestItem, portIds: readonly string[], parts: RunParts) {
  return (await unlessUnreadable(item, parts, () => adopt(item, portIds, parts))) ?? 'later';
}

const tooLong = 'the list of ports is too long to be read to its end in one run';
const showsFewer = 'the list of ports shows fewer than it says there are';

/** The list proved nothing of it. */
async function putOff(item: RequestItem, { isCutShort }: FoundPorts, parts: RunParts): Promise<'later' | 'people'> {
  const { requests, clocks, settings, metrics, log } = parts;
  const because = isCutShort ? tooLong : showsFewer;
  log.warn('the list does not prove whether a request made a port', {
    importId: item.importId,
    request: item.request,
    because,
  });
  const next = soughtInVain(item, because, { now: clocks.wall(), quietMs: settings.quietMs });
  if (!(await requests.replace(item, next)) || next.state !== 'needs-human') return 'later';
  metrics.count('requestsUnknown');
  return 'people';
}
