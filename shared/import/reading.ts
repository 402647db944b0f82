// When a draft may be read again. A draft is an import of which nothing is sent: it waits for its approval, or was
// rejected. Each reading replaces the plan of the one before, under the same import; an approval names the plan that a
// person saw, so no plan of an earlier reading can be approved (decision 27).
import { type AnsweredIn, answeredIn } from '#shared/row/issue.ts';
import type { ImportItem } from './import.ts';
import { isArchived } from './import-state.ts';

/** What a draft keeps of each kind, so that whoever reads the file can hold all of it. */
export const mostChangedRows = 10_000;
export const mostLeftOut = 100_000;

/** How often the file was read, by the item. */
export const readingOf = ({ reading }: ImportItem): number => reading?.count ?? 1;

/** Why the file cannot be read again; undefined where it can. A sentence without a full stop, with a way to proceed. */
export function findReadingProblem(item: ImportItem): string | undefined {
  const { state, operation, planOnly, approvedAt, hasParts, reschedules, adoptedPort } = item;
  if (state === 'planning') return 'The file is still being read. Wait for its plan';
  const isUnsent = state === 'rejected' || (state === 'planned' && planOnly && approvedAt === undefined);
  if (!isUnsent || operation === null || reschedules !== undefined || adoptedPort !== undefined) {
    return 'Only a file that waits for approval, or was rejected before, can be read again';
  }
  if (isArchived(item)) return 'The import is archived. Restore it, then read its file again';
  return hasParts ? 'A correction of this file was imported. Correct its other rows in the same way' : undefined;
}

/** Why its rows cannot be changed in place; undefined where they can. */
export function findChangeProblem(item: ImportItem): string | undefined {
  const problem = findReadingProblem(item);
  if (problem !== undefined || item.correctionOf === undefined) return problem;
  // People know its rows by their lines in the first file, which several of its rows may have.
  return 'The file corrects another import. Correct its rows with a further correction';
}

/** Where a person answers these errors. What only the file can answer is answered there, also beside a question. */
export function placeOfAnswer(errors: readonly ImportItem['issues'][number][]): AnsweredIn {
  const found = new Set(errors.map(({ code }) => answeredIn(code)));
  if (found.has('file')) return 'file';
  return found.has('reading') ? 'reading' : 'rows';
}

/**
 * Whether a person must say how the file is read before its rows can be validated: nothing is wrong with it so far
 * (decision 72).
 */
export function asksHowToRead(item: ImportItem): boolean {
  if (item.state !== 'rejected' || item.rows > 0 || findReadingProblem(item) !== undefined) return false;
  return placeOfAnswer(item.issues.filter(({ severity }) => severity === 'error')) === 'reading';
}
