// Whether a plan may be approved, and by whom: the one rule of the queue, the API, the console and the command line.
import * as z from 'zod/mini';
import type { Issue, IssueCode } from '#shared/row/issue.ts';
import { redactText } from '#shared/row/redact.ts';
import { oneLine, truncate } from '#shared/text/wording.ts';
import { type Identity, type ImportItem, identity, type RequestedBy } from './import.ts';
import { findAccountProblem, isArchived } from './import-state.ts';

/**
 * `upload`: a file outside plan/ is sent at once, and a plan needs one approver. `one`: every file waits for an
 * approver. `two`: every file waits, and nobody whose input is in it can approve it.
 */
export const approvalModes = ['upload', 'one', 'two'] as const;
export type ApprovalMode = (typeof approvalModes)[number];

/**
 * Its file needs an approval: a row asks again for the port of a number that a person cancelled, a spreadsheet may have
 * rounded numbers, another import has the same rows and sending them again does everything twice, or a row cancels more
 * than the number that it names.
 */
const asking: readonly IssueCode[] = [
  ...(['MSISDN_CANCELLED_BEFORE', 'MSISDN_ROUNDED', 'MSISDN_OF_SIM_ON_HIRE', 'ICCID_ROUNDED'] as const),
  ...(['CELL_NUMBER_DAMAGED', 'FILE_SAME_CONTENT', 'PORT_CANCELLED_WHOLE'] as const),
];
export const asksForApproval = ({ code, severity }: Issue): boolean => severity === 'warning' && asking.includes(code);

/** A file that does not ask for a plan is sent without approval. */
export const sendsAtOnce = (mode: ApprovalMode): boolean => mode === 'upload';

/**
 * undefined where nobody knows: AWS names no principal, or an upload of the console whose end was not recorded.
 * @param entry the entry `uploaded` that the API wrote, if there is one
 */
export function uploaderOf({ uploadedBy }: ImportItem, entry?: AuditEntry): Identity | undefined {
  if (entry !== undefined) return { provider: 'console', id: entry.actorId };
  if (uploadedBy === undefined || uploadedBy.isOfConsole) return undefined;
  return { provider: 'aws', id: uploadedBy.principal };
}

/** @param principal @default - somebody whose input is in a plan, whom nobody knows */
export const asAwsIdentity = (principal = ''): Identity => ({ provider: 'aws', id: principal });

/**
 * Everybody whose input is in the plan of an import: who uploaded the file, whose settings and cells it was made with,
 * and who read it again. Each once.
 * @param entry the entry `uploaded` that the API wrote, if there is one
 */
export function authorsOf(item: ImportItem, entry?: AuditEntry): Identity[] {
  const { readWith, authors = [] } = item;
  const ofSettings = (readWith?.authors ?? []).map((id): Identity => ({ provider: 'console', id }));
  return distinctPeople([
    uploaderOf(item, entry) ?? asAwsIdentity(),
    ...ofSettings,
    ...authors,
    ...(entry?.authors ?? []),
  ]);
}

/** A plan with more authors is approved by nobody: the list is kept where everybody reads it. */
const mostAuthors = 50;

/** One more than may be: the rule sees that there are too many. */
export const distinctPeople = (all: readonly Identity[]): Identity[] =>
  [...new Map(all.map((one) => [`${one.provider} ${one.id}`, one])).values()].slice(0, mostAuthors + 1);

export const isSamePerson = (one: Identity | undefined, other: Identity | undefined): boolean =>
  one !== undefined && one.provider === other?.provider && one.id === other.id;

/** Metadata of every object that the API uploads for a person: AWS then names the API as its uploader. */
export const consoleUpload = { 'uploaded-in': 'console' } as const;
export const isConsoleUpload = (metadata: Readonly<Record<string, string>>): boolean =>
  metadata['uploaded-in'] === consoleUpload['uploaded-in'];

/** Who approves whose file. */
export interface ApprovalPeople {
  readonly mode: ApprovalMode;
  readonly authors: readonly Identity[];
  readonly approver: Identity | undefined;
}

/** What a person approves, and who it is. */
export interface Approval extends ApprovalPeople {
  readonly item: ImportItem;
  /** That the environment works for. */
  readonly account: string;
  /** ISO 8601. */
  readonly now: string;
  /** The hash of the plan that the approver has seen. */
  readonly planHash: string | undefined;
}

export interface ApprovalProblem {
  readonly code: 'state-changed' | 'plan-changed' | 'second-person-required';
  /** A sentence without a full stop; it names a way to proceed. */
  readonly reason: string;
}

/** Why this person may not approve this plan; undefined where they may. */
export function findApprovalProblem(approval: Approval): ApprovalProblem | undefined {
  const { item, account, planHash } = approval;
  const state = stateProblem(item) ?? findAccountProblem(item, account) ?? expiryProblem(approval);
  if (state !== undefined) return { code: 'state-changed', reason: state };
  if (item.planHash !== planHash) {
    const reason = 'The plan was made again since. Read it, then approve it again';
    return { code: 'plan-changed', reason };
  }
  const reason = personProblem(approval);
  return reason === undefined ? undefined : { code: 'second-person-required', reason };
}

