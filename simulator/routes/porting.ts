// The porting routes (spec "Porting"): networks, list, detail, create, update, cancel.
import * as z from 'zod';
import { createPortBody, portDetail, portingNetworks, portList, updatePortBody } from '#shared/service/contract.ts';
import type { Choices } from '../choices.ts';
import { type Dependencies, ownAccount } from '../dependencies.ts';
import { portDetailBody, targetNetworkBody } from '../http/response-bodies.ts';
import { type AnswerShape, type Endpoint, endpointsOf, numberText, problemAnswer } from '../http/route.ts';
import { cancel, createPort, update } from '../ports/change-ports.ts';
import { listPorts, networkOfPort, readPort } from '../ports/read-ports.ts';
import * as examples from './examples.ts';

const accountPath = z.object({ accountId: numberText });
const portPath = z.object({ accountId: numberText, portId: z.guid() });
const endpoint = endpointsOf('Porting');
const portIdAnswer = z.guid().meta({ description: 'The id of the new port, a bare JSON string.' });

const otherAccount: AnswerShape = problemAnswer(
  'The account of another client.',
  'This client has no access to account 1002.',
);
const noSuchPort: AnswerShape = problemAnswer('The account has no such port.', `There is no port ${examples.portId}.`);

function pageHeaders(choices: Choices) {
  const first = Number(choices['first-page']);
  const preset = Number(choices['default-page-size']);
  const size = numberText
    .pipe(
      choices['oversized-pages'] === 'clamp'
        ? z
            .int()
            .min(1)
            .transform((wanted) => Math.min(wanted, 50))
        : z.int().min(1).max(50),
    )
    .default(preset)
    .meta({ description: 'Ports on a page, at most 50.', minimum: 1, maximum: 50, default: preset });
  const page = numberText
    .pipe(z.int().min(first).max(1_000_000_000))
    .default(first)
    .meta({ description: `Page to return, from ${first}.`, minimum: first, maximum: 1_000_000_000, default: first });
  return z.object({ 'x-pagenumber': page, 'x-pagesize': size });
}

const networks = (dependencies: Dependencies): Endpoint => {
  const { catalogue, timeOf } = dependencies;
  return endpoint(
    {
      at: 'GET /api/porting/{accountId}/networks',
      operationId: 'getPortingNetworks',
      summary: 'Get Porting Networks',
      accepts: { path: accountPath },
      answers: {
        200: { description: 'The networks by port type.', schema: portingNetworks, example: examples.networks },
        403: otherAccount,
      },
      example: { path: { accountId: 1001 } },
    },
    async ({ path, caller }) => {
      const { accountId, networks: numbers } = ownAccount(catalogue, caller, path.accountId);
      const body = catalogue.data.porting.map(({ portTypeName, portType, targets }) => ({
        portTypeName,
        portType,
        targetNetworks: targets.flatMap((target) => {
          const network = catalogue.network(target.networkNumber);
          if (network === undefined || !numbers.includes(network.number)) return [];
          const calendar = catalogue.calendar(accountId, network);
          const today = calendar.today(timeOf(accountId));
          return targetNetworkBody(target, network, dependencies, { calendar, today });
        }),
      }));
      return { status: 200, body };
    },
  );
};

const list = (dependencies: Dependencies): Endpoint => {
  const headers = pageHeaders(dependencies.choices);
  return endpoint(
    {
      at: 'GET /api/porting/{accountId}',
      operationId: 'listPorts',
      summary: 'List Ports',
      accepts: { path: accountPath, headers },
      answers: {
        200: { description: 'One page of ports.', schema: portList, example: examples.portList },
        403: otherAccount,
      },
      example: { path: { accountId: 1001 }, headers: { 'x-pagenumber': 1, 'x-pagesize': 50 } },
    },
    async ({ path, headers: page, caller, list: view }) => {
      const account = ownAccount(dependencies.catalogue, caller, path.accountId);
      const number = page['x-pagenumber'] - Number(dependencies.choices['first-page']);
      return { status: 200, body: await listPorts(dependencies, account, { number, size: page['x-pagesize'] }, view) };
    },
  );
};

