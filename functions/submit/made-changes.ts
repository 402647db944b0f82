// A change of unknown outcome may have been made: its port shows whether it was.
import type { Submission } from '#shared/operations/operation.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import type { Answer, RequestError, RequestItem } from '#shared/request/request.ts';
import { rowsLeftOut } from '#shared/request/request-state.ts';
import { isPortingFailure, type PortingFailure } from '#shared/service/errors.ts';
import { type Attempt, type End, planExpired, type Step, type SubmitPipeline } from './attempt.ts';
import { excludeMoved, findOvertakenRows } from './moved-numbers.ts';
import { endIfStopped } from './stopped-imports.ts';

/** A change that was made already is declined when it is requested again: the port shows it. */
export async function checkChange(error: RequestError, attempt: Attempt, pipeline: SubmitPipeline): Promise<Answer> {
  const portId = await readMade(attempt, pipeline);
  if (isPortingFailure(portId)) return { kind: 'ambiguous', error };
  return portId === undefined ? { kind: 'declined', error } : { kind: 'changed', portId };
}

/** The port that has the change of these rows by now; undefined where something is left to change. */
async function readMade(
  { planned, send, submission }: Attempt,
  { validation }: SubmitPipeline,
): Promise<string | undefined | PortingFailure> {
  const sent = new Set(send.rows.map(({ line }) => line));
  const request = { ...planned, rows: planned.rows.filter(({ line }) => sent.has(line)) };
  try {
    return await submission.madeAlready?.(request, validation);
  } catch (failure) {
    if (isPortingFailure(failure)) return failure;
    throw failure;
  }
}

/**
 * As `endIfStopped`. Before a change of unknown outcome waits or ends as not sent, its port is read: an earlier call
 * may have made it. What is made later is shown by its port only.
 */
export async function endUnlessMade(
  request: RequestItem,
  submission: Submission,
  pipeline: SubmitPipeline,
): Promise<End | undefined> {
  const stopped = await endIfStopped(request, pipeline);
  if (stopped?.how !== 'stopped' || submission.makes !== 'change' || !request.hasUnknownAttempt) return stopped;
  const planned = await pipeline.plans.read(request);
  // Nobody can find out any more whether it was made.
  if (planned === undefined) return planExpired;
  const left = new Set(rowsLeftOut(request).map(({ line }) => line));
  const rows = planned.rows.filter(({ line }) => !left.has(line));
  return (
    (await endIfMade({ request, submission, planned, send: { ...planned, rows }, excludedRows: [] }, pipeline)) ??
    stopped
  );
}

/**
 * As `excludeMoved`. Before rows of unknown outcome are left to the move of their port, the port is read: an earlier
 * call may have changed it, and the move takes the change along.
 */
export async function excludeUnlessMade(attempt: Attempt, pipeline: SubmitPipeline): Promise<Step> {
  const next = await excludeMoved(attempt, pipeline);
  if (next === attempt || !attempt.request.hasUnknownAttempt) return next;
  return (await endIfMade(attempt, pipeline)) ?? next;
}

/** The end of a change of unknown outcome whose port shows that it was made; undefined where something is left. */
async function endIfMade(attempt: Attempt, pipeline: SubmitPipeline): Promise<End | undefined> {
  const { request, send } = attempt;
  const sent = request.lines === undefined ? undefined : new Set(unpackLines(request.lines));
  const rows = send.rows.filter(({ line }) => sent?.has(line) !== false);
  const own = { ...attempt, send: { ...send, rows } };
  const portId = await readMade(own, pipeline);
  if (isPortingFailure(portId)) return { how: 'requeued', failure: portId };
  if (portId === undefined) return undefined;
  // A move that cancelled the port took the numbers along. The other rows are those that the earlier call left out.
  const overtaken = await findOvertakenRows(own, pipeline);
  if (overtaken.length > 0) return { how: 'skipped', excludedRows: [...(request.excludedRows ?? []), ...overtaken] };
  return { how: 'sent', attempt: own, answer: { kind: 'changed', portId } };
}
