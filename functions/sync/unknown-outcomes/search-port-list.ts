// Finds the ports of requests that may have created one. Nothing is sent again before two scans of the port list have
// proven that the port does not exist.

import { afterAbsence, recordInconclusiveSearch } from '#shared/domain/requests/unknown-outcome.ts';
import type { RequestItem } from '#shared/items/request.ts';
import { deferIfUnreadable, moveUnsettled } from '../defer-unreadable.ts';
import type { RunDependencies } from '../dependencies.ts';
import { isDeadlineNear } from '../is-deadline-near.ts';
import { resendMessages } from '../upkeep/resend-messages.ts';
import { adoptFoundPorts } from './adopt-port.ts';
import { type FoundPorts, findPorts, isSearchOver } from './find-ports.ts';

export interface SearchResult {
  /** Requests whose port was found and adopted. */
  readonly adopted: number;
  /** Requests that have proven to have created nothing, and are sent again. */
  readonly absent: number;
  /** Requests for which action is required. */
  readonly actionRequired: number;
}

/**
 * Adds the imports of which something changed to `imports`. Rejects with the client's failures: the outcomes stay
 * unknown.
 */
export async function searchPortList(
  items: readonly RequestItem[],
  dependencies: RunDependencies,
  imports: Set<string>,
): Promise<SearchResult> {
  const result = { adopted: 0, absent: 0, actionRequired: 0 };
  if (items.length === 0 || isSearchOver(dependencies)) return result;
  const found = await findPorts(new Set(items.map(({ token }) => token)), dependencies);
  const resendable: RequestItem[] = [];
  const times = { now: dependencies.clocks.wall(), quietMs: dependencies.settings.quietMs };
  for (const item of items) {
    if (isDeadlineNear(dependencies)) break;
    const portIds = found.portsOf(item.token);
    imports.add(item.importId);
    if (portIds.length === 0 && found.complete && afterAbsence(item, found.listed, times).state === 'planned') {
      resendable.push(item);
      continue;
    }
    const adopt = () => adoptFoundPorts(item, portIds, dependencies);
    const settled =
      portIds.length > 0
        ? await deferIfUnreadable(item, dependencies, adopt)
        : await moveUnsettled(item, nextWithoutPort(item, found, dependencies), dependencies);
    if (settled === 'adopted' || settled === 'actionRequired') result[settled] += 1;
  }
  result.absent = await resendMessages(resendable, dependencies, (item, now) =>
    afterAbsence(item, found.listed, { ...times, now }),
  );
  dependencies.log.info('searched the port list', { requests: items.length, ...result });
  return result;
}

const tooLong = 'the list of ports is too long to be read to its end in one run';
const showsFewer = 'the list of ports does not show every port that exists';

/** The request after a search that did not find its port. */
function nextWithoutPort(item: RequestItem, found: FoundPorts, dependencies: RunDependencies): RequestItem {
  const { clocks, settings, log } = dependencies;
  const { importId, request } = item;
  const times = { now: clocks.wall(), quietMs: settings.quietMs };
  if (found.complete) return afterAbsence(item, found.listed, times);
  // The list proves nothing about the request.
  const because = found.isCutShort ? tooLong : showsFewer;
  log.warn('the port list does not prove whether a request created a port', { importId, request, because });
  return recordInconclusiveSearch(item, because, times);
}
