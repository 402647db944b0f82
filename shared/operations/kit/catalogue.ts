// What the service offers, looked up while rows are validated. Each list is fetched at most once.

import type { PortingClient } from '#shared/porting/client.ts';
import type {
  BoltOn,
  BundleSize,
  IpGroup,
  PortDetail,
  PortingNetworkType,
  ProvisioningOrder,
  ProvisioningTemplate,
  ServiceGroup,
  Tariff,
} from '#shared/porting/contract.ts';
import { NotFound } from '#shared/porting/errors.ts';
import { type NetworkCapabilities, networkCapabilities } from './network-capabilities.ts';

/** `fresh`: looked up again now, and cached from then on. */
export type Freshness = 'cached' | 'fresh';

/** Every list is in the order of the service. A failed lookup throws the client's error and is not cached. */
export interface Catalogue {
  networks(): Promise<readonly PortingNetworkType[]>;
  tariffs(networkNumber: number): Promise<readonly Tariff[]>;
  capabilities(networkNumber: number): Promise<NetworkCapabilities>;
  /** Empty for a network without provisioning orders. */
  provisioningOrders(networkNumber: number, freshness?: Freshness): Promise<readonly ProvisioningOrder[]>;
  boltOns(tariffNumber: number): Promise<readonly BoltOn[]>;
  services(networkNumber: number, tariffNumber?: number): Promise<readonly ServiceGroup[]>;
  publicIpGroups(networkNumber: number): Promise<readonly IpGroup[]>;
  staticIpGroups(networkNumber: number): Promise<readonly IpGroup[]>;
  bundleSizes(networkNumber: number): Promise<readonly BundleSize[]>;
  provisioningTemplates(networkNumber: number): Promise<readonly ProvisioningTemplate[]>;
  /** undefined: the service does not know the port. */
  port(portId: string, freshness?: Freshness): Promise<PortDetail | undefined>;
  /** The port that this product last created for a number (E.164 digits); undefined where there is none. */
  findPortByNumber(msisdn: string): Promise<string | undefined>;
}

export type FindPortByNumber = Catalogue['findPortByNumber'];

/** The part of the client that a catalogue reads. */
export type LookupClient = Pick<
  PortingClient,
  | 'networks'
  | 'tariffs'
  | 'provisioningOrders'
  | 'boltOns'
  | 'networkServices'
  | 'publicIpGroups'
  | 'staticIpGroups'
  | 'bundleSizes'
  | 'provisioningTemplates'
  | 'port'
>;

/** A file may name thousands of large ports; the rows of one port are usually next to each other. */
const cachedPorts = 100;

/** Looks up lazily, and shares parallel lookups. Create one for each import, or for each batch of requests. */
export function createCatalogue(
  client: LookupClient,
  findPortByNumber: FindPortByNumber = async () => undefined,
): Catalogue {
  const tariffs = lookUpOnce((networkNumber: number) => client.tariffs(networkNumber));
  const orders = lookUpOnce((networkNumber: number) => client.provisioningOrders(networkNumber));
  const port = lookUpOnce((portId: string) => client.port(portId).catch(absent), cachedPorts);
  return {
    networks: lookUpOnce(() => client.networks()),
    tariffs: async (networkNumber) => (await tariffs(networkNumber)).tariffs,
    capabilities: async (networkNumber) => {
      const { hasAttributes } = await tariffs(networkNumber);
      const hasOrders = hasAttributes && (await orders(networkNumber)) !== 'not-available';
      return networkCapabilities({ tariffAttributes: hasAttributes, provisioningOrders: hasOrders });
    },
    provisioningOrders: async (networkNumber, freshness) => {
      const found = await (freshness === 'fresh' ? orders.fresh(networkNumber) : orders(networkNumber));
      return found === 'not-available' ? [] : found;
    },
    boltOns: lookUpOnce((tariffNumber: number) => client.boltOns(tariffNumber)),
    services: lookUpOnce((networkNumber: number, tariffNumber?: number) =>
      client.networkServices(networkNumber, tariffNumber),
    ),
    publicIpGroups: lookUpOnce((networkNumber: number) => client.publicIpGroups(networkNumber)),
    staticIpGroups: lookUpOnce((networkNumber: number) => client.staticIpGroups(networkNumber)),
    bundleSizes: lookUpOnce((networkNumber: number) => client.bundleSizes(networkNumber)),
    provisioningTemplates: lookUpOnce((networkNumber: number) => client.provisioningTemplates(networkNumber)),
    port: (portId, freshness) => (freshness === 'fresh' ? port.fresh(portId) : port(portId)),
    findPortByNumber,
  };
}

function absent(error: unknown): undefined {
  if (error instanceof NotFound) return undefined;
  throw error;
}

/** @param most answers that are cached at a time; the oldest is removed first */
function lookUpOnce<Keys extends readonly (number | string | undefined)[], Answer>(
  lookUp: (...keys: Keys) => Promise<Answer>,
  most = Number.POSITIVE_INFINITY,
) {
  const answers = new Map<string, Promise<Answer>>();
  const fresh = (...keys: Keys): Promise<Answer> => {
    const key = keys.join('/');
    const answer = lookUp(...keys);
    answers.set(key, answer);
    const [oldest = key] = answers.keys();
    if (answers.size > most) answers.delete(oldest);
    answer.catch(() => {
      if (answers.get(key) === answer) answers.delete(key);
    });
    return answer;
  };
  return Object.assign((...keys: Keys) => answers.get(keys.join('/')) ?? fresh(...keys), { fresh });
}
