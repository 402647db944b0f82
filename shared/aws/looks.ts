// Writes what a look at a port told: first its numbers, and that its services are to be compared where it is complete; then
// the port with its rows, event and request in one transaction.
import { newDrift } from '#shared/domain/drift.ts';
import { normaliseStatus } from '#shared/domain/lifecycle.ts';
import type { Look } from '#shared/domain/port-look.ts';
import type { Drifts } from './drifts.ts';
import type { Numbers } from './numbers.ts';
import type { Ports } from './ports.ts';

export interface Looks {
  /**
   * Safe to repeat. What has a condition of its own goes first: were it last, a crash in between would leave the port as
   * looked at, and the rest untold. false: a newer look was written meanwhile.
   */
  record(look: Look): Promise<boolean>;
}

export function createLooks(
  ports: Pick<Ports, 'record' | 'touch'>,
  numbers: Pick<Numbers, 'tell'>,
  drifts: Pick<Drifts, 'expect'>,
): Looks {
  const expectDrift = async ({ next, request }: Look): Promise<void> => {
    if (request === undefined || normaliseStatus(next.status) !== 'complete') return;
    const { importId, request: number, account, portId } = next;
    // The request's own time is wall time, and past: due at once, whatever the calendar says.
    await drifts.expect(newDrift({ importId, request: number, account, portId }, Date.parse(request.next.changedAt)));
  };

  const record = async (look: Look): Promise<boolean> => {
    await numbers.tell(look.news);
    await expectDrift(look);
    const { seen, next, rows, event, request } = look;
    if (seen !== undefined && rows === undefined && event === undefined && request === undefined) {
      return ports.touch(seen, next);
    }
    return ports.record({ seen, next, rows, event, request });
  };
  return { record };
}
