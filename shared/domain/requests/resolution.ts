// The command that resolves a request with an unknown outcome or several ports, and its answer.
import * as z from 'zod/mini';
import { type Resolved, requestStates } from '#shared/request/request.ts';
import { isoTime } from '../dates/iso-time.ts';
import { requestedByOf } from '../imports/actor.ts';
import { instant } from '../schemas.ts';

export const resolveCommand = z.object({
  resolve: z.object({
    importId: z.string().check(z.minLength(1)),
    request: z.int().check(z.positive()),
    what: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('adopt'), portId: z.string().check(z.minLength(1)) }),
      // `yes` prevents a number from being sent again by mistake.
      z.object({ kind: z.literal('resend'), yes: z.literal(true) }),
      z.object({ kind: z.literal('abandon') }),
      // `cancelOthers` prevents ports from being cancelled by mistake.
      z.object({ kind: z.literal('keep'), portId: z.string().check(z.minLength(1)), cancelOthers: z.boolean() }),
    ]),
    by: z.string(),
    because: z.optional(z.string()),
    /** When a person asked for it in the API: it may be carried out twice. */
    at: z.optional(instant),
  }),
});
export type ResolveCommand = z.infer<typeof resolveCommand>;
export type Resolution = ResolveCommand['resolve'];

export const resolveAnswer = z.discriminatedUnion('resolved', [
  z.object({
    resolved: z.literal(true),
    state: z.enum(requestStates),
    portId: z.nullable(z.string()),
    /** Ports whose cancellation was requested but is not done yet: the same command later finishes the resolution. */
    waitsFor: z.optional(z.array(z.string())),
  }),
  /** Nothing was changed. */
  z.object({ resolved: z.literal(false), why: z.string(), advice: z.string() }),
]);
export type ResolveAnswer = z.infer<typeof resolveAnswer>;

export const resolvedAs = ({ what, at, ...actor }: Resolution, now: number): Resolved => ({
  at: at ?? isoTime(now),
  what: what.kind,
  ...requestedByOf(actor),
});
