// Reads one request of a plan: exactly its byte range, and checks that it is the right request. Replaces one whose port
// has changed since it was planned.
import { hash } from 'node:crypto';
import { type PlannedRequest, plannedRequest } from '#shared/domain/imports/plan.ts';
import { UnreadableItem } from '#shared/domain/requests/unreadable-item.ts';
import { parseJson } from '#shared/domain/text/parse-json.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { isObjectGone } from './files/object-gone.ts';
import type { Files } from './files.ts';
import { movedRequestKey } from './object-keys.ts';

export interface Plans {
  /** undefined: the plan has expired. @throws PlanMismatch when the bytes are not this request */
  read(item: RequestItem): Promise<PlannedRequest | undefined>;
}

export interface ChangeablePlans extends Plans {
  /** Answers where the request is from now on. */
  replace(request: PlannedRequest): Promise<RequestItem['plan']>;
}

/** The byte range does not contain this request, so nothing may be sent from it. */
export class PlanMismatch extends UnreadableItem {
  override readonly name = 'PlanMismatch';
}

export function createPlans(files: Files, workBucket: string): ChangeablePlans {
  const bytesOf = async ({ plan: { key, start, end } }: RequestItem): Promise<string | undefined> => {
    try {
      return await files.readText({ bucket: workBucket, key }, { start, end });
    } catch (error) {
      if (isObjectGone(error)) return undefined;
      throw error;
    }
  };

  const read = async (item: RequestItem): Promise<PlannedRequest | undefined> => {
    const { key, start, end, digest } = item.plan;
    const text = await bytesOf(item);
    if (text === undefined) return undefined;
    const place = `${key}, bytes ${start} to ${end}`;
    if (digest !== undefined && hash('sha256', text) !== digest)
      throw new PlanMismatch(place, 'changed since the plan');
    const parsed = plannedRequest.safeParse(parseJson(text));
    if (!parsed.success) throw new PlanMismatch(place, 'not a planned request');
    const { importId, request, token } = parsed.data;
    if (importId !== item.importId || request !== item.request || token !== item.token) {
      throw new PlanMismatch(
        place,
        `request ${request} of import ${importId}, not ${item.request} of ${item.importId}`,
      );
    }
    return parsed.data;
  };
  const replace = async (request: PlannedRequest): Promise<RequestItem['plan']> => {
    const [key, text] = [movedRequestKey(request.importId, request.request), JSON.stringify(request)];
    const file = files.open(workBucket, key, 'application/json');
    await file.write(text);
    await file.close();
    return { key, start: 0, end: Buffer.byteLength(text), digest: hash('sha256', text) };
  };
  return { read, replace };
}
