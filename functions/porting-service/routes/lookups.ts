// The lookups for provisioning (spec "Lookups for provisioning"). `networkId` in these paths is the networkNumber (decision 1).
import * as z from 'zod';
import {
  boltOn,
  bundleSize,
  company,
  ipGroup,
  provisioningOrder,
  provisioningTemplate,
  serviceGroup,
  tariff,
} from '#shared/porting/contract.ts';
import { type Answer, type Endpoint, endpoint, numberText } from '../endpoint.ts';
import { Problem } from '../problem.ts';
import { ordersOf } from '../provisioning-orders.ts';
import { networkOf, ownAccount, type ServiceParts } from '../service-parts.ts';
import { readSims } from '../stock.ts';
import { serviceGroupView } from '../views.ts';

const tag = 'Lookups';
const accountNetworkPath = z.object({ accountId: numberText, networkId: numberText });
const networkPath = z.object({ networkId: numberText });
const ok = (body: unknown): Answer => ({ status: 200, body });

/** What a Type-A lookup answers: the list, or by the letter of the spec its first object. */
const listed = (views: readonly unknown[], { singleLookups }: ServiceParts): Answer =>
  ok(singleLookups ? (views[0] ?? null) : views);

const provisioningOrders = (parts: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/api/account/{accountId}/network/{networkId}/provisioningOrder',
      operationId: 'getProvisioningOrders',
      tag,
      summary: 'Get Provisioning Orders',
      takes: { path: accountNetworkPath },
      answers: {
        200: { description: 'The orders of a Type-A network.', schema: z.array(provisioningOrder) },
        409: { description: 'A Type-B network: `Not valid for this network`.' },
      },
    },
    async ({ path, caller }) => {
      const account = ownAccount(parts.catalogue, caller, path.accountId);
      const network = networkOf(parts.catalogue, account, path.networkId);
      if (network.type === 'B') throw new Problem(409, 'Not valid for this network');
      return ok(await ordersOf(parts, account, network));
    },
  );

const tariffs = (parts: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/api/account/{accountId}/network/{networkId}/tariff',
      operationId: 'getTariffs',
      tag,
      summary: 'Get Tariffs',
      takes: { path: accountNetworkPath },
      answers: {
        200: {
          description: 'Type-A: the tariffs. Type-B: `{result}`, without any configuration.',
          schema: z.union([z.array(tariff), tariff, z.object({ result: z.array(tariff) })]),
        },
      },
    },
    async ({ path, caller }) => {
      const { catalogue } = parts;
      const network = networkOf(catalogue, ownAccount(catalogue, caller, path.accountId), path.networkId);
      const views = network.tariffs.map(({ boltOns: _, withoutServices: __, ...view }) => view);
      if (network.type === 'A') return listed(views, parts);
      return ok({ result: views.map((view) => ({ ...view, configurationAttributes: null })) });
    },
  );

const boltOns = (parts: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/api/account/{accountId}/tariff/{tariffNumber}/boltons',
      operationId: 'getBoltOns',
      tag,
      summary: 'Get BoltOns',
      takes: { path: z.object({ accountId: numberText, tariffNumber: numberText }) },
      answers: {
        200: {
          description: 'Type-A: the bolt-ons of the tariff. Type-B: `{"result": [], "count": 0}`.',
          schema: z.union([z.array(boltOn), boltOn, z.object({ result: z.array(boltOn).max(0), count: z.literal(0) })]),
        },
      },
    },
    async ({ path, caller }) => {
      const { catalogue } = parts;
      const account = ownAccount(catalogue, caller, path.accountId);
      const known = catalogue.tariff(path.tariffNumber);
      if (known === undefined || !account.networks.includes(known.network.number)) {
        throw new Problem(404, `Account ${account.accountId} has no tariff ${path.tariffNumber}.`);
      }
      if (known.network.type === 'B') return ok({ result: [], count: 0 });
      const views = known.tariff.boltOns.flatMap((number) => {
        const { needs: _, ...view } = catalogue.boltOn(number) ?? {};
        return view;
      });
      return listed(views, parts);
    },
  );

