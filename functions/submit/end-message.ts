// What submit works with, one attempt to send a request, and the ways in which it ends. Each step answers the attempt
// or its end; submit records the end once.
import type { ImportItem } from '#shared/import/import.ts';
import { type ActiveStop, isRefreshPlanned, longestDelayMs, stopOf } from '#shared/import/import-state.ts';
import type { ReadDayCycle, Submission, ValidationContext } from '#shared/operations/operation.ts';
import type { ServicePipeline } from '#shared/pipeline/pipeline.ts';
import { packLines } from '#shared/request/packed-lines.ts';
import type {
  Answer,
  Declined,
  ExcludedRow,
  PlannedRequest,
  RequestError,
  RequestItem,
  RequestState,
} from '#shared/request/request.ts';
import {
  applyAnswer,
  believeDecline,
  declineBeforeSending,
  isStopped,
  markActionRequired,
  requeueRequest,
  skipRequest,
  stoppedError,
  suspendDecline,
  type Times,
} from '#shared/request/request-state.ts';
import { endStopped, type Schedule, scheduleRequest, stopRequest } from '#shared/request/waiting-request.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import type { Clock, Deadline } from '#shared/runtime/clock.ts';
import { isDecline, isPortingFailure, type PortingFailure } from '#shared/service/errors.ts';
import type { RequestNumber } from '#shared/text/identity.ts';
import { truncate } from '#shared/text/wording.ts';

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

/** What submit reads of an import. */
type SubmittedImport = Pick<ImportItem, 'stop' | 'refreshAt'>;

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

export interface EndTimes extends Times {
  /** How long a requeued message waits. */
  readonly delayMs: number;
}

/** The request after the end of an attempt; undefined where nothing changes. */
export function requestAfter(
  request: RequestItem,
  submission: Submission,
  end: End,
  times: EndTimes,
): RequestItem | undefined {
  const { now } = times;
  switch (end.how) {
    case 'sent':
      return applyAnswer(request, end.attempt.request.attempt, end.answer, times);
    case 'requeued':
      return requeueRequest(request, errorOf(end.failure), now, times.delayMs);
    case 'declined':
      if (mayHaveBeenSent(request, submission)) return suspendDecline(request, { error: end.error }, times);
      return isStillUnknown(request, submission, end.error)
        ? markActionRequired(request, describeUnsent(end.error), now)
        : declineBeforeSending({ ...request, ...end.rows }, end.error, now);
    case 'judged':
      return believeDecline(request, end.declined, now);
    case 'skipped':
      return skipRequest(request, end.excludedRows, now);
    case 'scheduled':
      return scheduleRequest(request, end.schedule, now);
    case 'stopped':
      if (isStillUnknown(request, submission, stoppedError))
        return markActionRequired(request, describeUnsent(stoppedError), now);
      if (end.lines === undefined) return stopRequest(request, now);
      return mayHaveBeenSent(request, submission)
        ? suspendDecline(request, { error: stoppedError }, times)
        : endStopped(request, end.lines, now);
    case 'left':
      return undefined;
  }
}

/** An earlier attempt of unknown outcome may still create a port: then the port list is searched first. */
const mayHaveBeenSent = ({ hasUnknownAttempt }: RequestItem, { makes }: Submission): boolean =>
  makes === 'port' && hasUnknownAttempt === true;

/**
 * It is not sent again, and what became of an earlier call is as unknown as before. Of a change this was read in its
 * port, unless its plan has expired.
 */
const isStillUnknown = ({ hasUnknownAttempt }: RequestItem, { makes }: Submission, { kind }: RequestError): boolean =>
  hasUnknownAttempt === true && (makes === 'ticket' || (makes === 'change' && kind === planExpired.error.kind));

const describeUnsent = ({ message }: RequestError): string =>
  `It was not sent again, and whether the service has executed it is still unknown: ${message}`;

/** Delays double from here. The rate limiter tracks outages, so messages do not wait long after an outage ends. */
const firstDelayMs = 5_000;
const longestBackoffMs = 40_000;
/** A person has to replace the credentials, or to give them access: asking every few seconds does not help. */
const accessDelayMs = 5 * 60_000;

/**
 * Exponential, with jitter in its upper half, and never shorter than the service asks for.
 * @param attempt counts from 1
 */
