// The messages of the queues: each is small, without personal data, and parsed by its receiver.
import * as z from 'zod/mini';
import { requestedByOf } from '#shared/import/approval.ts';
import { archivables } from '#shared/import/import-state.ts';
import { count, instant, ordinal } from '#shared/text/stored-values.ts';
import { isoTime } from '#shared/text/wording.ts';
import { planRange, type Resolved, requestStates } from './request.ts';

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

/** An upload as its event names it. */
export interface UploadedVersion {
  readonly bucket: string;
  readonly key: string;
  readonly etag?: string | undefined;
  readonly versionId?: string | undefined;
}

/** The event that S3 sends for an upload, with the version, so that both events are the same import. */
export const uploadEvent = ({ bucket, key, etag, versionId }: UploadedVersion) => ({
  Records: [{ s3: { bucket: { name: bucket }, object: { key: encodeURIComponent(key), eTag: etag, versionId } } }],
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

/**
 * A command of a person in its queue: read the file of this draft again, with what `input` has
 * (shared/results/changed-file.ts).
 * `reading`: how often the file was read when the person saw it.
 */
export const readMessage = z.object({
  read: filled,
  reading: ordinal,
  input: z.object({ key: filled, versionId: z.optional(filled), etag: filled }),
  /** The person for whom the API sends it: the audit trail of the import has what they did. */
  actorId: z.optional(filled),
  ...actor,
});
export type ReadMessage = z.infer<typeof readMessage>;

/** A command of a person in its queue: follow this port, which was made elsewhere, as an import. */
export const adoptMessage = z.object({ adopt: filled, ...actor });
export type AdoptMessage = z.infer<typeof adoptMessage>;

/** What a person can ask of ingest. */
export type CommandMessage =
  | AdoptMessage
  | ApprovalMessage
  | ArchiveMessage
  | ReadMessage
  | RescheduleMessage
  | StopMessage
  | ResumeMessage;

// The commands that a person gives sync outside of its schedule, and their answers.

/** The run first gets a new token with the stored secret. */
export const syncCommand = z.object({ checkSecret: z.literal(true) });
export type SyncCommand = z.infer<typeof syncCommand>;

export const syncAnswer = z.object({
  /** Another run was in progress, so this one did nothing. */
  skipped: z.boolean(),
  /** Due ports that were left for the next run. */
  left: z.int().check(z.nonnegative()),
  /** The service answered a call with a token for the stored secret. */
  secretChecked: z.boolean(),
  /** The failure of the first step that could not call the service. */
  failure: z.optional(z.string()),
});
export type SyncAnswer = z.infer<typeof syncAnswer>;

/** Reads the list of ports and writes it as a file for people. */
export const listPortsCommand = z.object({ listPorts: z.literal(true) });
export type ListPortsCommand = z.infer<typeof listPortsCommand>;

export const listPortsAnswer = z.object({
  /** Ports in the file. */
  ports: z.int().check(z.nonnegative()),
  /** The reading reached the end of the list. */
  isComplete: z.boolean(),
  /** Why the service could not be called. */
  failure: z.optional(z.string()),
});
export type ListPortsAnswer = z.infer<typeof listPortsAnswer>;

/** Examines how the service behaves where the specification is open. Changes nothing. */
export const examineCommand = z.object({ examine: z.literal(true) });
export type ExamineCommand = z.infer<typeof examineCommand>;

/** One question, and how the service answers it. */
export const serviceCheck = z.object({
  /** A stable name, such as `page-base`. */
  check: z.string(),
  /** `unknown`: it cannot be read yet. */
  state: z.enum(['ok', 'warning', 'error', 'unknown']),
  answer: z.string(),
  /** What a person does about it. */
  advice: z.optional(z.string()),
});
export type ServiceCheck = z.infer<typeof serviceCheck>;

export const examineAnswer = z.object({ checks: z.array(serviceCheck) });
export type ExamineAnswer = z.infer<typeof examineAnswer>;

// The command that resolves a request with an unknown outcome or several ports, and its answer.

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
