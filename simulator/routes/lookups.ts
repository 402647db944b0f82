// The lookups (spec "Lookups for provisioning"). `networkId` in these paths is the networkNumber (spec gap 1).
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
} from '#shared/service/contract.ts';
import { type Dependencies, networkOf, ownAccount } from '../dependencies.ts';
import { Problem } from '../http/problem.ts';
import { serviceGroupBody } from '../http/response-bodies.ts';
import { type Answer, type Endpoint, endpointsOf, numberText, problemAnswer } from '../http/route.ts';
import { ordersOf, readSims } from '../sims/sims.ts';
import * as examples from './examples.ts';

const endpoint = endpointsOf('Lookups');
const accountNetworkPath = z.object({ accountId: numberText, networkId: numberText });
const networkPath = z.object({ networkId: numberText });
const ok = (body: unknown): Answer => ({ status: 200, body });

/** What a Type-A lookup answers: the list, or by the letter of the spec one object. */
const listed = (views: readonly unknown[], { choices }: Dependencies): Answer =>
  ok(choices['single-lookups'] === 'on' ? (views[0] ?? null) : views);

const otherAccount = problemAnswer('The account of another client.', 'This client has no access to account 1002.');
const noSuchNetwork = problemAnswer('The account has no such network.', 'Account 1001 has no network 999.');
const typeB = problemAnswer('A Type-B network.', 'Not valid for this network');
const accountNetworkExample = { path: { accountId: 1001, networkId: 101 } };

const provisioningOrders = (dependencies: Dependencies): Endpoint =>
  endpoint(
    {
      at: 'GET /api/account/{accountId}/network/{networkId}/provisioningOrder',
      operationId: 'getProvisioningOrders',
      summary: 'Get Provisioning Orders',
      accepts: { path: accountNetworkPath },
      answers: {
        200: {
          description: 'The orders of a Type-A network.',
          schema: z.array(provisioningOrder),
          example: examples.provisioningOrders,
        },
        403: otherAccount,
        404: noSuchNetwork,
        409: typeB,
      },
      example: accountNetworkExample,
    },
    async ({ path, caller }) => {
      const account = ownAccount(dependencies.catalogue, caller, path.accountId);
      const network = networkOf(dependencies.catalogue, account, path.networkId);
      if (network.type === 'B') throw new Problem(409, 'Not valid for this network');
      return ok(await ordersOf(dependencies, account, network));
    },
  );

const tariffs = (dependencies: Dependencies): Endpoint =>
  endpoint(
    {
      at: 'GET /api/account/{accountId}/network/{networkId}/tariff',
      operationId: 'getTariffs',
      summary: 'Get Tariffs',
      accepts: { path: accountNetworkPath },
      answers: {
        200: {
          description: 'Type-A: the tariffs. Type-B: `{result}`, without any configuration.',
          schema: z.union([z.array(tariff), tariff, z.object({ result: z.array(tariff) })]),
          example: examples.tariffs,
        },
        403: otherAccount,
        404: noSuchNetwork,
      },
      example: accountNetworkExample,
    },
    async ({ path, caller }) => {
      const { catalogue } = dependencies;
      const network = networkOf(catalogue, ownAccount(catalogue, caller, path.accountId), path.networkId);
      const views = network.tariffs.map(({ boltOns: _, withoutServices: __, ...view }) => view);
      if (network.type === 'A') return listed(views, dependencies);
      return ok({ result: views.map((view) => ({ ...view, configurationAttributes: null })) });
    },
  );

const boltOns = (dependencies: Dependencies): Endpoint =>
  endpoint(
    {
      at: 'GET /api/account/{accountId}/tariff/{tariffNumber}/boltons',
      operationId: 'getBoltOns',
      summary: 'Get BoltOns',
      accepts: { path: z.object({ accountId: numberText, tariffNumber: numberText }) },
      answers: {
        200: {
          description: 'Type-A: the bolt-ons of the tariff. Type-B: `{"result": [], "count": 0}`.',
          schema: z.union([z.array(boltOn), boltOn, z.object({ result: z.array(boltOn).max(0), count: z.literal(0) })]),
          example: examples.boltOns,
        },
        403: otherAccount,
        404: problemAnswer('The account has no such tariff.', 'Account 1001 has no tariff 9999.'),
      },
      example: { path: { accountId: 1001, tariffNumber: 2001 } },
    },
    async ({ path, caller }) => {
      const { catalogue } = dependencies;
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
      return listed(views, dependencies);
    },
  );

const ipGroups = (kind: 'Public' | 'Static') => {
  return ({ catalogue, choices }: Dependencies): Endpoint =>
    endpoint(
      {
        at: `GET /api/account/{accountId}/${kind}IpGroups/{networkId}`,
        operationId: `get${kind}IpGroups`,
        summary: `Get ${kind} IP Groups`,
        accepts: { path: accountNetworkPath },
        answers: {
          200: {
            description: 'The groups of a Type-A network.',
            schema: z.array(ipGroup),
            example: examples.ipGroups,
          },
          403: otherAccount,
          404: noSuchNetwork,
          409: typeB,
        },
        example: accountNetworkExample,
      },
      async ({ path, caller }) => {
        const network = networkOf(catalogue, ownAccount(catalogue, caller, path.accountId), path.networkId);
        if (network.type === 'B' && choices['type-b-ip-groups'] !== '200') {
          throw new Problem(Number(choices['type-b-ip-groups']), 'Not valid for this network');
        }
        return ok(kind === 'Public' ? network.publicIpGroups : network.staticIpGroups);
      },
    );
};

