// The faults of a soak and their times, from one seed.
import type { Fault, FaultPlan } from '#simulator/controls/faults.ts';
import type { Dice } from '../simulation/dice.ts';

export const noFaults: FaultPlan = { seed: 0, faults: [] };

/** How fast the account's clock runs: one day in 30 seconds. */
export const speed = 2_880;
/** Longer than the quiet period of the local emulator, in milliseconds of the account's clock. */
const afterQuietMs = 7_000 * speed;
const longAfterQuietMs = 25_000 * speed;
/** Longer than the time-out of a call. */
const tooLateMs = 6_000;
const retryAfters = ['0', '1', '2', 'soon'];

/** A third of the changing calls fails before or after its effect, and one in sixteen of the other calls. */
export function randomFaults(dice: Dice): FaultPlan {
  const changes = ['createPort', 'updatePort', 'sendSms'].flatMap((endpoint): Fault[] => [
    { endpoint, rate: 0.03, does: { kind: 'latency', milliseconds: tooLateMs } },
    { endpoint, rate: 0.05, does: { kind: 'rate-limited', retryAfter: dice.pick(retryAfters) } },
    { endpoint, rate: 0.04, does: { kind: 'error', status: dice.pick([500, 502, 503]), when: 'before' } },
    { endpoint, rate: 0.05, does: { kind: 'error', status: dice.pick([500, 502, 504]), when: 'after' } },
    { endpoint, rate: 0.04, does: { kind: 'reset', when: 'before' } },
    { endpoint, rate: 0.05, does: { kind: 'reset', when: 'after' } },
    { endpoint, rate: 0.05, does: { kind: 'truncated' } },
    { endpoint, rate: 0.03, does: { kind: 'expired-token' } },
    { endpoint, rate: 0.03, does: { kind: 'gateway-page', status: dice.pick([400, 403, 404]), when: 'after' } },
    { endpoint, rate: 0.02, does: { kind: 'gateway-page', status: dice.pick([400, 403, 404]), when: 'before' } },
  ]);
  // A text message that is delivered twice is sent twice: nothing can be done about it.
  const ports = ['createPort', 'updatePort'].flatMap((endpoint): Fault[] => [
    { endpoint, rate: 0.05, does: { kind: 'delivered-twice' } },
    {
      endpoint,
      rate: 0.03,
      does: { kind: 'committed-late', milliseconds: dice.between(afterQuietMs, longAfterQuietMs) },
    },
  ]);
  const wrongId: Fault = { endpoint: 'createPort', rate: 0.03, does: { kind: 'wrong-port-id' } };
  const list: Fault[] = [
    { endpoint: 'listPorts', rate: 0.2, times: 1, does: { kind: 'list-lag', ports: dice.between(1, 3) } },
    { endpoint: 'listPorts', rate: 0.2, times: 1, does: { kind: 'page-shift', ports: dice.pick([-1, 1]) } },
    { endpoint: 'listPorts', rate: 0.3, does: { kind: 'list-delay', milliseconds: afterQuietMs } },
    { endpoint: 'listPorts', rate: 0.1, does: { kind: 'empty-list' } },
  ];
  const anything = '*';
  const others: Fault[] = [
    { endpoint: anything, rate: 0.02, does: { kind: 'latency', milliseconds: dice.between(100, 1_000) } },
    { endpoint: anything, rate: 0.01, does: { kind: 'rate-limited', retryAfter: dice.pick(retryAfters) } },
    { endpoint: anything, rate: 0.01, does: { kind: 'error', status: 503, when: 'before' } },
    { endpoint: anything, rate: 0.01, does: { kind: 'reset', when: 'after' } },
    { endpoint: anything, rate: 0.01, does: { kind: 'truncated' } },
  ];
  return { seed: dice.between(1, 1_000_000), faults: [...changes, ...ports, wrongId, ...list, ...others] };
}

/** An action that repeats after random pauses between `least` and `most` milliseconds. */
export interface Recurring {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly act: () => Promise<void>;
}

/** Runs one action at a time, each when it is due, until `over`. */
export async function runRecurring(
  actions: readonly Recurring[],
  dice: Dice,
  over: () => boolean,
  pause: (milliseconds: number) => Promise<void>,
): Promise<void> {
  const next = ({ least, most }: Recurring): number => performance.now() + dice.between(least, most);
  const due = new Map(actions.map((action) => [action, next(action)]));
  while (!over()) {
    const [action, at] = [...due].toSorted(([, one], [, other]) => one - other)[0] ?? [];
    if (action === undefined || at === undefined) return;
    await pause(Math.min(500, Math.max(0, at - performance.now())));
    if (performance.now() < at) continue;
    await action.act();
    due.set(action, next(action));
  }
}
