// What the use cases of the simulator work with.
import type { Account, Catalogue, Network } from './catalogue/catalogue.ts';
import type { Choices } from './choices.ts';
import { Problem } from './http/problem.ts';
import type { Caller } from './http/route.ts';
import type { Store } from './store/store.ts';

/** Where ids come from. */
export interface Random {
  /** A version 4 UUID. */
  uuid(): string;
}

export interface Dependencies {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly choices: Choices;
  /** The time by which the ports and SIMs of an account live, epoch milliseconds. */
  readonly timeOf: (accountId: number) => number;
  readonly random: Random;
  /** Runs changes of one thing one after another. */
  readonly serialise: SerialiseByKey;
}

/** The account in the path, if it is the caller's. @throws Problem 403 */
export function ownAccount(catalogue: Catalogue, caller: Caller, accountId: number): Account {
  const account = accountId === caller.accountId ? catalogue.account(accountId) : undefined;
  if (account === undefined) throw new Problem(403, `This client has no access to account ${accountId}.`);
  return account;
}

/** A network of the account, by its networkNumber. @throws Problem 404 */
export function networkOf(catalogue: Catalogue, account: Account, networkNumber: number): Network {
  const network = account.networks.includes(networkNumber) ? catalogue.network(networkNumber) : undefined;
  if (network === undefined) throw new Problem(404, `Account ${account.accountId} has no network ${networkNumber}.`);
  return network;
}

// Runs pieces of work with the same key one after another, so that parallel requests do not overwrite each other.

type SerialiseByKey = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function createSerialiseByKey(): SerialiseByKey {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
