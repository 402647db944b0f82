// What a person decides about a request of which nobody can know from here what became of it: the wish, and its answer.
import * as z from 'zod/mini';
import { type Decided, requestStates } from './ledger.ts';
import { askedAs } from './person.ts';

export const decisionWish = z.object({
  decide: z.object({
    importId: z.string().check(z.minLength(1)),
    request: z.int().check(z.positive()),
    what: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('adopt'), portId: z.string().check(z.minLength(1)) }),
      // Nobody sends a number again by mistake.
      z.object({ kind: z.literal('send-again'), yes: z.literal(true) }),
      z.object({ kind: z.literal('give-up') }),
      // Nobody has a port cancelled by mistake.
      z.object({ kind: z.literal('keep'), portId: z.string().check(z.minLength(1)), cancelOthers: z.boolean() }),
    ]),
    by: z.string(),
    because: z.optional(z.string()),
  }),
});
export type DecisionWish = z.infer<typeof decisionWish>;
export type Decide = DecisionWish['decide'];

export const decisionAnswer = z.discriminatedUnion('decided', [
  z.object({
    decided: z.literal(true),
    state: z.enum(requestStates),
    portId: z.nullable(z.string()),
    /** Ports that the service was asked to cancel and that are not cancelled yet: the same decision once more settles them. */
    waitsFor: z.optional(z.array(z.string())),
  }),
  /** Nothing was changed. */
  z.object({ decided: z.literal(false), why: z.string(), advice: z.string() }),
]);
export type DecisionAnswer = z.infer<typeof decisionAnswer>;

export const decidedAs = ({ what, ...asking }: Decide, now: number): Decided => ({
  at: new Date(now).toISOString(),
  what: what.kind,
  ...askedAs(asking),
});
