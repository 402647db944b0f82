// The stop of an import, and who gave a command. Submit reads no more of the import.
import * as z from 'zod/mini';
import { instant } from '../domain/schemas.ts';
import { optionalText, text } from './fields.ts';

/**
 * Who gave a command, in their own words, and why. `principal` comes from AWS: the id of a user, or of a role and its
 * session. It is absent where AWS names none.
 */
export const requestedBy = z.object({
  by: text,
  because: optionalText,
  principal: optionalText,
});
export type RequestedBy = z.infer<typeof requestedBy>;

/** until-resumed: requests that were not sent wait. for-good: they end. none: a person resumed the import. */
export const stopKinds = ['until-resumed', 'for-good', 'none'] as const;
export type StopKind = (typeof stopKinds)[number];

export const importStop = z.object({ ...requestedBy.shape, at: instant, kind: z.enum(stopKinds) });
export type ImportStop = z.infer<typeof importStop>;