const simServices = (dependencies: Dependencies): Endpoint =>
  endpoint(
    {
      at: 'GET /api/sim/{serialNumber}/services',
      operationId: 'getSimServices',
      summary: 'Get Services for SIM',
      accepts: { path: z.object({ serialNumber: z.string().regex(/^\d{19,20}$/, 'expected 19 or 20 digits') }) },
      answers: {
        200: {
          description: 'The services, and the value of each.',
          schema: z.array(serviceGroup),
          example: examples.simServices,
        },
        404: problemAnswer('The account has no such SIM.', 'There is no SIM 8944001011001000019.'),
      },
      example: { path: { serialNumber: '89440010110010000104' } },
    },
    async ({ path, caller }) => {
      const sim = (await readSims(dependencies, [path.serialNumber])).get(path.serialNumber);
      const network =
        sim?.accountId === caller.accountId ? dependencies.catalogue.network(sim.networkNumber) : undefined;
      if (sim === undefined || network === undefined) throw new Problem(404, `There is no SIM ${path.serialNumber}.`);
      const tariffOfSim =
        sim.tariffNumber === null ? undefined : dependencies.catalogue.tariff(sim.tariffNumber)?.tariff;
      const groups = dependencies.catalogue.serviceGroups(network, tariffOfSim);
      return ok(groups.map((group) => serviceGroupBody(group, sim.services)));
    },
  );

const networkServices = ({ catalogue }: Dependencies): Endpoint =>
  endpoint(
    {
      at: 'GET /api/network/{networkId}/services',
      operationId: 'getNetworkServices',
      summary: 'Get Services for network, or for network and tariff',
      accepts: { path: networkPath, query: z.object({ tariffNo: numberText.optional() }) },
      answers: {
        200: {
          description: 'The services that can be set.',
          schema: z.array(serviceGroup),
          example: examples.networkServices,
        },
        404: problemAnswer(
          'The account has no such network, or the network no such tariff.',
          'Account 1001 has no network 999.',
        ),
      },
      example: { path: { networkId: 101 }, query: { tariffNo: 2001 } },
    },
    async ({ path, query, caller }) => {
      const network = networkOf(catalogue, ownAccount(catalogue, caller, caller.accountId), path.networkId);
      const found = network.tariffs.find(({ number }) => number === query.tariffNo);
      if (query.tariffNo !== undefined && found === undefined) {
        throw new Problem(404, `Network ${network.number} has no tariff ${query.tariffNo}.`);
      }
      return ok(catalogue.serviceGroups(network, found).map((group) => serviceGroupBody(group)));
    },
  );

const bundleSizes = ({ catalogue }: Dependencies): Endpoint =>
  endpoint(
    {
      at: 'GET /api/network/{networkId}/bundleTopup',
      operationId: 'getBundleSizes',
      summary: 'Get Bundle Sizes',
      accepts: { path: networkPath },
      answers: {
        200: {
          description: 'The sizes of bundles, in MB.',
          schema: z.array(bundleSize),
          example: examples.bundleSizes,
        },
        404: noSuchNetwork,
      },
      example: { path: { networkId: 218 } },
    },
    async ({ path, caller }) =>
      ok(networkOf(catalogue, ownAccount(catalogue, caller, caller.accountId), path.networkId).bundleSizes),
  );

const provisioningTemplates = ({ catalogue }: Dependencies): Endpoint =>
  endpoint(
    {
      at: 'GET /api/account/{accountId}/provisioningTemplates',
      operationId: 'getProvisioningTemplates',
      summary: 'Get Provisioning Templates',
      accepts: { path: z.object({ accountId: numberText }), query: z.object({ networkId: numberText }) },
      answers: {
        200: {
          description: 'The templates of a network.',
          schema: z.array(provisioningTemplate),
          example: examples.provisioningTemplates,
        },
        403: otherAccount,
        404: noSuchNetwork,
      },
      example: { path: { accountId: 1001 }, query: { networkId: 218 } },
    },
    async ({ path, query, caller }) =>
      ok(networkOf(catalogue, ownAccount(catalogue, caller, path.accountId), query.networkId).provisioningTemplates),
  );

const companies = ({ catalogue }: Dependencies): Endpoint =>
  endpoint(
    {
      at: 'GET /api/company',
      operationId: 'getCompanies',
      summary: 'Get Companies',
      accepts: {},
      answers: {
        200: {
          description: 'The companies of the account.',
          schema: z.object({ result: z.array(company), totalCount: z.int(), count: z.int() }),
          example: examples.companies,
        },
      },
    },
    async ({ caller }) => {
      const result = ownAccount(catalogue, caller, caller.accountId).companies;
      return ok({ result, totalCount: result.length, count: result.length });
    },
  );

export const lookupRoutes = (dependencies: Dependencies): Endpoint[] =>
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
  ].map((route) => route(dependencies));
