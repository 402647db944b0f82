// What all submissions share: the SIMs are read, the operation is checked, and a ticket is kept with its effects.
// A submission is asynchronous (spec): its effects count one minute after it was accepted.
import type { Account, Network } from '../catalogue/catalogue.ts';
import type { Dependencies } from '../dependencies.ts';
import { type FieldError, problemOf } from '../http/problem.ts';
import { checkNumberOwners } from '../ports/number-owners.ts';
import { onStockRecords } from '../ports/validate-port.ts';
import { readSims, type Sim } from '../sims/sims.ts';
import type { SimChange } from '../store/store.ts';

const effectDelayMs = 60_000;

export interface Effect {
  readonly serialNumber: string;
  readonly networkNumber: number;
  readonly change: SimChange;
}

export interface SubmissionCheck {
  readonly errors: readonly FieldError[];
  readonly effects: readonly Effect[];
}

export interface ValidationContext {
  readonly catalogue: Dependencies['catalogue'];
  readonly choices: Dependencies['choices'];
  readonly account: Account;
  /** The account's SIMs among those of the request, as they are now. */
  readonly sims: ReadonlyMap<string, Sim>;
  /** Serial numbers in the request that belong to another account. */
  readonly foreign: ReadonlySet<string>;
  readonly now: number;
}

/** A number that a SIM of the request gets. */
export interface NumberRequest {
  readonly serialNumber: string;
  readonly msisdn: string;
  /** E.164 digits; null if it is not a number. */
  readonly number: string | null;
  /** Its place in the request. */
  readonly field: string;
}

interface SubmissionRequest {
  readonly operation: string;
  readonly serialNumbers: readonly string[];
  readonly body: unknown;
  readonly numbers?: readonly NumberRequest[];
}

/** Keeps the submission and returns its ticket. @throws Problem with every finding; then nothing is kept */
export async function submit(
  dependencies: Dependencies,
  account: Account,
  request: SubmissionRequest,
  check: (context: ValidationContext) => SubmissionCheck,
): Promise<{ ticketNumber: string }> {
  const { catalogue, choices, store, random } = dependencies;
  const { operation, serialNumbers, body, numbers = [] } = request;
  const { accountId } = account;
  const now = dependencies.timeOf(accountId);
  const found = await readSims(dependencies, [...new Set(serialNumbers)]);
  const sims = new Map([...found].filter(([, sim]) => sim.accountId === accountId));
  const foreign = new Set([...found.keys()].filter((serialNumber) => !sims.has(serialNumber)));
  const owners = await checkNumberOwners(dependencies, account, numbers);
  const { errors, effects } = check({ catalogue, choices, account, sims, foreign, now });
  const conflicts = owners.conflicts.map(({ index, error }) => ({ ...error, field: numbers[index]?.field ?? '' }));
  if (errors.length + conflicts.length > 0) throw problemOf([...errors, ...conflicts]);

  const ticketNumber = random.uuid();
  const simEvents = effects.map(({ serialNumber, networkNumber, change }) => ({
    serialNumber,
    accountId,
    networkNumber,
    at: now + effectDelayMs,
    cause: { ticketNumber, change },
  }));
  const taken = await store.addSubmission({
    submission: { operation, serialNumbers, body, ticketNumber, accountId, createdAt: now },
    simEvents,
    numbers: new Map(numbers.flatMap(({ number, serialNumber }) => (number ? [[number, serialNumber]] : []))),
    released: owners.released,
  });
  if (taken.length > 0) throw problemOf(taken.map((number) => onStockRecords(number, 'stock')));
  return { ticketNumber };
}

interface FoundSim {
  readonly sim: Sim;
  readonly network: Network;
}

/** The SIMs of a list with their networks. A serial that is not the account's, or is listed twice, is an error. */
export function findSims(
  { catalogue, sims }: ValidationContext,
  serialNumbers: readonly string[],
  field: string,
): { found: FoundSim[]; errors: FieldError[] } {
  const found: FoundSim[] = [];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, serialNumber] of serialNumbers.entries()) {
    const sim = sims.get(serialNumber);
    const network = sim && catalogue.network(sim.networkNumber);
    if (seen.has(serialNumber)) errors.push({ field: `${field}[${index}]`, message: `${serialNumber} is named twice` });
    else if (sim && network) found.push({ sim, network });
    else errors.push({ field: `${field}[${index}]`, message: `there is no SIM ${serialNumber} in this account` });
    seen.add(serialNumber);
  }
  return { found, errors };
}

/** The same effect for each SIM. */
export const sameEffect = (found: readonly FoundSim[], change: SimChange): Effect[] =>
  found.map(({ sim, network }) => ({ serialNumber: sim.serialNumber, networkNumber: network.number, change }));
