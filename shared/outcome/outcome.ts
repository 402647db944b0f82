// What people read of outcomes of rows and of states of requests: the same words on every surface.

import type { OperationName } from '#shared/domain/imports/operation-name.ts';
import { count, counted } from '#shared/domain/text/counted.ts';
import type { RequestState } from '#shared/request/request.ts';
import { type Outcome, outcomeOrder } from './row-result.ts';

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
