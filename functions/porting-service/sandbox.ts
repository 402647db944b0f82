// Rehearsal: a clock that can be moved forward and faults that can be asked for. Its state is kept in the store, so that a
// restart, or another process on the same table, neither turns the clock back nor forgets a fault.
import * as z from 'zod';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Store } from './store.ts';

/** What goes wrong with a request that a fault has hit; `when` says on which side of the request's effect. */
export const faultSchema = z.object({
  endpoint: z
    .string()
    .default('*')
    .meta({ description: 'An operationId of the OpenAPI document, `token`, or `*` for every endpoint.' }),
  rate: z.number().min(0).max(1).default(1).meta({ description: 'The share of requests that are hit.' }),
  times: z.int().min(1).optional().meta({ description: 'Ends after so many hits.' }),
  does: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('latency'), milliseconds: z.int().min(0) }),
    z.object({ kind: z.literal('rate-limited'), retryAfter: z.string().default('1') }),
    z.object({
      kind: z.literal('error'),
      status: z.int().min(500).max(599).default(500),
      when: z.enum(['before', 'after']),
    }),
    z.object({ kind: z.literal('reset'), when: z.enum(['before', 'after']) }),
    z.object({ kind: z.literal('truncated') }),
    z.object({ kind: z.literal('expired-token') }),
    z.object({ kind: z.literal('list-lag'), ports: z.int().min(1).default(1) }),
    z.object({ kind: z.literal('page-shift'), ports: z.int().default(1) }),
  ]),
});
export type Fault = z.infer<typeof faultSchema>;
export type FaultEffect = Fault['does'];

export const faultPlanSchema = z.object({
  seed: z.int().default(1).meta({ description: 'The same seed and the same requests give the same hits.' }),
  faults: z.array(faultSchema),
});
export type FaultPlan = z.infer<typeof faultPlanSchema>;

const stateSchema = z.object({
  offsetMs: z.number(),
  plan: faultPlanSchema,
  /** Requests rolled for so far, and hits by fault: the place in the seeded sequence. */
  rolls: z.int(),
  hits: z.array(z.int()),
});
type SandboxState = z.infer<typeof stateSchema>;

const calm: SandboxState = { offsetMs: 0, plan: { seed: 1, faults: [] }, rolls: 0, hits: [] };

export interface Sandbox {
  /** The ports' clock with every advance in it. */
  readonly clock: Clock;
  /** Reads what other processes may have changed; called before each request. */
  refresh(): Promise<void>;
  advance(milliseconds: number): Promise<void>;
  plan(): { readonly plan: FaultPlan; readonly hits: readonly number[] };
  setPlan(plan: FaultPlan): Promise<void>;
  /** The fault that hits this request, if one does. Counts as a roll of the dice. */
  roll(endpoint: string): Promise<FaultEffect | null>;
  reset(): Promise<void>;
}

/** The n-th number of a seeded sequence, at least 0 and below 1 (a 32-bit integer hash). */
export function seededNumber(seed: number, n: number): number {
  let bits = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(n + 1, 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

export function createSandbox(store: Store, base: Clock): Sandbox {
  let state = calm;
  const keep = async (changed: SandboxState): Promise<void> => {
    state = changed;
    await store.saveSandbox(changed);
  };
  const applies = (fault: Fault, index: number, endpoint: string): boolean =>
    (fault.endpoint === '*' || fault.endpoint === endpoint) && (state.hits[index] ?? 0) < (fault.times ?? Infinity);
  return {
    clock: () => base() + state.offsetMs,
    async refresh() {
      const stored = await store.sandbox();
      state = stored === null ? calm : stateSchema.parse(stored);
    },
    advance: (milliseconds) => keep({ ...state, offsetMs: state.offsetMs + milliseconds }),
    plan: () => ({ plan: state.plan, hits: state.plan.faults.map((_, index) => state.hits[index] ?? 0) }),
    setPlan: (plan) => keep({ ...state, plan, rolls: 0, hits: plan.faults.map(() => 0) }),
    async roll(endpoint) {
      const candidates = state.plan.faults.entries().filter(([index, fault]) => applies(fault, index, endpoint));
      let { rolls } = state;
      for (const [index, fault] of candidates) {
        const isHit = seededNumber(state.plan.seed, rolls) < fault.rate;
        rolls += 1;
        if (!isHit) continue;
        await keep({
          ...state,
          rolls,
          hits: state.plan.faults.map((_, at) => (state.hits[at] ?? 0) + (at === index ? 1 : 0)),
        });
        return fault.does;
      }
      if (rolls !== state.rolls) await keep({ ...state, rolls });
      return null;
    },
    reset: () => keep(calm),
  };
}
