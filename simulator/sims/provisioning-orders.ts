// Provisioning orders of an account on a Type-A network: those of the catalogue, and those that requests created.
import { createHash } from 'node:crypto';
import type { ProvisioningOrder } from '#shared/service/contract.ts';
import type { Account, Network } from '../catalogue/catalogue.ts';
import type { Dependencies } from '../dependencies.ts';

/** Derived from account, network and name, so that no counter is needed. */
export const orderNumber = (accountId: number, networkNumber: number, name: string): number =>
  100_000 +
  (createHash('sha256')
    .update(JSON.stringify([accountId, networkNumber, name]))
    .digest()
    .readUInt32BE() %
    899_900_000);

/** As the lookup shows them. */
export async function ordersOf(
  { store }: Pick<Dependencies, 'store'>,
  account: Account,
  network: Network,
): Promise<ProvisioningOrder[]> {
  const listed = network.provisioningOrders.filter(({ accountId }) => accountId === account.accountId);
  const created = await store.provisioningOrders(account.accountId, network.number);
  const byNumber = created.toSorted((one, other) => one.number - other.number);
  return [
    ...listed.map(({ accountId: _, ...order }) => order),
    ...byNumber.map(({ number, name }) => ({
      number,
      name,
      displayName: `${name} (${number})`,
      isPooled: false,
      isNetworkAccountDefault: false,
      hiremanCurrencyId: 1,
    })),
  ];
}

/** Keeps the orders that requests named for the first time. Type-B networks have none. */
export async function keepNewOrders(
  { store }: Pick<Dependencies, 'store'>,
  accountId: number,
  network: Network,
  names: Iterable<string | null | undefined>,
): Promise<void> {
  if (network.type === 'B') return;
  for (const name of new Set(names)) {
    if (!name) continue;
    const number = orderNumber(accountId, network.number, name);
    await store.addProvisioningOrder({ accountId, networkNumber: network.number, number, name });
  }
}
