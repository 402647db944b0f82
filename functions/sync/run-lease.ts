// The lease of a run, short and renewed: a run that died stands in nobody's way for long.
import type { SyncParts } from './parts.ts';

const name = 'sync';
/** How long a run that died keeps others out. */
export const leaseMs = 30_000;
/** Twice it may fail to be renewed before it lapses. */
const renewEveryMs = 10_000;
/** A run that could not renew its lease ends so long before another one may begin. */
const slackMs = 5_000;

export interface RunLease {
  /** Another run has begun, or may begin at any moment: begin nothing more. */
  isLost(): boolean;
  release(): Promise<void>;
}

/** undefined: another run is at work (fault 47). Its ledger is fenced besides: an overlap would cost calls, no number. */
export async function takeRunLease(parts: SyncParts): Promise<RunLease | undefined> {
  const { leases, clocks, runId, wait, log } = parts;
  let until = clocks.wall() + leaseMs;
  let isOver = false;
  let renewing: Promise<void> = Promise.resolve();
  const take = (now: number, end: number) =>
    leases.take(name, runId, new Date(now).toISOString(), new Date(end).toISOString());
  if (!(await take(clocks.wall(), until))) return undefined;

  const renew = async (): Promise<void> => {
    const now = clocks.wall();
    if (await take(now, now + leaseMs)) until = now + leaseMs;
  };
  const keep = async (): Promise<void> => {
    for (await wait(renewEveryMs); !isOver; await wait(renewEveryMs)) {
      renewing = renew().catch((error: unknown) => log.warn('the lease of the run was not renewed', { error }));
      await renewing;
    }
  };
  void keep();

  return {
    isLost: () => clocks.wall() > until - slackMs,
    release: async () => {
      isOver = true;
      // One that arrived after the lease was given back would take it again.
      await renewing;
      await leases.release(name, runId);
    },
  };
}
