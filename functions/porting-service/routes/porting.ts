// The porting routes (spec "Porting"): networks, list, detail, create, update, cancel.
import * as z from 'zod';
import { createPortBody, portDetail, portingNetworks, portList, updatePortBody } from '#shared/porting/contract.ts';
import { type Endpoint, endpoint, numberText } from '../endpoint.ts';
import { asOfNow, networkOfPort, readPort } from '../port-now.ts';
import { cancel, createPort, update } from '../ports.ts';
import { ownAccount, type ServiceParts } from '../service-parts.ts';
import { portDetailView, portSummaryView, targetNetworkView } from '../views.ts';

const accountPath = z.object({ accountId: numberText });
const portPath = z.object({ accountId: numberText, portId: z.guid() });
const tag = 'Porting';
const portIdAnswer = z.guid().meta({ description: 'The id of the new port, a bare JSON string.' });

const page = (maximum: number, preset: number, description: string) =>
  numberText
    .pipe(z.int().min(1).max(maximum))
    .default(preset)
    .meta({ description, minimum: 1, maximum, default: preset });

const pageHeaders = z.object({
  'x-pagenumber': page(1_000_000_000, 1, 'Page to return, from 1.'),
  'x-pagesize': page(50, 50, 'Ports a page, at most 50.'),
});

const networks = ({ catalogue, clock }: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/api/porting/{accountId}/networks',
      operationId: 'getPortingNetworks',
      tag,
      summary: 'Get Porting Networks',
      takes: { path: accountPath },
      answers: { 200: { description: 'The networks by port type.', schema: portingNetworks } },
    },
    async ({ path, caller }) => {
      const account = ownAccount(catalogue, caller, path.accountId);
      const body = catalogue.data.porting.map(({ portTypeName, portType, targets }) => ({
        portTypeName,
        portType,
        targetNetworks: targets.flatMap((target) => {
          const network = catalogue.network(target.networkNumber);
          if (network === undefined || !account.networks.includes(network.number)) return [];
          const calendar = catalogue.calendar(account.accountId, network);
          return targetNetworkView(target, network, catalogue, calendar, calendar.today(clock()));
        }),
      }));
      return { status: 200, body };
    },
  );

const list = (parts: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/api/porting/{accountId}',
      operationId: 'listPorts',
      tag,
      summary: 'List Ports',
      takes: { path: accountPath, headers: pageHeaders },
      answers: { 200: { description: 'A page of ports, newest first.', schema: portList } },
    },
    async ({ path, headers, caller, listFault }) => {
      const { accountId } = ownAccount(parts.catalogue, caller, path.accountId);
      const size = headers['x-pagesize'];
      const offset = listFault.hidden + listFault.shift + (headers['x-pagenumber'] - 1) * size;
      const page = await parts.store.ports(accountId, Math.max(0, offset), size);
      const data = page.ports.map((port) => portSummaryView(asOfNow(parts, port), parts.catalogue));
      return { status: 200, body: { total: page.total, totalPages: Math.ceil(page.total / size), data } };
    },
  );

const detail = (parts: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/api/porting/{accountId}/port/{portId}',
      operationId: 'getPort',
      tag,
      summary: 'Get Port Details',
      takes: { path: portPath },
      answers: { 200: { description: 'The port with its rows.', schema: portDetail } },
    },
    async ({ path, caller }) => {
      const account = ownAccount(parts.catalogue, caller, path.accountId);
      const port = await readPort(parts, account, path.portId);
      return { status: 200, body: portDetailView(port, networkOfPort(parts, port), parts.catalogue) };
    },
  );

const create = (parts: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/api/porting/{accountId}',
      operationId: 'createPort',
      tag,
      summary: 'Create Port',
      takes: { path: accountPath, body: createPortBody },
      answers: { 201: { description: 'The port is kept.', schema: portIdAnswer } },
    },
    async ({ path, body, caller }) => {
      const account = ownAccount(parts.catalogue, caller, path.accountId);
      return { status: 201, body: await createPort(parts, account, body) };
    },
  );

const change = (parts: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'PATCH',
      path: '/api/porting/{accountId}/port/{portId}',
      operationId: 'updatePort',
      tag,
      summary: 'Update Port',
      takes: { path: portPath, body: updatePortBody },
      answers: { 202: { description: 'Accepted. All rows are changed, or none.' } },
    },
    async ({ path, body, caller }) => {
      await update(parts, ownAccount(parts.catalogue, caller, path.accountId), path.portId, body);
      return { status: 202 };
    },
  );

const remove = (parts: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'DELETE',
      path: '/api/porting/{accountId}/port/{portId}',
      operationId: 'cancelPort',
      tag,
      summary: 'Cancel Port',
      takes: { path: portPath },
      answers: { 202: { description: 'Accepted. From Submitted the cancellation takes some time.' } },
    },
    async ({ path, caller }) => {
      await cancel(parts, ownAccount(parts.catalogue, caller, path.accountId), path.portId);
      return { status: 202 };
    },
  );

export const portingRoutes = (parts: ServiceParts): Endpoint[] =>
  [networks, list, detail, create, change, remove].map((route) => route(parts));
