import { type Deadline, timeNeeded } from '#shared/runtime/deadline.ts';

/** Time is left only to record what has begun. */
export const isDeadlineNear = ({ deadline }: { readonly deadline: Deadline }): boolean =>
  !deadline.hasTimeFor(timeNeeded.finishRun);
