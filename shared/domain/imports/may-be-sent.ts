// Whether an import may be sent, is being sent, or was only validated.
import type { ImportItem, ImportState } from '#shared/import/import.ts';

/** The import needs no approval, or a person has approved it. */
export const mayBeSent = ({ planOnly, approvedAt }: Pick<ImportItem, 'planOnly' | 'approvedAt'>): boolean =>
  !planOnly || approvedAt !== undefined;

/** Its requests are being sent, wait for their day, or are at the service: its ports can be moved and cancelled. */
const activeStates: readonly ImportState[] = ['submitting', 'scheduled', 'in-progress'];
/** Its requests are in the ledger. */
export const releasedStates: readonly ImportState[] = [...activeStates, 'stopped', 'finished'];

export const isActive = ({ state }: Pick<ImportItem, 'state'>): boolean => activeStates.includes(state);
export const isReleased = ({ state }: Pick<ImportItem, 'state'>): boolean => releasedStates.includes(state);

/** A validation that nobody approved: lists leave it out. */
export const isOnlyValidated = ({ validation, approvedAt }: Pick<ImportItem, 'validation' | 'approvedAt'>): boolean =>
  validation === true && approvedAt === undefined;
