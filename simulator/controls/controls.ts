// The test controls: a clock that can be advanced, faults, and the requests that were received. Their state is in the
// store, so that a restart, or another process on the same table, neither turns a clock back nor forgets a fault.

import type { Context } from 'hono';
import * as z from 'zod';
import { redactSecrets } from '#shared/row/redact.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Choices } from '../choices.ts';
import { problemResponse } from '../http/problem.ts';
import { fullList, type ListView } from '../http/route.ts';
import type { Store } from '../store/store.ts';
import {
  type Fault,
  type FaultEffect,
  type FaultPlan,
  type FaultyRequest,
  faultPlanSchema,
  serveWithFault,
} from './faults.ts';

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

function createControls(store: Store, base: Clock) {
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

// What the test controls do to each request: late requests run first, a fault may hit it, and the journal notes it.

async function journalBody(context: Context): Promise<unknown> {
  // As bytes: a later reader of the body may have to see that they are not UTF-8.
  const text = new TextDecoder().decode(await context.req.arrayBuffer());
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const pathOf = ({ req }: Context): string => {
  const { pathname, search } = new URL(req.url);
  return pathname + search;
};

export function createTestControls(store: Store, base: Clock, choices: Choices, newId: () => string) {
  const controls = createControls(store, base);
  const journal = createJournal();
  const late = createLateRequests();
  return {
    ...controls,
    journal,
    runLateRequests: (accountId: number): Promise<void> => late.runDue(accountId, controls.timeOf(accountId)),
    async reset(accountId: number): Promise<void> {
      journal.clear(accountId);
      late.clear(accountId);
      await controls.reset(accountId);
    },
    /** Serves one request of an account, with whatever the controls do to it. */
    async handle(
      operation: string,
      accountId: number,
      context: Context,
      serve: (list: ListView) => Promise<Response>,
      form?: unknown,
    ): Promise<Response> {
      await late.runDue(accountId, controls.timeOf(accountId));
      const at = new Date(controls.timeOf(accountId)).toISOString();
      const body = form ?? (await journalBody(context));
      const fault = await controls.roll(accountId, operation);
      const request: FaultyRequest = {
        serve,
        serveLater: async (milliseconds) =>
          late.add(accountId, controls.timeOf(accountId) + milliseconds, () => serve(fullList)),
        answerProblem: (problem) => problemResponse(problem, choices),
        newId,
      };
      const response = fault === null ? await serve(fullList) : await serveWithFault(fault, request);
      const { method } = context.req;
      const { status } = response;
      journal.add(accountId, {
        at,
        operation,
        method,
        path: pathOf(context),
        body,
        status,
        fault: fault?.kind ?? null,
      });
      return response;
    },
  };
}

export type TestControls = ReturnType<typeof createTestControls>;

interface Late {
  readonly accountId: number;
  readonly due: number;
  readonly run: () => Promise<unknown>;
}

function createLateRequests() {
  let waiting: readonly Late[] = [];
  return {
    add(accountId: number, due: number, run: () => Promise<unknown>): void {
      waiting = [...waiting, { accountId, due, run }].toSorted((one, other) => one.due - other.due);
    },
    /** Carries out what is due at `now`, in order. */
    async runDue(accountId: number, now: number): Promise<void> {
      const isDue = (late: Late): boolean => late.accountId === accountId && late.due <= now;
      const due = waiting.filter(isDue);
      waiting = waiting.filter((late) => !isDue(late));
      for (const { run } of due) await run();
    },
    clear(accountId: number): void {
      waiting = waiting.filter((late) => late.accountId !== accountId);
    },
  };
}

// The requests that a simulator has received, for assertions as "createPort was called twice with this name".

/** Older requests are forgotten. */
const mostEntries = 10_000;

export interface JournalEntry {
  /** The account's time, ISO 8601. */
  readonly at: string;
  readonly operation: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** The parsed JSON; null without a body, the text if it is not JSON. */
  readonly body: unknown;
  /** The status that was answered, whether or not the answer arrived. */
  readonly status: number;
  /** The kind of the fault that hit the request, or null. */
  readonly fault: string | null;
}

export const journalEntry = z.object({
  at: z.string(),
  operation: z.string(),
  method: z.string(),
  path: z.string(),
  body: z.unknown(),
  status: z.int(),
  fault: z.string().nullable(),
});

export const journalPattern = z.strictObject({
  operation: z.string().optional().meta({ description: 'An operationId of the OpenAPI document, or `token`.' }),
  method: z.string().optional(),
  path: z.string().optional(),
  status: z.int().optional(),
  fault: z.string().nullable().optional(),
  body: z.unknown().optional().meta({
    description:
      'Matches a body that has these fields, whatever else it has. An array matches if each of its elements does.',
  }),
});
export type JournalPattern = z.infer<typeof journalPattern>;

interface Journal {
  add(accountId: number, entry: JournalEntry): void;
  /** The matching requests, oldest first, with every PAC and secret masked. */
  find(accountId: number, pattern: JournalPattern): JournalEntry[];
  clear(accountId: number): void;
}

function matches(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected)) {
    return Array.isArray(actual) && expected.every((each) => actual.some((other) => matches(each, other)));
  }
  if (typeof expected !== 'object' || expected === null) return Object.is(expected, actual);
  if (typeof actual !== 'object' || actual === null) return false;
  return Object.entries(expected).every(
    ([name, value]) => Object.hasOwn(actual, name) && matches(value, (actual as Record<string, unknown>)[name]),
  );
}

function createJournal(): Journal {
  const byAccount = new Map<number, JournalEntry[]>();
  return {
    add(accountId, entry) {
      const entries = byAccount.get(accountId) ?? [];
      entries.push(entry);
      if (entries.length > mostEntries) entries.shift();
      byAccount.set(accountId, entries);
    },
    find: (accountId, pattern) =>
      (byAccount.get(accountId) ?? [])
        .filter((entry) => matches(pattern, entry))
        .map((entry) => ({ ...entry, body: redactSecrets(entry.body) })),
    clear: (accountId) => void byAccount.delete(accountId),
  };
}
