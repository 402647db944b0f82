// Writes a snapshot of a port: first its numbers, and the comparison of its services when it is complete, then the port
// with its rows, event and request in one transaction.
import type { PortSnapshot } from '#shared/outcome/port-snapshot.ts';
import { newComparison } from '#shared/outcome/service-comparison.ts';
import { isPortStatus } from '#shared/port/port-status.ts';
import type { Numbers } from '#shared/store/numbers.ts';
import type { Ports } from '#shared/store/ports.ts';
import type { Comparisons } from './service-mismatches.ts';

export interface PortSnapshots {
  /**
   * Safe to repeat. The port is written last: after a crash in between it is still due, so the rest is written again.
   * false: the port or its request changed meanwhile.
   */
  record(snapshot: PortSnapshot): Promise<boolean>;
}

export function createPortSnapshots(ports: Ports, numbers: Numbers, comparisons: Comparisons): PortSnapshots {
  const expectComparison = async ({ next, request }: PortSnapshot): Promise<void> => {
    if (request === undefined || !isPortStatus(next.status, 'Complete')) return;
    const { importId, request: number, account, portId, expiresAt } = next;
    // The time of the request is wall time and in the past, so the comparison is due at once.
    const now = Date.parse(request.next.changedAt);
    await comparisons.expect(newComparison({ importId, request: number, account, portId, expiresAt }, now));
  };

  return {
    record: async (snapshot) => {
      await numbers.record(snapshot.numberUpdates);
      await expectComparison(snapshot);
      const { seen, next, rows, event, request } = snapshot;
      const isUnchanged = rows === undefined && event === undefined && request === undefined;
      if (seen !== undefined && isUnchanged) return ports.touch(seen, next);
      return ports.record({ seen, next, rows, event, request });
    },
  };
}
