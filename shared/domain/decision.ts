// What a person decides about a request of which nobody can know from here what became of it: the wish, and its answer.
import * as z from 'zod/mini';
import { clip, oneLine } from './clip.ts';
import { type Decided, requestStates } from './ledger.ts';
import { redactText } from './redact.ts';

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

const longestReason = 200;
const longestName = 60;

/** What a person wrote is stored without anything that looks like a PAC or a secret (decision 44). */
export const decidedAs = ({ what, by, because = '' }: Decide, now: number): Decided => {
  const reason = fitted(because, longestReason);
  return {
    at: new Date(now).toISOString(),
    by: fitted(by, longestName),
    what: what.kind,
    ...(reason === '' ? {} : { because: reason }),
  };
};

const fitted = (text: string, longest: number): string => clip(oneLine(redactText(text)), longest).trimEnd();
