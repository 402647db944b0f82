import { type Deadline, timeNeeded } from '#shared/runtime/deadline.ts';

export const isDeadlineNear = ({ deadline }: { readonly deadline: Deadline }): boolean =>
  !deadline.hasTimeFor(timeNeeded.finishRun);
