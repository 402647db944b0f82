// One thing that the service will not show must not keep the others waiting.
import type { RequestItem } from '#shared/domain/ledger.ts';
import { portMissing, unreadable } from '#shared/domain/request-state.ts';
import { NotFound } from '#shared/porting/errors.ts';
import type { RunParts } from './trouble.ts';

/** The request is looked at again later, or is a person's by now; undefined when it changed meanwhile. */
export type PutOff = 'later' | 'people' | undefined;

/** What `step` answers, or what became of the request because its port could not be read. */
export async function unlessUnreadable<Result>(
  item: RequestItem,
  parts: RunParts,
  step: () => Promise<Result>,
): Promise<Result | PutOff> {
  try {
    return await step();
  } catch (error) {
    if (!(await parts.trouble.concernsOnlyIt(error))) throw error;
    return putOff(item, error, parts);
  }
}

async function putOff(item: RequestItem, error: unknown, parts: RunParts): Promise<PutOff> {
  const { requests, clocks, settings, metrics, log, trouble } = parts;
  const { importId, request } = item;
  log.error('the port of a request could not be read', { importId, request, error });
  trouble.noteLeft(error);
  const times = { now: clocks.wall(), quietMs: settings.quietMs };
  const next = error instanceof NotFound ? portMissing(item, error.message, times) : unreadable(item, times);
  if (!(await requests.replace(item, next))) return undefined;
  if (next.state !== 'needs-human') return 'later';
  metrics.count('requestsUnknown');
  return 'people';
}
