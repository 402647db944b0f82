// The lease of a run is short and renewed, so that a run that died does not keep others out for long.
import type { SyncDependencies } from '../dependencies.ts';
import { runLease } from '../intervals.ts';

export interface LeaseDependencies {
  readonly leases: SyncDependencies['leases'];
  readonly clocks: SyncDependencies['clocks'];
  readonly runId: string;
  readonly wait: SyncDependencies['wait'];
  readonly log: SyncDependencies['log'];
}

export interface RunLease {
  /** Another run has started, or may start at any moment: this one must not begin anything more. */
  isLost(): boolean;
  release(): Promise<void>;
}

const name = 'sync';

/**
 * undefined: another run is in progress (fault 47). If runs overlapped all the same, that would cost calls, but no
 * number.
 */
export async function takeRunLease(dependencies: LeaseDependencies): Promise<RunLease | undefined> {
  const { leases, clocks, runId, wait, log } = dependencies;
  let until = clocks.wall() + runLease.duration;
  let isOver = false;
  let renewing: Promise<void> = Promise.resolve();
  const take = (now: number, end: number) =>
    leases.take({ name, holder: runId, now, until: end, latest: now + runLease.furthest });
  if (!(await take(clocks.wall(), until))) return undefined;

  const renew = async (): Promise<void> => {
    const now = clocks.wall();
    if (await take(now, now + runLease.duration)) until = now + runLease.duration;
  };
  const keep = async (): Promise<void> => {
    for (await wait(runLease.renewal); !isOver; await wait(runLease.renewal)) {
      renewing = renew().catch((error: unknown) => log.warn('the lease of the run was not renewed', { error }));
      await renewing;
    }
  };
  void keep();

  return {
    isLost: () => clocks.wall() > until - runLease.margin,
    release: async () => {
      isOver = true;
      // A renewal that arrives after the release would take the lease again.
      await renewing;
      await leases.release(name, runId);
    },
  };
}
