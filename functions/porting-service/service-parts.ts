// What every route works with, gathered once when the service is made.
import type { Clock } from '#shared/runtime/clock.ts';
import type { Account, Catalogue, Network } from './catalogue.ts';
import type { Caller } from './endpoint.ts';
import { Problem } from './problem.ts';
import type { Store } from './store.ts';

/** Where ids come from. */
export interface Random {
  /** A version 4 UUID. */
  uuid(): string;
}

export interface ServiceParts {
  readonly store: Store;
  readonly catalogue: Catalogue;
  /** The calendar's time, epoch milliseconds. */
  readonly clock: Clock;
  readonly random: Random;
  /** Type-A tariffs and bolt-ons as one object instead of an array, as the letter of the spec has it (decision 3). */
  readonly singleLookups: boolean;
}

/** The account in the path, where it is the caller's own. @throws Problem 403 */
export function ownAccount(catalogue: Catalogue, caller: Caller, accountId: number): Account {
  const account = accountId === caller.accountId ? catalogue.account(accountId) : undefined;
  if (account === undefined) throw new Problem(403, `This client has no access to account ${accountId}.`);
  return account;
}

/** A network the account has, by its networkNumber. @throws Problem 404 */
export function networkOf(catalogue: Catalogue, account: Account, networkNumber: number): Network {
  const network = account.networks.includes(networkNumber) ? catalogue.network(networkNumber) : undefined;
  if (network === undefined) throw new Problem(404, `Account ${account.accountId} has no network ${networkNumber}.`);
  return network;
}
