// What all submissions share: the SIMs are looked up, the operation judges, and a ticket is kept with its effects.
// A submission is asynchronous (spec): its effects count a minute after it was accepted.
import type { Account, Network } from '../catalogue.ts';
import { type FieldError, problemOf } from '../problem.ts';
import type { ServiceParts } from '../service-parts.ts';
import { readSims, type Sim } from '../stock.ts';
import type { SimChange } from '../store.ts';

const effectDelayMs = 60_000;

export interface Effect {
  readonly serialNumber: string;
  readonly networkNumber: number;
  readonly change: SimChange;
}

export interface Judgement {
  readonly errors: readonly FieldError[];
  readonly effects: readonly Effect[];
}

export interface JudgeContext {
  readonly parts: ServiceParts;
  readonly account: Account;
  /** The account's own SIMs among those of the request, as they are now. */
  readonly sims: ReadonlyMap<string, Sim>;
  /** Serials among those of the request that belong to another account. */
  readonly foreign: ReadonlySet<string>;
  readonly now: number;
}

interface SubmissionRequest {
  readonly operation: string;
  readonly serialNumbers: readonly string[];
  readonly body: unknown;
}

/** Keeps the submission and answers its ticket. @throws Problem with every finding; then nothing is kept. */
export async function submit(
  parts: ServiceParts,
  account: Account,
  request: SubmissionRequest,
  judge: (context: JudgeContext) => Judgement,
): Promise<{ ticketNumber: string }> {
  const now = parts.clock();
  const found = await readSims(parts, [...new Set(request.serialNumbers)]);
  const sims = new Map([...found].filter(([, sim]) => sim.accountId === account.accountId));
  const foreign = new Set([...found.keys()].filter((serialNumber) => !sims.has(serialNumber)));
  const { errors, effects } = judge({ parts, account, sims, foreign, now });
  if (errors.length > 0) throw problemOf(errors);
  const ticketNumber = parts.random.uuid();
  const { accountId } = account;
  const events = effects.map(({ serialNumber, networkNumber, change }) => ({
    serialNumber,
    accountId,
    networkNumber,
    at: now + effectDelayMs,
    cause: { ticketNumber, change },
  }));
  await parts.store.addSubmission({ ...request, ticketNumber, accountId, createdAt: now }, events);
  return { ticketNumber };
}

interface FoundSim {
  readonly sim: Sim;
  readonly network: Network;
}

/** The SIMs of a list with their networks; a serial that is not the account's, or stands twice, is an error. */
export function findSims(
  { parts, sims }: JudgeContext,
  serialNumbers: readonly string[],
  field: string,
): { found: FoundSim[]; errors: FieldError[] } {
  const found: FoundSim[] = [];
  const errors: FieldError[] = [];
  for (const [index, serialNumber] of serialNumbers.entries()) {
    const sim = sims.get(serialNumber);
    const network = sim && parts.catalogue.network(sim.networkNumber);
    const repeated = serialNumbers.indexOf(serialNumber) < index;
    if (repeated) errors.push({ field: `${field}[${index}]`, message: `${serialNumber} is named twice` });
    else if (sim && network) found.push({ sim, network });
    else errors.push({ field: `${field}[${index}]`, message: `there is no SIM ${serialNumber} in this account` });
  }
  return { found, errors };
}

/** One effect, the same for each SIM, where there are no errors. */
export const sameEffect = (found: readonly FoundSim[], change: SimChange): Effect[] =>
  found.map(({ sim, network }) => ({ serialNumber: sim.serialNumber, networkNumber: network.number, change }));
