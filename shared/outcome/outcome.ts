// The outcomes of a row, their order, and their words on every surface. No schema: the console loads it.

import type { RequestState } from '#shared/request/request.ts';
import type { OperationName } from '#shared/text/identity.ts';
import { count, counted } from '#shared/text/wording.ts';

// What people read of outcomes of rows and of states of requests: the same words on every surface.

/** Behind a count: `3 action required`. */
export const outcomeWords: Readonly<Record<Outcome, string>> = {
  complete: 'ported',
  accepted: 'accepted',
  'action-required': 'action required',
  unknown: 'outcome unknown',
  waiting: 'waiting',
  scheduled: 'scheduled',
  'in-progress': 'in progress',
  declined: 'declined',
  skipped: 'skipped',
  cancelled: 'cancelled',
  'not-sent': 'not sent',
  duplicate: 'duplicate',
  rejected: 'invalid',
};

export const requestStateWords: Readonly<Record<RequestState, string>> = {
  planned: outcomeWords.waiting,
  scheduled: outcomeWords.scheduled,
  'in-flight': 'being sent',
  unknown: outcomeWords.unknown,
  created: 'created',
  accepted: outcomeWords.accepted,
  declined: outcomeWords.declined,
  skipped: outcomeWords.skipped,
  'action-required': outcomeWords['action-required'],
};

/** Rows by outcome: a row of create-port is a number. */
export type Outcomes = { readonly [Name in Outcome]?: number | undefined };

/** What a complete row of another operation than create-port is. */
const completeWords: { readonly [Name in OperationName]?: string } = { 'bar-service-config': 'confirmed' };

/** The rows of one outcome. */
export interface Share {
  readonly outcome: Outcome;
  readonly word: string;
  readonly rows: number;
}

export const sharesOf = (outcomes: Outcomes, operation?: OperationName | null): Share[] =>
  outcomeOrder.flatMap((outcome) => {
    const rows = outcomes[outcome] ?? 0;
    const ownWord = outcome === 'complete' && operation ? completeWords[operation] : undefined;
    return rows === 0 ? [] : [{ outcome, word: ownWord ?? outcomeWords[outcome], rows }];
  });

/** `3 action required`, `2 duplicates` */
export const describeShare = ({ outcome, word, rows }: Share): string =>
  outcome === 'duplicate' ? counted(rows, word) : `${count(rows)} ${word}`;

/** Rows that reached what their import wanted. */
export const succeeded = ({ complete = 0, accepted = 0 }: Outcomes): number => complete + accepted;

export const accountedFor = (outcomes: Outcomes): number => sharesOf(outcomes).reduce((sum, { rows }) => sum + rows, 0);

/** @param operation undefined: it is not known here, and the outcomes decide */
export function successWord({ accepted = 0 }: Outcomes, operation?: OperationName | null): string {
  const isPorted = operation === undefined ? accepted === 0 : operation === 'create-port';
  if (isPorted) return outcomeWords.complete;
  return (operation && completeWords[operation]) ?? outcomeWords.accepted;
}

/** `120 of 320 ported, 3 action required, 185 in progress, 12 invalid` */
export function describeOutcomes(outcomes: Outcomes, rows: number, operation?: OperationName | null): string {
  const others = sharesOf(outcomes, operation).filter(
    ({ outcome }) => outcome !== 'complete' && outcome !== 'accepted',
  );
  return [
    `${count(succeeded(outcomes))} of ${count(rows)} ${successWord(outcomes, operation)}`,
    ...others.map(describeShare),
  ].join(', ');
}

/**
 * rejected: the row is invalid. duplicate: an earlier row of the file has its number. waiting: its request is not
 * submitted yet. scheduled: it is submitted on the day on which its date can be booked. declined: the service declined
 * it. skipped: its number is in another import that is in progress, or its port row takes no such change. unknown: the
 * outcome of the call is unknown. in-progress: submitted. action-required: a person must act. accepted: the service
 * accepted the submission or the change and reports nothing more (spec gap 34). complete: the port has ended, or the
 * SIM has the services that were set. cancelled: the port has ended. not-sent: nothing of the file was submitted, or
 * the import was stopped for good before the row was.
 */
export const outcomes = [
  'rejected',
  'duplicate',
  'waiting',
  'scheduled',
  'declined',
  'skipped',
  'unknown',
  'in-progress',
  'action-required',
  'accepted',
  'complete',
  'cancelled',
  'not-sent',
] as const;
export type Outcome = (typeof outcomes)[number];

/** The order of every list of counts: success, then the most urgent, then the others. */
export const outcomeOrder: readonly Outcome[] = [
  ...(['complete', 'accepted', 'action-required', 'unknown', 'waiting', 'scheduled', 'in-progress'] as const),
  ...(['declined', 'skipped', 'duplicate', 'cancelled', 'not-sent', 'rejected'] as const),
];

/** The service has not answered rows with these outcomes, or they require an action. */
export const problemOutcomes: readonly Outcome[] = [
  ...(['rejected', 'declined', 'skipped', 'unknown', 'action-required', 'not-sent'] as const),
];

/** Rows with these outcomes were not sent, or ended without success: they may be sent again. */
export const sendableAgain: ReadonlySet<Outcome> = new Set([
  ...(['rejected', 'duplicate', 'declined', 'skipped', 'cancelled', 'not-sent'] as const),
]);
