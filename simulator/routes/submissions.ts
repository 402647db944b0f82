// The submission routes (spec "Submissions"). Their paths differ in case, as in the spec. Each answers with a ticket.
// The spec does not state the success status (spec gap 34).
import type * as z from 'zod';
import {
  barServiceConfigBody,
  configureBundleControlBody,
  type ProvisionBody,
  provisionBody,
  sendSmsBody,
  simSubmissionBody,
  submissionTicket,
} from '#shared/service/contract.ts';
import type { Account } from '../catalogue/catalogue.ts';
import { type Dependencies, ownAccount } from '../dependencies.ts';
import {
  type Answer,
  type AnswerShape,
  type Caller,
  type Endpoint,
  endpointsOf,
  problemAnswer,
} from '../http/route.ts';
import { keepNewOrders, ordersOf } from '../sims/sims.ts';
import { checkProvision, numbersOfStock, type ProvisionKind } from '../submissions/provision.ts';
import {
  checkBar,
  checkBarServiceConfig,
  checkBundleControl,
  checkCreateBundle,
  checkSendSms,
} from '../submissions/sim-operations.ts';
import { type SubmissionCheck, submit, type ValidationContext } from '../submissions/submit.ts';
import * as examples from './examples.ts';

interface Operation<Schema extends z.core.$ZodType> {
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly schema: Schema;
  readonly example: unknown;
  /** The message of a 409, if the operation has one. */
  readonly conflict?: string;
  /** The message and the field of a 422. */
  readonly broken: readonly [string, string];
  readonly run: (dependencies: Dependencies, account: Account, body: z.output<Schema>) => Promise<Ticket>;
}

interface Ticket {
  readonly ticketNumber: string;
}

function submissionRoute<Schema extends z.core.$ZodType>(
  dependencies: Dependencies,
  operation: Operation<Schema>,
): Endpoint {
  const { path, operationId, summary, schema, example, conflict, broken } = operation;
  const status = Number(dependencies.choices['submission-status']);
  const answers: Record<number, AnswerShape> = {
    [status]: {
      description: 'Accepted. The effects follow within minutes.',
      schema: submissionTicket,
      example: { ticketNumber: examples.ticketNumber },
    },
    422: problemAnswer('A rule does not allow it.', ...broken),
  };
  if (conflict !== undefined) answers[409] = problemAnswer('The state of a SIM does not allow it.', conflict);
  return endpointsOf('Submissions')(
    {
      at: `POST ${path}`,
      operationId,
      summary,
      accepts: { body: schema },
      answers,
      example: { body: example },
    },
    async ({ body, caller }): Promise<Answer> => {
      const account = accountOf(dependencies, caller);
      return { status, body: await operation.run(dependencies, account, body as z.output<Schema>) };
    },
  );
}

const accountOf = ({ catalogue }: Dependencies, caller: Caller): Account =>
  ownAccount(catalogue, caller, caller.accountId);

const provision =
  (kind: ProvisionKind) =>
  async (dependencies: Dependencies, account: Account, body: ProvisionBody): Promise<Ticket> => {
    const network = dependencies.catalogue.tariff(body.tariffNumber)?.network;
    const orders = network ? await ordersOf(dependencies, account, network) : [];
    const orderNumbers = new Set(orders.map(({ number }) => number));
    const serialNumbers = body.stock.map(({ serialNumber }) => serialNumber);
    const request = { operation: kind, serialNumbers, body, numbers: numbersOfStock(body, account.callingCode) };
    const check = (context: ValidationContext) => checkProvision(context, kind, body, orderNumbers);
    const ticket = await submit(dependencies, account, request, check);
    const name = body.createNewProvisioningOrder ? body.newProvisioningOrderName : null;
    if (network) await keepNewOrders(dependencies, account.accountId, network, [name]);
    return ticket;
  };

const provisionOperation = {
  path: '/api/simSubmission/Provision',
  operationId: 'provision',
  summary: 'Provision',
  schema: provisionBody,
  example: examples.provision,
  conflict: 'SIM 89440010110010000104 is on-hire',
  broken: ['there is no tariff 1', 'tariffNumber'],
  run: provision('Provision'),
} as const satisfies Operation<typeof provisionBody>;

const changeProvision = {
  ...provisionOperation,
  path: '/api/simSubmission/ChangeProvision',
  operationId: 'changeProvision',
  summary: 'Change Provision',
  example: examples.changeProvision,
  conflict: 'SIM 89440010110010000302 is not on hire',
  run: provision('ChangeProvision'),
} as const satisfies Operation<typeof provisionBody>;

/** The operations on a list of SIMs that need nothing but the SIMs. */
const runOnSims =
  <Body extends { readonly serialNumbers: readonly string[] }>(
    operation: string,
    check: (context: ValidationContext, body: Body) => SubmissionCheck,
  ) =>
  (dependencies: Dependencies, account: Account, body: Body): Promise<Ticket> =>
    submit(dependencies, account, { operation, serialNumbers: body.serialNumbers, body }, (context) =>
      check(context, body),
    );

const barServiceConfig = {
  path: '/api/simSubmission/BarServiceConfig',
  operationId: 'barServiceConfig',
  summary: 'Bar Service Config',
  schema: barServiceConfigBody,
  example: examples.barServiceConfig,
  broken: ['there is no service "Fax" for this network and tariff', 'services[0].name'],
  run: runOnSims('BarServiceConfig', checkBarServiceConfig),
} as const satisfies Operation<typeof barServiceConfigBody>;

const sendSms = {
  path: '/api/simSubmission/SendSms',
  operationId: 'sendSms',
  summary: 'Send SMS',
  schema: sendSmsBody,
  example: examples.sendSms,
  conflict: 'SIM 89440010110010000302 is not on hire',
  broken: ['UK Mobile A does not send SMS', 'serialNumbers'],
  run: runOnSims('SendSms', checkSendSms),
} as const satisfies Operation<typeof sendSmsBody>;

const configureBundleControl = {
  path: '/api/simsubmission/ConfigureBundleControl',
  operationId: 'configureBundleControl',
  summary: 'Configure Bundle Control',
  schema: configureBundleControlBody,
  example: examples.configureBundleControl,
  broken: ['bundle control is not available on UK Mobile A', 'serialNumbers'],
  run: runOnSims('ConfigureBundleControl', checkBundleControl),
} as const satisfies Operation<typeof configureBundleControlBody>;

/** One address for three operations; `type` states which. */
const simSubmission = {
  path: '/api/simSubmission',
  operationId: 'simSubmission',
  summary: 'eSIM Create Bundle, Bar / Unbar (legacy)',
  schema: simSubmissionBody,
  example: examples.bar,
  broken: ['is not available on UK IoT A', 'commands[0].commandOptions.premium'],
  run: (dependencies, account, body) => {
    const serialNumbers = body.commands.flatMap((command) => command.serialNumbers);
    return submit(dependencies, account, { operation: body.type, serialNumbers, body }, (context) =>
      body.type === 'vendor-create-bundle' ? checkCreateBundle(context, body) : checkBar(context, body),
    );
  },
} as const satisfies Operation<typeof simSubmissionBody>;

export const submissionRoutes = (dependencies: Dependencies): Endpoint[] => [
  submissionRoute(dependencies, provisionOperation),
  submissionRoute(dependencies, changeProvision),
  submissionRoute(dependencies, barServiceConfig),
  submissionRoute(dependencies, sendSms),
  submissionRoute(dependencies, configureBundleControl),
  submissionRoute(dependencies, simSubmission),
];