const ipGroups = (kind: 'Public' | 'Static') => {
  return ({ catalogue }: ServiceParts): Endpoint =>
    endpoint(
      {
        method: 'GET',
        path: `/api/account/{accountId}/${kind}IpGroups/{networkId}`,
        operationId: `get${kind}IpGroups`,
        tag,
        summary: `Get ${kind} IP Groups`,
        takes: { path: accountNetworkPath },
        answers: {
          200: { description: 'The groups of a Type-A network.', schema: z.array(ipGroup) },
          409: { description: 'A Type-B network: `Not valid for this network`.' },
        },
      },
      async ({ path, caller }) => {
        const network = networkOf(catalogue, ownAccount(catalogue, caller, path.accountId), path.networkId);
        if (network.type === 'B') throw new Problem(409, 'Not valid for this network');
        return ok(kind === 'Public' ? network.publicIpGroups : network.staticIpGroups);
      },
    );
};

const simServices = (parts: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/api/sim/{serialNumber}/services',
      operationId: 'getSimServices',
      tag,
      summary: 'Get Services for SIM',
      takes: { path: z.object({ serialNumber: z.string().regex(/^\d{19,20}$/, 'expected 19 or 20 digits') }) },
      answers: { 200: { description: 'The services and what each is set to.', schema: z.array(serviceGroup) } },
    },
    async ({ path, caller }) => {
      const sim = (await readSims(parts, [path.serialNumber])).get(path.serialNumber);
      const network = sim?.accountId === caller.accountId ? parts.catalogue.network(sim.networkNumber) : undefined;
      if (sim === undefined || network === undefined) throw new Problem(404, `There is no SIM ${path.serialNumber}.`);
      const tariffOfSim = sim.tariffNumber === null ? undefined : parts.catalogue.tariff(sim.tariffNumber)?.tariff;
      const groups = parts.catalogue.serviceGroups(network, tariffOfSim);
      return ok(groups.map((group) => serviceGroupView(group, sim.services)));
    },
  );

const networkServices = ({ catalogue }: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/api/network/{networkId}/services',
      operationId: 'getNetworkServices',
      tag,
      summary: 'Get Services for network, or for network and tariff',
      takes: { path: networkPath, query: z.object({ tariffNo: numberText.optional() }) },
      answers: { 200: { description: 'The services that can be set.', schema: z.array(serviceGroup) } },
    },
    async ({ path, query, caller }) => {
      const network = networkOf(catalogue, ownAccount(catalogue, caller, caller.accountId), path.networkId);
      const found = network.tariffs.find(({ number }) => number === query.tariffNo);
      if (query.tariffNo !== undefined && found === undefined) {
        throw new Problem(404, `Network ${network.number} has no tariff ${query.tariffNo}.`);
      }
      return ok(catalogue.serviceGroups(network, found).map((group) => serviceGroupView(group)));
    },
  );

const bundleSizes = ({ catalogue }: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/api/network/{networkId}/bundleTopup',
      operationId: 'getBundleSizes',
      tag,
      summary: 'Get Bundle Sizes',
      takes: { path: networkPath },
      answers: { 200: { description: 'The sizes of bundles, in MB.', schema: z.array(bundleSize) } },
    },
    async ({ path, caller }) =>
      ok(networkOf(catalogue, ownAccount(catalogue, caller, caller.accountId), path.networkId).bundleSizes),
  );

const provisioningTemplates = ({ catalogue }: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/api/account/{accountId}/provisioningTemplates',
      operationId: 'getProvisioningTemplates',
      tag,
      summary: 'Get Provisioning Templates',
      takes: { path: z.object({ accountId: numberText }), query: z.object({ networkId: numberText }) },
      answers: { 200: { description: 'The templates of a network.', schema: z.array(provisioningTemplate) } },
    },
    async ({ path, query, caller }) =>
      ok(networkOf(catalogue, ownAccount(catalogue, caller, path.accountId), query.networkId).provisioningTemplates),
  );

const companies = ({ catalogue }: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/api/company',
      operationId: 'getCompanies',
      tag,
      summary: 'Get Companies',
      takes: {},
      answers: {
        200: {
          description: 'The companies of the account.',
          schema: z.object({ result: z.array(company), totalCount: z.int(), count: z.int() }),
        },
      },
    },
    async ({ caller }) => {
      const result = ownAccount(catalogue, caller, caller.accountId).companies;
      return ok({ result, totalCount: result.length, count: result.length });
    },
  );

export const lookupRoutes = (parts: ServiceParts): Endpoint[] =>
  [
    provisioningOrders,
    tariffs,
    boltOns,
    ipGroups('Public'),
    ipGroups('Static'),
    simServices,
    networkServices,
    bundleSizes,
    provisioningTemplates,
    companies,
  ].map((route) => route(parts));