const detail = (dependencies: Dependencies): Endpoint =>
  endpoint(
    {
      at: 'GET /api/porting/{accountId}/port/{portId}',
      operationId: 'getPort',
      summary: 'Get Port Details',
      accepts: { path: portPath },
      answers: {
        200: { description: 'The port with its rows.', schema: portDetail, example: examples.portDetail },
        403: otherAccount,
        404: noSuchPort,
      },
      example: { path: { accountId: 1001, portId: examples.portId } },
    },
    async ({ path, caller }) => {
      const account = ownAccount(dependencies.catalogue, caller, path.accountId);
      const port = await readPort(dependencies, account, path.portId);
      return { status: 200, body: portDetailBody(port, networkOfPort(dependencies, port), dependencies) };
    },
  );

const create = (dependencies: Dependencies): Endpoint =>
  endpoint(
    {
      at: 'POST /api/porting/{accountId}',
      operationId: 'createPort',
      summary: 'Create Port',
      accepts: { path: accountPath, body: createPortBody },
      answers: {
        201: { description: 'The port is stored.', schema: portIdAnswer, example: examples.portId },
        403: otherAccount,
        409: problemAnswer(
          'A number is in another port, or on the stock records.',
          'MSISDN 07700900123 is already in a port that is not finished.',
          'rows[0].msisdn',
        ),
        422: problemAnswer('A rule does not allow it.', 'UK Mobile A has no tariff 1.', 'rows[0].tariffId'),
      },
      example: { path: { accountId: 1001 }, body: examples.createPort },
    },
    async ({ path, body, caller }) => {
      const account = ownAccount(dependencies.catalogue, caller, path.accountId);
      return { status: 201, body: await createPort(dependencies, account, body) };
    },
  );

const change = (dependencies: Dependencies): Endpoint =>
  endpoint(
    {
      at: 'PATCH /api/porting/{accountId}/port/{portId}',
      operationId: 'updatePort',
      summary: 'Update Port',
      accepts: { path: portPath, body: updatePortBody },
      answers: {
        202: { description: 'Accepted. All rows are changed, or none.' },
        403: otherAccount,
        404: noSuchPort,
        409: problemAnswer(
          'The status of a row does not allow it.',
          'a row in status PacValid cannot become Amended',
          'Rows[0].PortRowStatus',
        ),
        422: problemAnswer('A rule does not allow it.', '07700900199 is not in this port', 'Rows[0].Msisdn'),
      },
      example: { path: { accountId: 1001, portId: examples.portId }, body: examples.updatePort },
    },
    async ({ path, body, caller }) => {
      await update(dependencies, ownAccount(dependencies.catalogue, caller, path.accountId), path.portId, body);
      return { status: 202 };
    },
  );

const remove = (dependencies: Dependencies): Endpoint =>
  endpoint(
    {
      at: 'DELETE /api/porting/{accountId}/port/{portId}',
      operationId: 'cancelPort',
      summary: 'Cancel Port',
      accepts: { path: portPath },
      answers: {
        202: { description: 'Accepted. From Submitted the cancellation takes some time.' },
        403: otherAccount,
        404: noSuchPort,
        409: problemAnswer('From Locked on.', 'A port in status Locked can no longer be cancelled.'),
      },
      example: { path: { accountId: 1001, portId: examples.portId } },
    },
    async ({ path, caller }) => {
      await cancel(dependencies, ownAccount(dependencies.catalogue, caller, path.accountId), path.portId);
      return { status: 202 };
    },
  );

export const portingRoutes = (dependencies: Dependencies): Endpoint[] =>
  [networks, list, detail, create, change, remove].map((route) => route(dependencies));
