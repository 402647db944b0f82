// The marks that people set on an import: lists leave it out, or some of its rows are dismissed.
import type { ImportItem, PutAway } from './import.ts';

/** `import`: the import itself, with all of its rows. `declined`, `rejected`: these rows. */
export const archivables = ['import', 'declined', 'rejected'] as const;
export type Archivable = (typeof archivables)[number];

type Archived = Pick<ImportItem, 'archived' | 'dismissedDeclined' | 'dismissedRejected'>;
type Counted = Archived & Pick<ImportItem, 'outcomes' | 'merged' | 'rejected'>;

const attributes = {
  import: 'archived',
  declined: 'dismissedDeclined',
  rejected: 'dismissedRejected',
} as const satisfies Record<Archivable, keyof Archived>;

const isNow = (mark: PutAway | undefined): mark is PutAway => mark !== undefined && mark.isUndone !== true;

export const isArchived = ({ archived }: Pick<ImportItem, 'archived'>): boolean => isNow(archived);

/** Rows of the kind so far, with those that were corrected since: the number never falls. */
export function rowsSoFar({ outcomes, merged, rejected }: Counted, kind: 'declined' | 'rejected'): number {
  return kind === 'rejected' ? rejected : (outcomes?.declined ?? 0) + (merged?.hidden.declined ?? 0);
}

/** Rows that were declined after the dismissal require an action. */
export function isDismissed(item: Counted, kind: 'declined' | 'rejected'): boolean {
  const mark = item[attributes[kind]];
  return isArchived(item) || (isNow(mark) && rowsSoFar(item, kind) <= (mark.rows ?? 0));
}

/** The item with the mark; undefined where a later command was handled before this one. */
export function putAway(item: Archived, what: Archivable, mark: PutAway): Partial<Archived> | undefined {
  const known = item[attributes[what]];
  return known !== undefined && known.at > mark.at ? undefined : { [attributes[what]]: mark };
}

/** Nothing of the import is sent any more, or before its approval. */
export const isArchivable = ({
  state,
  planOnly,
  approvedAt,
}: Pick<ImportItem, 'state' | 'planOnly'> & { readonly approvedAt?: string | null | undefined }): boolean =>
  state === 'rejected' || state === 'finished' || (state === 'planned' && planOnly && !approvedAt);

/** Why the import cannot be archived, or listed again; undefined where it can. */
export function findArchiveProblem(item: ImportItem, wanted: 'archived' | 'restored'): string | undefined {
  if (wanted === 'restored') return isArchived(item) ? undefined : 'This import is not archived';
  if (isArchived(item)) return 'This import is archived already';
  return isArchivable(item) ? undefined : 'Only an import that has ended, or waits for its approval, can be archived';
}
