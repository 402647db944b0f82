// What holds at the end of each test of the steps, whatever the test is about: the invariants of the simulation and
// the ledger, which never goes back.
import { isDeepStrictEqual } from 'node:util';
import { onTestFinished } from 'vitest';
import type { RequestItem } from '#shared/request/request.ts';
import { tokenOfPortName } from '#shared/text/identity.ts';
import type { Port } from '#simulator/ports/port.ts';
import { nameElsewhere, violationsNow } from '../chaos/invariants.ts';
import { watchLedger } from '../chaos/ledger-watch.ts';
import type { Outcome } from '../chaos/outcome.ts';
import type { Item } from '../support/in-memory/expression.ts';

export interface Observed {
  readonly items: readonly Item[];
  /** The ports as the service shows them. */
  readonly ports: readonly Port[];
  readonly text: (bucket: string, key: string) => string;
  readonly places: readonly string[];
  /** All that was logged. */
  readonly spoken: readonly string[];
  /** Where plans are. */
  readonly workBucket: string;
}

export interface EndOfTest {
  readonly onWrite: (before: Item | undefined, after: Item | undefined) => void;
  /** The test breaks an invariant on purpose: a violation that contains `text` must be found. */
  breaks(text: string): void;
}

/** @param observe reads everything at the end of the test */
export function checkAtEnd(observe: () => Promise<Observed>): EndOfTest {
  const found = new Set<string>();
  const stated: string[] = [];
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') return;
    const violations = [...found, ...violationsNow(outcomeOf(await observe()))];
    const unexpected = violations.filter((violation) => !stated.some((text) => violation.includes(text)));
    const missing = stated.filter((text) => !violations.some((violation) => violation.includes(text)));
    if (isDeepStrictEqual([unexpected, missing], [[], []])) return;
    throw new Error([...unexpected, ...missing.map((text) => `no violation contains ${text}`)].join('\n'));
  });
  return { onWrite: watchLedger((violation) => found.add(violation)), breaks: (text) => void stated.push(text) };
}

function outcomeOf({ items, ports, text, places, spoken, workBucket }: Observed): Outcome {
  const requests = items.filter(({ sk }) => String(sk).startsWith('request#')) as unknown as RequestItem[];
  const plans = new Map<string, Buffer>();
  const rows = requests.flatMap((request) => {
    const { key } = request.plan;
    const plan = plans.get(key) ?? Buffer.from(text(workBucket, key));
    plans.set(key, plan);
    return plannedRows(request, plan);
  });
  const nothing = new Map<never, never>();
  return {
    isWhole: false,
    uploads: [],
    items,
    servicePorts: ports.map((port) =>
      tokenOfPortName(port.name) === undefined ? { ...port, name: nameElsewhere } : port,
    ),
    planned: new Set(rows.map(({ subject }) => subject)),
    lateTokens: new Set(),
    forgottenPorts: new Set(),
    cancelledByHand: nothing,
    shownAt: nothing,
    text,
    places,
    uploadsLeft: [],
    spoken,
    secrets: [...new Set(rows.flatMap(({ wire }) => wire?.pac ?? []))],
  };
}

interface Row {
  readonly subject: string;
  readonly wire: { readonly pac?: string | null } | null;
}

/** An expired plan has no rows. */
function plannedRows({ plan: { start, end } }: RequestItem, plan: Buffer): readonly Row[] {
  const bytes = plan.subarray(start, end);
  return bytes.length === 0 ? [] : (JSON.parse(bytes.toString('utf8')) as { rows: readonly Row[] }).rows;
}
