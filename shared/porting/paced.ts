// A sender that keeps the pace of the stage: it asks before each call, and tells how the call ended.
import { nameOfCall } from './judge.ts';
import type { Pace } from './pace.ts';
import type { Sender, ServiceCall } from './sender.ts';

export interface PacedSender {
  readonly send: Sender;
  /** Resolves when a call may be made at once. @throws HeldBack */
  readonly ready: () => Promise<void>;
}

/** `probe` is the call that shows whether the service is back; it must change nothing. */
export function pacedSender(sender: Sender, pace: Pace | undefined, probe: ServiceCall): PacedSender {
  if (pace === undefined) return { send: sender, ready: async () => {} };
  const tryOnce = () => sender(probe);
  const send: Sender = async (call) => {
    await pace.enter(nameOfCall(call), tryOnce);
    let failure: unknown;
    try {
      return await sender(call);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      await pace.heard(failure);
    }
  };
  return { send, ready: () => pace.ready('the next call', tryOnce) };
}
