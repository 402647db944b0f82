// Whether the service may still be asked to cancel a port, and whether it has been.
import { normaliseStatus, portStatus, rowStatus } from '#shared/domain/lifecycle.ts';
import type { PortReading } from '#shared/domain/port-look.ts';

export const isCancelled = (status: string): boolean => normaliseStatus(status) === 'cancelled';

/** The service has taken the cancel, and the network is still to do it. */
export const isBeingCancelled = ({ rows }: PortReading): boolean =>
  rows.every(({ statusName }) => rowStatus(statusName).terminal || isCancellationRequested(statusName));

const isCancellationRequested = (statusName: string): boolean =>
  normaliseStatus(statusName) === 'cancellationrequested';

/** Locked or further, the service refuses; in the states that it has not decided about, it is asked (decision 28). */
export function mayCancel(statusName: string): boolean {
  const { beforeLocked, attention, known, key } = portStatus(statusName);
  return beforeLocked || attention || !known || key === 'awaitingserial';
}
