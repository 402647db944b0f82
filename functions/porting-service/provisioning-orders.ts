// Provisioning orders of an account on a Type-A network: those of the catalogue, and those that clients made by naming them.
import { createHash } from 'node:crypto';
import type { ProvisioningOrder } from '#shared/porting/contract.ts';
import type { Account, Network } from './catalogue.ts';
import type { ServiceParts } from './service-parts.ts';

/** The number of a new order: the same for the same account, network and name, so that no counter is needed. */
export const orderNumber = (accountId: number, networkNumber: number, name: string): number =>
  100_000 +
  (createHash('sha256')
    .update(JSON.stringify([accountId, networkNumber, name]))
    .digest()
    .readUInt32BE() %
    899_900_000);

/** As the lookup shows them. */
export async function ordersOf(
  { store }: ServiceParts,
  account: Account,
  network: Network,
): Promise<ProvisioningOrder[]> {
  const listed = network.provisioningOrders.filter(({ accountId }) => accountId === account.accountId);
  const created = await store.provisioningOrders(account.accountId, network.number);
  return [
    ...listed.map(({ accountId: _, ...order }) => order),
    ...created.map(({ number, name }) => ({
      number,
      name,
      displayName: `${name} (${number})`,
      isPooled: false,
      isNetworkAccountDefault: false,
      hiremanCurrencyId: 1,
    })),
  ];
}
