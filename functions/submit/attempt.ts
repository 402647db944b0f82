// What submit works with, one attempt to send a request, and the ways in which it ends. Each step answers the attempt
// or its end; submit records the end once.
import type { ActiveStop } from '#shared/import/import-state.ts';
import type { ReadDayCycle, Submission, ValidationContext } from '#shared/operations/operation.ts';
import type { ServicePipeline } from '#shared/pipeline/pipeline.ts';
import type {
  Answer,
  Declined,
  ExcludedRow,
  PlannedRequest,
  RequestError,
  RequestItem,
  RequestState,
} from '#shared/request/request.ts';
import type { Schedule } from '#shared/request/waiting-request.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import type { Deadline } from '#shared/runtime/clock.ts';
import type { PortingFailure } from '#shared/service/errors.ts';
import type { RequestNumber } from '#shared/text/identity.ts';

/** A request that moves the port of another one to another day. */
export interface Move {
  readonly importId: string;
  /** The service was asked to cancel the port, or has done so. */
  readonly isUnderWay: boolean;
  /** Of the rows that it takes along, once it is under way. */
  readonly lines: readonly number[];
}

/** The move of the port of a request; undefined where none waits, goes on or is done. */
export type FindMove = (request: RequestNumber) => Promise<Move | undefined>;

/** undefined: nobody has stopped the import. */
export type ReadStop = (importId: string) => Promise<ActiveStop | undefined>;

/** What the messages of one batch share. */
export interface SubmitBatch {
  readonly deadline: Deadline;
  /** Called with each import, beside the message's own, of which something changed. */
  readonly onImportChanged: (importId: string) => void;
  /** Whether created ports are read at once; otherwise sync reads them. */
  readonly readsBack: () => boolean;
}

/** Opened for every batch: what it looks up is kept no longer than that. */
export interface SubmitPipeline extends ServicePipeline, SubmitBatch {
  readonly validation: ValidationContext & { readonly readDayCycle: ReadDayCycle };
  readonly findMove: FindMove;
  readonly readStop: ReadStop;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

export interface Attempt {
  /** As it is stored by now. */
  readonly request: RequestItem;
  readonly submission: Submission;
  /** With all its rows. */
  readonly planned: PlannedRequest;
  /** With the rows that may be sent. */
  readonly send: PlannedRequest;
  /** The rows that are not sent, each with its reason. */
  readonly excludedRows: readonly ExcludedRow[];
  readonly note?: string | undefined;
  /** Holidays of the network right before the port's date. */
  readonly holidays?: readonly CalendarDate[] | undefined;
  /** The account's day on which the rows were validated. */
  readonly day?: CalendarDate;
}

/** The state of the request after the message, or `not-mine` where another message or sync handles it. */
export type SubmitOutcome = RequestState | 'not-mine';

export type End =
  /** The call was made. */
  | { readonly how: 'sent'; readonly attempt: Attempt; readonly answer: Answer }
  /** Nothing was done at the service. */
  | { readonly how: 'requeued'; readonly failure: PortingFailure }
  /** simporter cannot send it: its plan expired, or its date can no longer be booked. */
  | {
      readonly how: 'declined';
      readonly error: RequestError;
      readonly rows?: Pick<RequestItem, 'lines' | 'excludedRows'>;
    }
  /** The service declined it before, and the answers to the other parts of its request have decided. */
  | { readonly how: 'judged'; readonly declined: Declined }
  /** Every row is excluded. */
  | { readonly how: 'skipped'; readonly excludedRows: readonly ExcludedRow[] }
  | { readonly how: 'scheduled'; readonly schedule: Schedule }
  /** Its import is stopped. With its lines: for good. */
  | { readonly how: 'stopped'; readonly lines?: string }
  /** Nothing changes. */
  | { readonly how: 'left'; readonly outcome: SubmitOutcome };

/** What a step of an attempt answers: the attempt goes on, or has ended. */
export type Step = Attempt | End;

export const notMine: End = { how: 'left', outcome: 'not-mine' };

export const planExpired = {
  how: 'declined',
  error: { kind: 'plan-expired', message: 'the plan of this import has expired: import the file again' },
} as const satisfies End;
