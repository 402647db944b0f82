// The commands that a person gives sync outside of its schedule, and their answers.
import * as z from 'zod/mini';

/** The run first gets a new token with the stored secret. Older versions of sync ignore this. */
export const syncCommand = z.object({ checkSecret: z.literal(true) });
export type SyncCommand = z.infer<typeof syncCommand>;

/** Members that older versions of sync do not answer are optional. */
export const syncAnswer = z.object({
  /** Another run was in progress, so this one did nothing. */
  skipped: z.boolean(),
  /** Due ports that were left for the next run. */
  left: z.int().check(z.nonnegative()),
  /** The service answered a call with a token for the stored secret. */
  secretChecked: z.optional(z.boolean()),
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
