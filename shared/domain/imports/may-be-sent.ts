// Whether an import may be sent, or was only validated.
import type { ImportItem } from '../../items/import.ts';

/** The import needs no approval, or a person has approved it. */
export const mayBeSent = ({ planOnly, approvedAt }: Pick<ImportItem, 'planOnly' | 'approvedAt'>): boolean =>
  !planOnly || approvedAt !== undefined;

/** A validation that nobody approved: lists leave it out. */
export const isOnlyValidated = ({ validation, approvedAt }: Pick<ImportItem, 'validation' | 'approvedAt'>): boolean =>
  validation === true && approvedAt === undefined;
