// Makes a write happen once: a repeat with the same key gets the answer of the first.
import { shortId } from '#shared/domain/text/short-id.ts';
import type { IdempotencyStore } from '#shared/store/idempotency-keys.ts';
import { ApiProblem } from './api-problem.ts';
import type { Caller } from './caller.ts';

interface KeyedRequest {
  readonly caller: Caller;
  /** The Idempotency-Key of the request. */
  readonly key: string | undefined;
  /** What makes it this request: method, path and body. */
  readonly content: readonly string[];
}

export interface Idempotency {
  /** @param run gets an id that is the same for a repeat of the same write */
  once(request: KeyedRequest, run: (writeId: string) => Promise<unknown>): Promise<unknown>;
}

const validKey = /^[\x21-\x7e]{1,200}$/;

/** A failed write leaves no answer, so that its repeat tries again. */
export const createIdempotency = (store: IdempotencyStore): Idempotency => ({
  async once({ caller, key = '', content }, run) {
    if (!validKey.test(key)) {
      const detail = 'Send an Idempotency-Key of 1 to 200 visible ASCII characters, new for each write: a UUID.';
      throw new ApiProblem('idempotency-key-required', detail);
    }
    const writeId = shortId(['write', caller.id, key], 26);
    // The key is not stored, so no PAC in the body can be guessed from this hash.
    const fingerprint = shortId(['content', key, ...content], 26);
    const begun = await store.begin(writeId, fingerprint);
    if (begun.state === 'other-request') {
      throw new ApiProblem('idempotency-key-reused', 'Use a new Idempotency-Key for a new write.');
    }
    if (begun.state === 'in-progress') {
      const detail = 'The first request with this Idempotency-Key has not ended. Repeat it in a few seconds.';
      throw new ApiProblem('request-in-progress', detail, { retryAfterSeconds: 2 });
    }
    if (begun.state === 'done') return begun.answer;
    try {
      const answer = await run(writeId);
      await store.finish(writeId, fingerprint, answer);
      return answer;
    } catch (error) {
      await store.fail(writeId, fingerprint);
      throw error;
    }
  },
});
