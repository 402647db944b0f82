// What a stop promises: nothing of the import is sent, no port is cancelled for it, and its parts wait with it.
import { activeStop, isReleased, stopOf, takesStop } from '#shared/import/import-state.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { ledgerOf } from '../true-rows.ts';
import type { World } from '../world.ts';

/** Submit uses a reading of the import for a second, and sync for as long as it cancels ports. */
const readMs = { submit: 2_000, sync: 120_000 };

/** Call it after each step: a stop counts from when it is first seen. */
export function createStopWatch(): (world: World) => string[] {
  /** By import and time of the stop. */
  const seen = new Map<string, number>();
  return (world) => {
    const { imports, requests } = ledgerOf(world);
    const sent = imports.flatMap((item) => {
      const stop = activeStop(item);
      if (stop === undefined) return [];
      const name = `${item.importId} ${stop.at}`;
      const since = seen.get(name) ?? world.timeline.now();
      seen.set(name, since);
      return requests.filter((each) => each.importId === item.importId && isSentAfter(each, since));
    });
    return sent.map(({ importId, request }) => `I2 request ${request} of ${importId} was sent after it was stopped`);
  };
}

/** A request for which a port was cancelled is sent all the same. */
function isSentAfter({ replaces, submittedAt = '' }: RequestItem, since: number): boolean {
  if (replaces === undefined) return Date.parse(submittedAt) > since + readMs.submit;
  return Date.parse(replaces.cancelRequestedAt ?? '') > since + readMs.sync;
}

/** Once every command of a person was handled. */
export const checkPartsOfStopped = (world: World): string[] => {
  const { imports } = ledgerOf(world);
  const waiting = imports.filter((part) => isReleased(part) && takesStop(part, 'until-resumed'));
  return waiting.flatMap((part) => {
    const first = imports.find(({ importId }) => importId === part.partOf?.importId);
    if (first === undefined || stopOf(first) !== 'until-resumed' || stopOf(part) !== undefined) return [];
    return [`I2 import ${first.importId} is stopped, and ${part.importId} of it is ${part.state}`];
  });
};
