// What the service offers, looked up while rows are judged: each list is fetched at most once, however many rows ask.

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

/** `kept`: as first looked up. `fresh`: asked again now, and kept from then on. */
export type Freshness = 'kept' | 'fresh';

/** Every list is in the service's order. A failed lookup throws the client's error and is not kept. */
export interface Catalogue {
  networks(): Promise<readonly PortingNetworkType[]>;
  tariffs(networkNumber: number): Promise<readonly Tariff[]>;
  /** Type-B networks have neither provisioning orders nor bolt-ons (decision 5). */
  isTypeB(networkNumber: number): Promise<boolean>;
  /** Empty for a Type-B network. */
  provisioningOrders(networkNumber: number, freshness?: Freshness): Promise<readonly ProvisioningOrder[]>;
  boltOns(tariffNumber: number): Promise<readonly BoltOn[]>;
  services(networkNumber: number, tariffNumber?: number): Promise<readonly ServiceGroup[]>;
  publicIpGroups(networkNumber: number): Promise<readonly IpGroup[]>;
  staticIpGroups(networkNumber: number): Promise<readonly IpGroup[]>;
  bundleSizes(networkNumber: number): Promise<readonly BundleSize[]>;
  provisioningTemplates(networkNumber: number): Promise<readonly ProvisioningTemplate[]>;
  /** undefined: the service knows no such port. */
  port(portId: string, freshness?: Freshness): Promise<PortDetail | undefined>;
  /** The port of ours that a number (E.164 digits) was last sent in; undefined where there is none. */
  portOf(msisdn: string): Promise<string | undefined>;
}

/** Where the numbers are that this product has sent. */
export type PortOf = Catalogue['portOf'];

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

/** A port has up to hundreds of rows, and a file may name thousands of ports; its rows tend to stand together. */
const rememberedPorts = 100;

/** A catalogue that looks up lazily; parallel askers share one call. Make a new one per import, or per batch of requests. */
export function createCatalogue(client: LookupClient, portOf: PortOf = async () => undefined): Catalogue {
  const networks = remember(() => client.networks());
  const tariffs = remember((networkNumber: number) => client.tariffs(networkNumber));
  const orders = remember((networkNumber: number) => client.provisioningOrders(networkNumber));
  const boltOns = remember((tariffNumber: number) => client.boltOns(tariffNumber));
  const services = remember((networkNumber: number, tariffNumber?: number) =>
    client.networkServices(networkNumber, tariffNumber),
  );
  const publicIpGroups = remember((networkNumber: number) => client.publicIpGroups(networkNumber));
  const staticIpGroups = remember((networkNumber: number) => client.staticIpGroups(networkNumber));
  const bundleSizes = remember((networkNumber: number) => client.bundleSizes(networkNumber));
  const port = remember((portId: string) => client.port(portId).catch(absent), rememberedPorts);
  const templates = remember((networkNumber: number) => client.provisioningTemplates(networkNumber));
  return {
    networks: () => networks('kept'),
    tariffs: async (networkNumber) => (await tariffs('kept', networkNumber)).tariffs,
    isTypeB: async (networkNumber) =>
      (await tariffs('kept', networkNumber)).typeB || (await orders('kept', networkNumber)) === 'not-available',
    provisioningOrders: async (networkNumber, freshness = 'kept') => {
      const found = await orders(freshness, networkNumber);
      return found === 'not-available' ? [] : found;
    },
    boltOns: (tariffNumber) => boltOns('kept', tariffNumber),
    services: (networkNumber, tariffNumber) => services('kept', networkNumber, tariffNumber),
    publicIpGroups: (networkNumber) => publicIpGroups('kept', networkNumber),
    staticIpGroups: (networkNumber) => staticIpGroups('kept', networkNumber),
    bundleSizes: (networkNumber) => bundleSizes('kept', networkNumber),
    provisioningTemplates: (networkNumber) => templates('kept', networkNumber),
    port: (portId, freshness = 'kept') => port(freshness, portId),
    portOf,
  };
}

function absent(error: unknown): undefined {
  if (error instanceof NotFound) return undefined;
  throw error;
}

/** @param most answers kept at a time: the oldest makes room */
function remember<Arguments extends readonly (number | string | undefined)[], Answer>(
  look: (...keys: Arguments) => Promise<Answer>,
  most = Number.POSITIVE_INFINITY,
): (freshness: Freshness, ...keys: Arguments) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (freshness, ...keys) => {
    const key = keys.join('/');
    const known = freshness === 'kept' ? answers.get(key) : undefined;
    if (known !== undefined) return known;
    const asked = look(...keys);
    answers.set(key, asked);
    const [oldest = key] = answers.keys();
    if (answers.size > most) answers.delete(oldest);
    asked.catch(() => {
      if (answers.get(key) === asked) answers.delete(key);
    });
    return asked;
  };
}
