// What all requests of an import come to: counts, and the state of the import that follows from them.
import type { ImportState, RequestItem, Tally } from './ledger.ts';
import { normaliseStatus } from './lifecycle.ts';
import { isUnsent } from './request-state.ts';

export interface RollUp {
  readonly state: ImportState;
  readonly requests: Tally;
  /** By status name, as the service writes it. */
  readonly ports: Tally;
  /** Rows that wait for a person. */
  readonly attention: number;
  readonly withdrawnRows: number;
  /** Ports that go on without the lines that were taken out of them. */
  readonly freedPorts: number;
  /** Grows with every change of any request. */
  readonly ledgerRevision: number;
}

/** Adds request after request in any order; `expected` is how many the plan has. */
export async function rollUp(
  requests: AsyncIterable<RequestItem> | Iterable<RequestItem>,
  expected: number,
): Promise<RollUp> {
  const byState = new Map<string, number>();
  const byStatus = new Map<string, number>();
  let [seen, unsent, ended, attention, withdrawnRows, freedPorts, ledgerRevision] = [0, 0, 0, 0, 0, 0, 0];
  for await (const item of requests) {
    seen += 1;
    count(byState, item.state);
    if (item.portStatus !== undefined) count(byStatus, item.portStatus);
    if (isUnsent(item.state)) unsent += 1;
    if (item.endedAt !== undefined) ended += 1;
    attention += item.state === 'needs-human' ? item.rowCount : (item.attention ?? 0);
    withdrawnRows += item.withdrawn?.length ?? 0;
    if (isFreed(item)) freedPorts += 1;
    ledgerRevision += item.revision ?? 0;
  }
  const tallies = { requests: Object.fromEntries(byState), ports: Object.fromEntries(byStatus) };
  const state = stateOf(unsent > 0 || seen < expected, ended === seen);
  return { state, ...tallies, attention, withdrawnRows, freedPorts, ledgerRevision };
}

/** The gate opened, so its evicted lines are cancelled by now. */
const isFreed = ({ evicted, portStatus = '' }: RequestItem): boolean =>
  evicted !== undefined && normaliseStatus(portStatus) !== 'paccheckfailed';

const count = (tally: Map<string, number>, name: string): void => {
  tally.set(name, (tally.get(name) ?? 0) + 1);
};

function stateOf(someUnsent: boolean, allEnded: boolean): ImportState {
  if (someUnsent) return 'submitting';
  return allEnded ? 'completed' : 'following';
}
