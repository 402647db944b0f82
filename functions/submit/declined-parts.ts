// What becomes of rows that the service declined without naming them (docs/decisions/0037). They are sent again in
// parts, which finds the wrong row; but not where every part is declined for the same reason: that is wrong for all.

import { partsOf } from '#shared/request/packed-lines.ts';
import type { DeclinedRows, RequestError, RequestItem } from '#shared/request/request.ts';
import { isUndecided, rowsDeclinedByService } from '#shared/request/request-state.ts';
import { mostParts, partOf } from '#shared/text/identity.ts';
import type { End, SubmitPipeline } from './attempt.ts';

/** After so many requests of an import of which all ten parts were declined for one reason, no other is divided. */
export const mostUndivided = 3;

/** What two declines have in common. A reference, a number or a SIM differs from call to call. */
export const reasonOf = ({ status = 0, message }: RequestError): string => {
  const words = message.split(' ').map((word) => (/\d/.test(word) ? '#' : word));
  return `${status} ${words.join(' ').slice(0, 200)}`;
};

/** What becomes of the rows of a call that was declined as a whole. */
export async function judgeRows(
  request: RequestItem,
  error: RequestError,
  pipeline: SubmitPipeline,
): Promise<DeclinedRows['others']> {
  const parent = partOf(request.request)?.request;
  if (parent === undefined) return (await isWrongForAll(request, error, pipeline)) ? undefined : 'in-parts';
  const divided = await pipeline.requests.get(request.importId, parent);
  const others = partsOf(divided ?? request).filter((part) => part.request !== request.request);
  const find = await pipeline.requests.getMany(others);
  const answers = others.map((part) => answerOf(find(part), reasonOf(error)));
  if (answers.includes('other')) return 'in-parts';
  if (answers.includes('none')) return 'later';
  if (partOf(parent) === undefined && others.length + 1 === mostParts) await noteUndivided(divided, error, pipeline);
  return undefined;
}

/** How a part was answered. `none`: not yet, or it was not sent yet. */
function answerOf(part: RequestItem | undefined, reason: string): 'same' | 'none' | 'other' {
  if (part === undefined || rowsDeclinedByService(part).length > 0) return 'other';
  const { state, parts, error } = part;
  const isDeclined = (state === 'declined' && parts === undefined) || isUndecided(part);
  if (isDeclined) return error !== undefined && reasonOf(error) === reason ? 'same' : 'other';
  return state === 'planned' || state === 'in-flight' ? 'none' : 'other';
}

/** Two requests at the same moment may note only one of them: one more request is divided then. */
async function noteUndivided(request: RequestItem | undefined, error: RequestError, { imports }: SubmitPipeline) {
  if (request === undefined) return;
  const { undivided = [] } = (await imports.get(request.importId)) ?? {};
  const own = `${request.request} ${reasonOf(error)}`;
  if (undivided.length >= mostUndivided || undivided.includes(own)) return;
  await imports.update(request.importId, { undivided: [...undivided, own] });
}

async function isWrongForAll(
  { importId }: RequestItem,
  error: RequestError,
  { imports }: SubmitPipeline,
): Promise<boolean> {
  const { undivided = [] } = (await imports.get(importId)) ?? {};
  return undivided.filter((one) => one.endsWith(` ${reasonOf(error)}`)).length >= mostUndivided;
}

/** undefined: it is no part, or is to be sent. Makes no call, so a declined part does not wait for the service. */
export async function endPart(request: RequestItem, pipeline: SubmitPipeline): Promise<End | undefined> {
  const parent = partOf(request.request)?.request;
  if (parent === undefined || request.state !== 'planned') return undefined;
  if (isUndecided(request) && request.error !== undefined) {
    const { isUndecided: _, ...error } = request.error;
    return { how: 'judged', declined: { error, others: await judgeRows(request, error, pipeline) } };
  }
  if (request.attempt > 0) return undefined;
  const { error } = (await pipeline.requests.get(request.importId, parent)) ?? {};
  if (error === undefined || !(await isWrongForAll(request, error, pipeline))) return undefined;
  const because = `every part of ${mostUndivided} requests of this import was declined for the same reason`;
  const message = `${error.message}. The row was declined together with others, and not sent again, because ${because}`;
  return { how: 'declined', error: { ...error, lines: undefined, message } };
}
