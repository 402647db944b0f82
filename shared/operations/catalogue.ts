// What the service offers, looked up while rows are validated. Each list is fetched at most once, or kept for some
// minutes by an instance (`keepLists`). A kept list may lack what was added since: it may accept a row, and never
// rejects one (`renew`).
import type { ScheduledNumber } from '#shared/request/waiting-request.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { PortingClient } from '#shared/service/client.ts';
import type {
  BoltOn,
  BundleSize,
  Company,
  IpGroup,
  PortDetail,
  PortingNetworkType,
  PortRow,
  ProvisioningOrder,
  ProvisioningTemplate,
  ServiceGroup,
  Tariff,
} from '#shared/service/contract.ts';
import { unlessNotFound } from '#shared/service/errors.ts';
import { describeRequest, type RequestNumber } from '#shared/text/identity.ts';

/** `fresh`: looked up again, then cached. */
export type Freshness = 'cached' | 'fresh';

/** Every list is in the order of the service. A failed lookup throws the client's error and is not cached. */
export interface Catalogue {
  /** `fresh`: not older than this catalogue. */
  networks(freshness?: Freshness): Promise<readonly PortingNetworkType[]>;
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
  companies(): Promise<readonly Company[]>;
  /** What the SIM has now; never kept. */
  simServices(serialNumber: string): Promise<readonly ServiceGroup[]>;
  /** undefined: the service does not know the port. */
  port(portId: string, freshness?: Freshness): Promise<PortDetail | undefined>;
  /** The port as it was last read, perhaps before this catalogue. undefined: the service does not know it. */
  knownPort(portId: string): Promise<ChangeablePort | undefined>;
  readonly isFirstUseOf: IsFirstUse;
  /** From now on looks up again what an earlier catalogue looked up. false: nothing is from an earlier one. */
  renew(): boolean;
  /** The port that this product last created for a number (E.164 digits); undefined where there is none. */
  findPortByNumber(msisdn: string): Promise<string | undefined>;
  /** The request of this product that waits for the day of a number (E.164 digits), so that there is no port yet. */
  findScheduled(msisdn: string): Promise<ScheduledNumber | undefined>;
}

/** Why the port of a number is not found, and what to do. */
export function describeWithoutPort(number: string, waiting: ScheduledNumber | undefined): string {
  if (waiting === undefined) return `${number} was not ported with simporter in this account. Enter its portId`;
  const sends = `${describeRequest(waiting)} sends it on ${waiting.sendOn}`;
  return `${number} has no port yet: ${sends}. To keep it from being sent, abandon that request`;
}

/** What this product knows of a number that it sends or has sent. */
export type NumberLookups = Pick<Catalogue, 'findPortByNumber' | 'findScheduled'>;

/** What decides whether a port takes a change. A reading of the table has no PACs. */
export interface ChangeablePort extends Pick<PortDetail, 'id' | 'name' | 'statusName'> {
  readonly rows: readonly Pick<PortRow, 'msisdn' | 'statusName' | 'pac'>[];
}

/**
 * Whether no other request of this product has used the name for a new provisioning order of late: an order that is
 * missing in a kept list then does not exist.
 */
export interface IsFirstUse {
  (orderName: string, networkNumber: number, request: RequestNumber): Promise<boolean>;
  /** Whether the request that used the name first may still create the order. */
  isComing(orderName: string, networkNumber: number): Promise<boolean>;
}

const neverFirst: IsFirstUse = Object.assign(async () => false, { isComing: async () => false });

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
  | 'companies'
  | 'simServices'
  | 'port'
>;

/** A file may name thousands of large ports; the rows of one port are usually next to each other. */
const cachedPorts = 100;

/** The lists that several catalogues of an instance may share. Looks up lazily, and shares parallel lookups. */
const createLists = (client: LookupClient) => ({
  networks: lookUpOnce(() => client.networks()),
  tariffs: lookUpOnce((networkNumber: number) => client.tariffs(networkNumber)),
  orders: lookUpOnce((networkNumber: number) => client.provisioningOrders(networkNumber)),
  boltOns: lookUpOnce((tariffNumber: number) => client.boltOns(tariffNumber)),
  services: lookUpOnce((networkNumber: number, tariffNumber?: number) =>
    client.networkServices(networkNumber, tariffNumber),
  ),
  publicIpGroups: lookUpOnce((networkNumber: number) => client.publicIpGroups(networkNumber)),
  staticIpGroups: lookUpOnce((networkNumber: number) => client.staticIpGroups(networkNumber)),
  bundleSizes: lookUpOnce((networkNumber: number) => client.bundleSizes(networkNumber)),
  provisioningTemplates: lookUpOnce((networkNumber: number) => client.provisioningTemplates(networkNumber)),
  companies: lookUpOnce(() => client.companies()),
});
type Lists = ReturnType<typeof createLists>;

const keptMs = 5 * 60_000;

/**
 * The lists for the next catalogue: those of the one before while they are younger than five minutes and of the same
 * day, so that an import of thousands of requests does not look them up for each batch.
 * @param day the account's day: the days on which a port can be booked depend on it
 */
