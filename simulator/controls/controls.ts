// The test controls of each account: a clock that can be advanced, and faults. Their state is in the store, so that a
// restart, or another process on the same table, neither turns a clock back nor forgets a fault.
import * as z from 'zod';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Store } from '../store/store.ts';
import { type Fault, type FaultEffect, type FaultPlan, faultPlanSchema } from './faults.ts';

/** No clock goes further: dates have four digits for the year. */
export const latestTime = Date.parse('9000-01-01T00:00:00Z');

const accountState = z.object({
  offsetMs: z.number(),
  plan: faultPlanSchema,
  /** How many numbers of the seeded sequence are used, and the hits of each fault. */
  rolls: z.int(),
  hits: z.array(z.int()),
});
type AccountState = z.infer<typeof accountState>;

const stateSchema = z.record(z.string(), accountState);
type State = z.infer<typeof stateSchema>;

const initialState: AccountState = { offsetMs: 0, plan: { seed: 1, faults: [] }, rolls: 0, hits: [] };

/** Number `n` of a seeded sequence, at least 0 and below 1 (a 32-bit integer hash). */
function seededNumber(seed: number, n: number): number {
  let bits = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(n + 1, 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

/** The state after the roll, and the place of the fault that hits. */
function rollOnce(state: AccountState, endpoint: string): { readonly state: AccountState; readonly hit: number } {
  const { plan, hits } = state;
  const applies = (fault: Fault, index: number): boolean =>
    (fault.endpoint === '*' || fault.endpoint === endpoint) &&
    (hits[index] ?? 0) < (fault.times ?? Number.POSITIVE_INFINITY);
  let { rolls } = state;
  for (const [index, fault] of plan.faults.entries()) {
    if (!applies(fault, index)) continue;
    const isHit = seededNumber(plan.seed, rolls) < fault.rate;
    rolls += 1;
    if (isHit) {
      const counted = plan.faults.map((_, at) => (hits[at] ?? 0) + (at === index ? 1 : 0));
      return { state: { ...state, rolls, hits: counted }, hit: index };
    }
  }
  return { state: { ...state, rolls }, hit: -1 };
}

export function createControls(store: Store, base: Clock) {
  let state: State = {};
  let version = 0;
  const stateOf = (accountId: number): AccountState => state[accountId] ?? initialState;
  /** Reads what other processes may have changed. Called before each request. */
  const refresh = async (): Promise<void> => {
    const stored = await store.controls();
    state = stored === null ? {} : stateSchema.parse(stored.state);
    version = stored?.version ?? 0;
  };
  /** Changes the state of an account, again from the start if another request was faster. */
  const change = async (accountId: number, next: (before: AccountState) => AccountState): Promise<void> => {
    for (;;) {
      const before = stateOf(accountId);
      const changed = { ...state, [accountId]: next(before) };
      if (await store.saveControls({ state: changed, version: version + 1 })) {
        await refresh();
        return;
      }
      await refresh();
    }
  };
  return {
    /** With every advance in it, epoch milliseconds. */
    timeOf: (accountId: number): number => Math.min(base() + stateOf(accountId).offsetMs, latestTime),
    refresh,
    /** Only a restored snapshot moves a clock back. */
    advance: (accountId: number, milliseconds: number): Promise<void> =>
      change(accountId, (before) => ({ ...before, offsetMs: before.offsetMs + milliseconds })),
    plan(accountId: number) {
      const { plan, hits } = stateOf(accountId);
      return { plan, hits: plan.faults.map((_, index) => hits[index] ?? 0) };
    },
    setPlan: (accountId: number, plan: FaultPlan): Promise<void> =>
      change(accountId, (before) => ({ ...before, plan, rolls: 0, hits: plan.faults.map(() => 0) })),
    /** The fault that hits this request, or null. */
    async roll(accountId: number, endpoint: string): Promise<FaultEffect | null> {
      if (stateOf(accountId).plan.faults.length === 0) return null;
      let effect: FaultEffect | null = null;
      await change(accountId, (before) => {
        const rolled = rollOnce(before, endpoint);
        effect = before.plan.faults[rolled.hit]?.does ?? null;
        return rolled.state;
      });
      return effect;
    },
    reset: (accountId: number): Promise<void> => change(accountId, () => initialState),
  };
}
