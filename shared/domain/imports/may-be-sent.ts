// Whether an import may be sent.
import type { ImportItem } from '../../items/import.ts';

/** The import needs no approval, or a person has approved it. */
export const mayBeSent = ({ planOnly, approvedAt }: Pick<ImportItem, 'planOnly' | 'approvedAt'>): boolean =>
  !planOnly || approvedAt !== undefined;