export function keepLists(client: LookupClient, clock: Clock, day: () => string): () => Lists {
  let kept: { readonly lists: Lists; readonly until: number; readonly day: string } | undefined;
  return () => {
    if (kept === undefined || clock() >= kept.until || kept.day !== day()) {
      kept = { lists: createLists(client), until: clock() + keptMs, day: day() };
    }
    return kept.lists;
  };
}

export interface CatalogueOptions {
  readonly numbers?: NumberLookups;
  readonly isFirstUseOf?: IsFirstUse;
  /** @default separate lists */
  readonly lists?: Lists;
  /** Whether lists that are kept may be looked up again now. @default always */
  readonly mayRenew?: () => boolean;
}

const shortestRenewalMs = 30_000;

/** For a person who fixes rows and validates them one by one: invalid rows make no lookups for half a minute. */
export function renewRarely(clock: Clock): () => boolean {
  let renewedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock() - renewedAt < shortestRenewalMs) return false;
    renewedAt = clock();
    return true;
  };
}

const neverSent: NumberLookups = { findPortByNumber: async () => undefined, findScheduled: async () => undefined };

/** Looks up lazily, and shares parallel lookups. Create one for each import, or for each batch of requests. */
export function createCatalogue(client: LookupClient, options: CatalogueOptions = {}): Catalogue {
  const { numbers = neverSent, isFirstUseOf = neverFirst, mayRenew = () => true } = options;
  const lists = options.lists ?? createLists(client);
  const { networks, tariffs, orders, ...others } = lists;
  let isKept = Object.values(lists).some(({ isEmpty }) => !isEmpty());
  const port = lookUpOnce((portId: string) => unlessNotFound(client.port(portId)), cachedPorts);
  let freshNetworks: ReturnType<typeof networks> | undefined;
  return {
    ...others,
    simServices: (serialNumber) => client.simServices(serialNumber),
    networks: (freshness) => {
      if (freshness !== 'fresh') return networks();
      freshNetworks ??= options.lists === undefined ? networks() : networks.fresh();
      return freshNetworks;
    },
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
    port: (portId, freshness) => (freshness === 'fresh' ? port.fresh(portId) : port(portId)),
    knownPort: port,
    isFirstUseOf,
    renew: () => {
      if (!isKept || !mayRenew()) return false;
      isKept = false;
      for (const list of Object.values(lists)) list.forget();
      return true;
    },
    ...numbers,
  };
}

// Makes each lookup once, however often its answer is needed.

/**
 * The lookup, which shares its answers and the lookups in progress. A failed one is not cached. `fresh` looks up again,
 * and `forget` makes every later caller do so.
 * @param most answers that are cached at a time; the oldest is removed first
 */
export function lookUpOnce<Keys extends readonly (number | string | undefined)[], Answer>(
  lookUp: (...keys: Keys) => Promise<Answer>,
  most = Number.POSITIVE_INFINITY,
) {
  const answers = new Map<Keys[number], Promise<Answer>>();
  // Joining takes longer than all the rest, and most lookups have one key.
  const keyOf = (keys: Keys) => (keys.length === 1 ? keys[0] : keys.join('/'));
  const fresh = (...keys: Keys): Promise<Answer> => {
    const key = keyOf(keys);
    const answer = lookUp(...keys);
    answers.set(key, answer);
    const [oldest = key] = answers.keys();
    if (answers.size > most) answers.delete(oldest);
    answer.catch(() => {
      if (answers.get(key) === answer) answers.delete(key);
    });
    return answer;
  };
  const forget = (): void => answers.clear();
  const isEmpty = (): boolean => answers.size === 0;
  return Object.assign((...keys: Keys) => answers.get(keyOf(keys)) ?? fresh(...keys), { fresh, forget, isEmpty });
}

// What a network offers. The spec names two families of networks; a third one is another line of `families`.

/** What the lookups show about a network (spec gap 5). */
interface Observed {
  /** Its tariffs have pooling, legacy and bolt-on attributes. */
  readonly tariffAttributes: boolean;
  readonly provisioningOrders: boolean;
}

export interface NetworkCapabilities extends Observed {
  /** For messages and reference data. */
  readonly family: string;
  readonly boltOns: boolean;
  readonly ipGroups: boolean;
}

const typeA = { family: 'A', tariffAttributes: true, provisioningOrders: true, boltOns: true, ipGroups: true };
const typeB = { family: 'B', tariffAttributes: false, provisioningOrders: false, boltOns: false, ipGroups: false };
const families: readonly NetworkCapabilities[] = [typeA, typeB];

/** The family that offers what was observed; the family that offers least, if none matches. */
const networkCapabilities = (observed: Observed): NetworkCapabilities =>
  families.find(
    ({ tariffAttributes, provisioningOrders }) =>
      tariffAttributes === observed.tariffAttributes && provisioningOrders === observed.provisioningOrders,
  ) ?? typeB;