function stateProblem(item: ImportItem): string | undefined {
  const { state, planOnly, approvedAt, requestedBy } = item;
  if (state === 'planned' && approvedAt === undefined)
    return isArchived(item) ? 'The import is archived. Restore it, then approve it' : undefined;
  if (state === 'planning') return 'The file is still being read. Wait for its plan';
  if (state === 'rejected') return 'The import was rejected: there is nothing to send';
  if (!planOnly) return 'The import needed no approval';
  return `The import was approved before${requestedBy === undefined ? '' : ` by ${requestedBy.by}`}`;
}

/** A validation shows the service and the table as they were. */
const validationDays = 7;

function expiryProblem({ item, now }: Approval): string | undefined {
  const age = Date.parse(now) - Date.parse(item.receivedAt);
  if (item.validation !== true || age <= validationDays * 86_400_000) return undefined;
  return `The file was validated more than ${validationDays} days ago. Import it again`;
}

/** Why the approver is not a second person. Two people who cannot be compared may be one. */
function personProblem({ mode, authors, approver }: ApprovalPeople): string | undefined {
  if (mode !== 'two') return undefined;
  if (authors.some(({ id }) => id === '')) {
    return 'It is not known who uploaded the file. Import it again';
  }
  if (approver === undefined) {
    return 'It is not known who approves the plan. Sign in';
  }
  if (authors.length > mostAuthors) {
    return `More than ${mostAuthors} people worked on this plan, so nobody can approve it. Import the file again`;
  }
  const problems = authors.map((author) => comparePeople(author, approver));
  return problems.find((problem) => problem !== undefined);
}

/** The id of an IAM role, with the name of a session. */
const roleSession = /^AROA[^:]*:(.+)$/;

/** Why the approver may be this author; undefined where it is another person. */
function comparePeople(author: Identity, approver: Identity): string | undefined {
  if (author.provider !== approver.provider) {
    return author.provider === 'console'
      ? 'The file was uploaded or changed in the console: a second person must approve it there'
      : 'The file was uploaded with AWS credentials: a second person must approve it with theirs';
  }
  if (isSamePerson(author, approver)) {
    return 'Who uploaded the file, or wrote a part of what it sends, cannot approve it';
  }
  if (author.provider === 'console') return undefined;
  // Each task has a role of its own, so one person has several: only the name of the session tells people apart.
  const [mine, theirs] = [author, approver].map(({ id }) => roleSession.exec(id)?.[1]?.toLowerCase());
  if (mine !== undefined && theirs !== undefined) {
    return mine === theirs ? `The same person ("${mine}") uploaded the file, with another role` : undefined;
  }
  return mine === theirs
    ? undefined
    : 'A user and a role of AWS may be one person: approve it with a role session, too';
}

// Who gave a command, and why, stored for later readers. The name comes from that person's machine, so it proves
// nothing; the principal comes from AWS.

const longestReason = 200;
const longestPersonName = 60;
/** An id of 21 characters, and the name of a session of 64. */
const longestPrincipal = 100;

/** As in a message. */
export interface ActorOptions {
  readonly by?: string | undefined;
  readonly because?: string | undefined;
  readonly principal?: string | undefined;
}

/** Who it was, by AWS. S3 writes `AWS:` before the id that SQS writes alone. */
export const principalOf = (written: string | undefined): string | undefined =>
  written?.replace(/^AWS:/, '').slice(0, longestPrincipal) || undefined;

/** Stored without anything that looks like a PAC or a secret (spec gap 44). */
export function requestedByOf({ by = '', because = '', principal }: ActorOptions): RequestedBy {
  const reason = shorten(because, longestReason);
  return {
    by: shorten(by, longestPersonName) || 'unknown',
    ...(reason === '' ? {} : { because: reason }),
    ...(principal && { principal }),
  };
}

const shorten = (text: string, longest: number): string => truncate(oneLine(redactText(text)), longest).trimEnd();

// Who did what with an import: written once, never changed.

export const auditActions = [
  ...(['uploaded', 'approved', 'stopped', 'resumed', 'rescheduled', 'cancelled', 'corrected'] as const),
  ...(['resolved', 'adopted', 'archived', 'restored', 'dismissed', 'read-again'] as const),
  /** How files with a certain header are read. */
  ...(['settings-saved', 'settings-deleted'] as const),
  /** A person received a link to a file, which whoever has it can use until it ends. */
  'downloaded',
] as const;

export const auditEntry = z.object({
  at: z.iso.datetime(),
  action: z.enum(auditActions),
  /** The subject of the token, which never changes, and the name for people. */
  actorId: z.string(),
  by: z.string(),
  because: z.optional(z.string()),
  /** The write of the API that approved a plan: its repeat is no second approval. */
  writeId: z.optional(z.string()),
  /** Whose input is in an upload that the API wrote, beside the person's own. */
  authors: z.optional(z.array(identity)),
  /** What it was about, such as the new import or the request. */
  details: z.record(z.string(), z.string()),
});
export type AuditEntry = z.infer<typeof auditEntry>;
