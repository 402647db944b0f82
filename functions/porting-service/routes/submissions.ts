// The submission routes (spec "Submissions"). The paths differ in case as the spec has them. Each answers 200 with a ticket
// (the spec leaves the success status open; decision 34).
import {
  barServiceConfigBody,
  configureBundleControlBody,
  type ProvisionBody,
  provisionBody,
  type SimSubmissionBody,
  sendSmsBody,
  simSubmissionBody,
  submissionTicket,
} from '#shared/porting/contract.ts';
import type { Account } from '../catalogue.ts';
import { type Answer, type Caller, type Endpoint, endpoint } from '../endpoint.ts';
import { orderNumber, ordersOf } from '../provisioning-orders.ts';
import { ownAccount, type ServiceParts } from '../service-parts.ts';
import { judgeBar } from '../submissions/bar.ts';
import { judgeBarServiceConfig } from '../submissions/bar-service-config.ts';
import { judgeBundleControl, judgeCreateBundle } from '../submissions/bundles.ts';
import { judgeProvision, type ProvisionKind } from '../submissions/provision.ts';
import { judgeSendSms } from '../submissions/send-sms.ts';
import { type JudgeContext, type Judgement, submit } from '../submissions/submit.ts';

const tag = 'Submissions';
const answers = { 200: { description: 'Accepted; its effects follow within minutes.', schema: submissionTicket } };

const accountOf = ({ catalogue }: ServiceParts, caller: Caller): Account =>
  ownAccount(catalogue, caller, caller.accountId);

async function provision(
  parts: ServiceParts,
  caller: Caller,
  kind: ProvisionKind,
  body: ProvisionBody,
): Promise<Answer> {
  const account = accountOf(parts, caller);
  const network = parts.catalogue.tariff(body.tariffNumber)?.network;
  const orders = network ? await ordersOf(parts, account, network) : [];
  const numbers = new Set(orders.map(({ number }) => number));
  const serialNumbers = body.stock.map(({ serialNumber }) => serialNumber);
  const request = { operation: kind, serialNumbers, body };
  const ticket = await submit(parts, account, request, (context) => judgeProvision(context, kind, body, numbers));
  const name = body.createNewProvisioningOrder ? body.newProvisioningOrderName : null;
  if (name && network?.type === 'A') {
    const { accountId } = account;
    const number = orderNumber(accountId, network.number, name);
    await parts.store.addProvisioningOrder({ accountId, networkNumber: network.number, number, name });
  }
  return { status: 200, body: ticket };
}

const provisionRoute = (parts: ServiceParts, kind: ProvisionKind, summary: string): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: `/api/simSubmission/${kind}`,
      operationId: kind === 'Provision' ? 'provision' : 'changeProvision',
      tag,
      summary,
      takes: { body: provisionBody },
      answers,
    },
    ({ body, caller }) => provision(parts, caller, kind, body),
  );

const barServiceConfig = (parts: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/api/simSubmission/BarServiceConfig',
      operationId: 'barServiceConfig',
      tag,
      summary: 'Bar Service Config',
      takes: { body: barServiceConfigBody },
      answers,
    },
    async ({ body, caller }) => {
      const request = { operation: 'BarServiceConfig', serialNumbers: body.serialNumbers, body };
      const judge = (context: JudgeContext) => judgeBarServiceConfig(context, body);
      return { status: 200, body: await submit(parts, accountOf(parts, caller), request, judge) };
    },
  );

const sendSms = (parts: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/api/simSubmission/SendSms',
      operationId: 'sendSms',
      tag,
      summary: 'Send SMS',
      takes: { body: sendSmsBody },
      answers,
    },
    async ({ body, caller }) => {
      const request = { operation: 'SendSms', serialNumbers: body.serialNumbers, body };
      const judge = (context: JudgeContext) => judgeSendSms(context, body);
      return { status: 200, body: await submit(parts, accountOf(parts, caller), request, judge) };
    },
  );

const bundleControl = (parts: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/api/simsubmission/ConfigureBundleControl',
      operationId: 'configureBundleControl',
      tag,
      summary: 'Configure Bundle Control',
      takes: { body: configureBundleControlBody },
      answers,
    },
    async ({ body, caller }) => {
      const request = { operation: 'ConfigureBundleControl', serialNumbers: body.serialNumbers, body };
      const judge = (context: JudgeContext) => judgeBundleControl(context, body);
      return { status: 200, body: await submit(parts, accountOf(parts, caller), request, judge) };
    },
  );

const judgeByType = (context: JudgeContext, body: SimSubmissionBody): Judgement =>
  body.type === 'vendor-create-bundle' ? judgeCreateBundle(context, body) : judgeBar(context, body);

/** One address for three operations, told apart by `type`. */
const simSubmission = (parts: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/api/simSubmission',
      operationId: 'simSubmission',
      tag,
      summary: 'eSIM Create Bundle, Bar / Unbar (legacy)',
      takes: { body: simSubmissionBody },
      answers,
    },
    async ({ body, caller }) => {
      const serialNumbers = body.commands.flatMap((command) => command.serialNumbers);
      const request = { operation: body.type, serialNumbers, body };
      const judge = (context: JudgeContext) => judgeByType(context, body);
      return { status: 200, body: await submit(parts, accountOf(parts, caller), request, judge) };
    },
  );

export const submissionRoutes = (parts: ServiceParts): Endpoint[] => [
  provisionRoute(parts, 'Provision', 'Provision'),
  provisionRoute(parts, 'ChangeProvision', 'Change Provision'),
  ...[barServiceConfig, sendSms, bundleControl, simSubmission].map((route) => route(parts)),
];
