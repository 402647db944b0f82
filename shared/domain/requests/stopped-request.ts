// The steps of a request whose import a person stops, resumes or ends.
import type { RequestItem } from '../../items/request.ts';
import { isoTime } from '../dates/iso-time.ts';
import { stoppedError } from '../imports/stop.ts';
import { ended, planAgain, waitsForCancellation } from './request-state.ts';
import { endUnsentParts } from './split-request.ts';

/** A person stopped the import: no message is sent for the request, and sync does not look for one. */
export const stopRequest = (item: RequestItem, now: number): RequestItem => ({
  ...planAgain(item, now),
  error: stoppedError,
  dueAt: undefined,
});

/** The import goes on, or its requests are to be ended: a message for the request is being sent. */
export const continueStopped = (item: RequestItem, now: number): RequestItem => ({
  ...planAgain(item, now),
  error: undefined,
  ...(waitsForCancellation(item) && { dueAt: isoTime(now) }),
});

/** The import was stopped for good: the request is never sent. @param lines of its rows, packed by `packLines` */
export function endStopped(item: RequestItem, lines: string, now: number): RequestItem {
  const { split } = item;
  if (split === undefined || split.accepted.length === 0)
    return ended({ ...item, state: 'skipped', lines, error: stoppedError }, now);
  return ended({ ...endUnsentParts(item, split), state: 'accepted', error: stoppedError }, now);
}
