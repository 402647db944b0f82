// The messages of the queues: each is small, without personal data, and parsed by its receiver.
import * as z from 'zod/mini';
import { planRange } from '#shared/domain/imports/plan.ts';
import { count, instant, ordinal } from '#shared/domain/schemas.ts';
import { archivables } from '#shared/import/import-state.ts';

/**
 * The message in a body, with the members that a newer version added: a message that is sent again keeps them.
 * @throws for a body that is none of these messages
 */
export function decodeMessage<Schema extends z.ZodMiniType>(schema: Schema, body: string): z.output<Schema> {
  const message: unknown = JSON.parse(body);
  schema.parse(message);
  return message as z.output<Schema>;
}

const filled = z.string().check(z.minLength(1));

/** A message of the submit queue: small, without personal data (spec gap 44). */
export const submitMessage = z.object({ importId: z.string(), request: ordinal, plan: planRange });
export type SubmitMessage = z.infer<typeof submitMessage>;

/** The message about a request of the ledger. */
export const submitMessageOf = ({ importId, request, plan }: SubmitMessage): SubmitMessage => ({
  importId,
  request,
  plan,
});

/** A message of the report queue: something in this import changed. */
export const reportMessage = z.object({ importId: z.string() });
export type ReportMessage = z.infer<typeof reportMessage>;

/** Who gave the command, and why. */
const actor = { by: z.optional(z.string()), because: z.optional(z.string()) };

/**
 * A command of a person in its queue: release the plan of this import. `plan` is the hash of the plan that the
 * person saw.
 */
export const approvalMessage = z.object({
  approve: filled,
  plan: z.optional(filled),
  /** The person for whom the API sends it: the audit trail of the import has their approval. */
  actorId: z.optional(filled),
  ...actor,
});
export type ApprovalMessage = z.infer<typeof approvalMessage>;

/**
 * A command of a person in its queue: send nothing more of this import; `end`: also never later. `at` is when the
 * person gave it: queues and redrives may deliver an older command last.
 */
export const stopMessage = z.object({ stop: filled, end: z.optional(z.boolean()), at: instant, ...actor });
export type StopMessage = z.infer<typeof stopMessage>;

/** A command of a person in its queue: send what the stopped import has not sent. */
export const resumeMessage = z.object({ resume: filled, at: instant, ...actor });
export type ResumeMessage = z.infer<typeof resumeMessage>;

/**
 * A command of a person in its queue: archive this import, or dismiss its declined or rejected rows. `rows`: how many
 * the person saw; `at` as of a stop.
 */
export const archiveMessage = z.object({
  archive: filled,
  what: z.enum(archivables),
  isUndone: z.optional(z.boolean()),
  rows: z.optional(count),
  at: instant,
  ...actor,
});
export type ArchiveMessage = z.infer<typeof archiveMessage>;

/** A command of a person in its queue: move the ports of an import to another date. `ask` is unique to it. */
export const rescheduleMessage = z.object({
  reschedule: filled,
  /** `YYYY-MM-DD`, or `auto` for the earliest day that can be booked. */
  date: z.union([z.literal('auto'), z.iso.date()]),
  /** Only these requests; absent for all of them. */
  requests: z.optional(z.array(ordinal).check(z.minLength(1))),
  ask: filled,
  ...actor,
});
export type RescheduleMessage = z.infer<typeof rescheduleMessage>;

/** A command of a person in its queue: follow this port, which was made elsewhere, as an import. */
export const adoptMessage = z.object({ adopt: filled, ...actor });
export type AdoptMessage = z.infer<typeof adoptMessage>;

/** What a person can ask of ingest. */
export type CommandMessage =
  | AdoptMessage
  | ApprovalMessage
  | ArchiveMessage
  | RescheduleMessage
  | StopMessage
  | ResumeMessage;
