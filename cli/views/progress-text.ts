// Counts of requests and ports, in an order that never changes.
import { portStatusNames } from '#shared/domain/ports/port-status.ts';
import { count } from '#shared/domain/text/counted.ts';
import type { Tally } from '#shared/items/fields.ts';
import { requestStates } from '#shared/items/request.ts';

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
