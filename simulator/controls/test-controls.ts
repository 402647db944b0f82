// What the test controls do to each request: late requests run first, a fault may hit it, and the journal notes it.
import type { Context } from 'hono';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Choices } from '../choices.ts';
import { fullList, type ListView } from '../http/endpoint.ts';
import { problemResponse } from '../http/problem.ts';
import type { Store } from '../store/store.ts';
import { createControls } from './controls.ts';
import { type FaultyRequest, serveWithFault } from './faults.ts';
import { createJournal } from './journal.ts';

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

export function createLateRequests() {
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
