// The faults that the page offers. The simulator knows more: its documentation lists them.
import type { BodyInput } from '#functions/api/contract.ts';

export const faultPlans = {
  none: { seed: 1, faults: [] },
  outage: { seed: 1, faults: [{ endpoint: '*', does: { kind: 'error', status: 503, when: 'before' } }] },
  slow: { seed: 1, faults: [{ endpoint: '*', does: { kind: 'latency', milliseconds: 2_000 } }] },
  unknown: { seed: 1, faults: [{ endpoint: 'createPort', times: 1, does: { kind: 'reset', when: 'after' } }] },
} satisfies Record<string, BodyInput<'setFaults'>>;

export type FaultName = keyof typeof faultPlans;

/** null: faults that a program has set. */
export function faultNameOf(faults: readonly object[]): FaultName | null {
  const kinds = faults.map((fault) => ('does' in fault ? (fault.does as { kind?: string }).kind : undefined));
  const found = (Object.keys(faultPlans) as FaultName[]).find((name) => {
    const planned: readonly { readonly does: { readonly kind: string } }[] = faultPlans[name].faults;
    return planned.length === kinds.length && planned.every(({ does }, index) => does.kind === kinds[index]);
  });
  return found ?? null;
}