export function delayAfter(failure: PortingFailure, attempt: number, random: number): number {
  if (failure.kind === 'credentials-rejected' || isDecline(failure)) return accessDelayMs;
  const requestedMs = 'retryAfterMs' in failure ? failure.retryAfterMs : 0;
  const doubled = failure.kind === 'deferred' ? firstDelayMs : firstDelayMs * 2 ** (attempt - 1);
  const backoffMs = Math.min(longestBackoffMs, doubled) * (0.5 + random / 2);
  return Math.min(longestDelayMs, Math.max(requestedMs * (1 + random / 10), backoffMs));
}

/** @param check rejects with the reason why no call may be made now */
export async function requeueIfRejected(check: Promise<void>): Promise<End | undefined> {
  try {
    await check;
    return undefined;
  } catch (failure) {
    if (isPortingFailure(failure)) return { how: 'requeued', failure };
    throw failure;
  }
}

const longestError = 2_000;

/** A failure as the ledger stores it. The client has redacted its messages. */
export function errorOf(error: unknown): RequestError {
  if (!isPortingFailure(error)) {
    return { kind: 'unexpected', message: error instanceof Error ? error.message : String(error) };
  }
  // The user needs the answer of the service, not the name of the call.
  const message = isDecline(error) ? error.decline.message : error.message;
  const stored: RequestError = { kind: error.kind, message: truncate(message, longestError) };
  if (error.status !== undefined) stored.status = error.status;
  return stored;
}

// What submit knows of the imports: it does not send the requests of one that is stopped.

/** An import is read again after this time, and a reading is used for twice as long. */
const freshMs = 500;
/** Readings of more imports are forgotten. */
const mostReadings = 1_000;

interface Reading {
  readonly at: number;
  readonly item: Promise<SubmittedImport | undefined>;
}

export interface ImportReadings {
  readonly readStop: ReadStop;
  /** Whether report reads the import again without a further message, as far as is known. */
  readonly isRefreshPlanned: (importId: string) => boolean;
}

/**
 * Reads each import at most twice a second. Within a second of the command of a person no further call begins. While
 * calls follow each other, none waits for a reading: that would leave slots of the rate limiter unused.
 */
export function createImportReadings(
  readImport: (importId: string) => Promise<SubmittedImport | undefined>,
  wall: Clock,
): ImportReadings {
  const latest = new Map<string, Reading>();
  const answered = new Map<string, { readonly at: number; readonly item: SubmittedImport | undefined }>();
  const ageOf = ({ at }: { readonly at: number }): number => wall() - at;

  const begin = (importId: string): Reading => {
    for (const readings of [latest, answered]) if (readings.size >= mostReadings) readings.clear();
    const reading = { at: wall(), item: readImport(importId) };
    latest.set(importId, reading);
    reading.item.then(
      (item) => answered.set(importId, { at: reading.at, item }),
      // A failure is thrown where its reading is awaited, and the next call reads again.
      () => latest.get(importId) === reading && latest.delete(importId),
    );
    return reading;
  };

  return {
    readStop: async (importId) => {
      const known = latest.get(importId);
      const current = known === undefined || ageOf(known) >= freshMs ? begin(importId) : known;
      const earlier = answered.get(importId);
      const item = earlier !== undefined && ageOf(earlier) < 2 * freshMs ? earlier.item : await current.item;
      return item && stopOf(item);
    },
    isRefreshPlanned: (importId) => isRefreshPlanned(answered.get(importId)?.item?.refreshAt, wall()),
  };
}

/**
 * undefined: the request may be sent. A request that replaces a port is sent also when its import is stopped: that port
 * is cancelled by now, and its numbers would be in no port.
 */
export async function endIfStopped(item: RequestItem, { readStop, plans }: SubmitPipeline): Promise<End | undefined> {
  if (item.replaces !== undefined) return undefined;
  const stop = await readStop(item.importId);
  if (stop === undefined) return undefined;
  if (stop !== 'for-good') {
    return isStopped(item) && item.dueAt === undefined ? { how: 'left', outcome: item.state } : { how: 'stopped' };
  }
  const planned = await plans.read(item);
  return planned === undefined
    ? planExpired
    : { how: 'stopped', lines: packLines(planned.rows.map(({ line }) => line)) };
}
