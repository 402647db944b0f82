// The progress of an import in counts of rows, in an order that never changes.
import { type Outcome, outcomeOrder } from '#shared/domain/imports/outcome.ts';
import { portStatusNames } from '#shared/domain/ports/port-status.ts';
import { type ImportItem, requestStates, type Tally } from '#shared/domain/requests/ledger.ts';
import { count, counted } from '#shared/domain/text/counted.ts';
import type { ImportProgress } from '#shared/read-models/answers.ts';

/** Those that differ from the name of the outcome. The successful ones come first, as `ported` or `accepted`. */
const outcomeTexts: Partial<Record<Outcome, string>> = {
  'action-required': 'action required',
  unknown: 'outcome unknown',
  'in-progress': 'in progress',
  'not-sent': 'not sent',
  rejected: 'invalid',
};

/** `120 of 320 ported, 3 action required, 185 in progress, 12 invalid` */
export function describeProgress({ operation, rows }: ImportItem, { outcomes }: ImportProgress): string {
  const success = operation === 'create-port' ? 'ported' : 'accepted';
  const succeeded = (outcomes.complete ?? 0) + (outcomes.accepted ?? 0);
  const others = outcomeOrder
    .filter((outcome) => outcome !== 'complete' && outcome !== 'accepted')
    .flatMap((outcome) => {
      const many = outcomes[outcome];
      if (many === undefined) return [];
      return [
        outcome === 'duplicate' ? counted(many, 'duplicate') : `${count(many)} ${outcomeTexts[outcome] ?? outcome}`,
      ];
    });
  return [`${count(succeeded)} of ${count(rows)} ${success}`, ...others].join(', ');
}

const order: readonly string[] = [...requestStates, ...portStatusNames];
/** A status that the specification does not name comes last. */
const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);

/** Requests by state or ports by status: `created 12, declined 1`. */
export const formatTally = (tally: Tally): string =>
  Object.entries(tally)
    .filter(([, many]) => many > 0)
    .sort(([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1))
    .map(([name, many]) => `${name} ${count(many)}`)
    .join(', ');
