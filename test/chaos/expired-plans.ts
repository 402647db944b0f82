// Plans that are gone: nobody can send their requests any more, or know which numbers a port of them should have.
import type { ImportItem } from '#shared/import/import.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { isUploadGone } from './gone-uploads.ts';
import { type Dropped, importOf, type Outcome } from './outcome.ts';
import { buckets } from './pipeline.ts';

type Places = Pick<Outcome, 'places'>;

const hasPlan = ({ importId }: ImportItem, { places }: Places): boolean =>
  places.some((place) => place.startsWith(`${buckets.work}/imports/${importId}/`));

const isWithoutPlan = ({ plan }: RequestItem, { places }: Places): boolean =>
  !places.includes(`${buckets.work}/${plan.key}`);

/** The plan has expired before the request was sent. One for which a port was cancelled leaves numbers to nobody. */
export const isTooLate = (request: RequestItem, outcome: Places): boolean =>
  request.error?.kind === 'plan-expired' &&
  request.replaces?.cancelledAt === undefined &&
  isWithoutPlan(request, outcome);

/** A person has to look into the portal. */
export const isLeft = (request: RequestItem, outcome: Places): boolean =>
  request.state === 'action-required' && isWithoutPlan(request, outcome);

/** A file of which a number was forgotten is neither read nor sent any more. One whose plan has expired is not sent. */
export function isErased(upload: Dropped, outcome: Outcome): boolean {
  const item = importOf(upload, outcome);
  if (item?.state !== 'rejected') return false;
  return (
    isUploadGone(upload, outcome) || (item.issues.some(({ code }) => code === 'FILE_GONE') && !hasPlan(item, outcome))
  );
}
