// The porting simulator on AWS: an HTTP API in front of one function, a table, and a schedule that can
// advance its calendar. Deploy it and connect the pipeline to it where the real service gave no credentials yet.

import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import * as z from 'zod';
import { functionCode } from '#function-code';
import { PipelineFunction } from './constructs/pipeline-function.ts';
import { SimulatorApi } from './constructs/simulator-api.ts';
import { SimulatorClock } from './constructs/simulator-clock.ts';
import { firstClient, simulatorClients, simulatorTable } from './constructs/simulator-store.ts';
import { fixLogicalId } from './fixed-logical-id.ts';
import type { Configuration } from './settings.ts';
import { writeOutputs } from './stack-outputs.ts';

/** An HTTP API waits at most 30 seconds for a response. */
const timeoutSeconds = 29;
const memoryMegabytes = 512;
/** A list page, or a port of a thousand rows, takes well under a second. */
const throttling = { requestsPerSecond: 50, burst: 100 } as const;
const clockEveryMinutes = 5;

const advance = z.coerce.number().int().min(0).max(1_440);

export interface SimulatorAddress {
  readonly apiEndpoint: string;
  readonly accountId: number;
}

export interface SimulatorSettings {
  /** How many days logs are kept. */
  readonly logDays: Configuration['retention']['logDays'];
  /** Minutes by which the calendar of the ports advances, every five minutes. @default 0 */
  readonly advanceMinutes?: unknown;
}

/**
 * Creates the resources of the simulator below `scope`, and outputs with its address.
 * @throws Error where `advanceMinutes` is not a number of minutes
 */
export function addSimulator(scope: Construct, { logDays, advanceMinutes = 0 }: SimulatorSettings): SimulatorAddress {
  const minutes = advance.safeParse(advanceMinutes);
  if (!minutes.success) throw new Error('--context simulatorAdvanceMinutes= must be a number of minutes, 0 to 1440.');

  const key = fixLogicalId(
    new Key(scope, 'Key', {
      description: 'Encrypts the clients of the porting simulator',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    }),
  );
  const table = simulatorTable(scope, 'Table');
  const clients = simulatorClients(scope, 'Clients', key);
  const service = new PipelineFunction(scope, 'Service', {
    name: 'simulator',
    code: functionCode(Stack.of(scope), ['simulator']),
    memoryMegabytes,
    timeoutSeconds,
    environment: {
      PORTING_SERVICE_TABLE: table.tableName,
      PORTING_SERVICE_CLIENTS_ARN: clients.ref,
      PORTING_SERVICE_SANDBOX: 'true',
    },
    logDays,
    network: undefined,
  });
  service.allow('UseTable', {
    actions: ['BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query'].map(
      (action) => `dynamodb:${action}`,
    ),
    resources: [table.tableArn],
  });
  // Only the reset of the simulator scans the table, to delete every item.
  service.allow('Reset', { actions: ['dynamodb:Scan'], resources: [table.tableArn] });
  service.allow('ReadClients', { actions: ['secretsmanager:GetSecretValue'], resources: [clients.ref] });
  service.allowKey(key, ['secretsmanager']);

  const { apiEndpoint } = new SimulatorApi(scope, 'Http', { service, logDays, ...throttling });
  new SimulatorClock(scope, 'Clock', { service, everyMinutes: clockEveryMinutes, advanceMinutes: minutes.data });
  const { accountId } = firstClient;
  writeOutputs(scope, {
    BaseUrl: apiEndpoint,
    AuthUrl: apiEndpoint,
    AccountId: String(accountId),
    ClientsArn: clients.ref,
    ShowClient: `aws secretsmanager get-secret-value --secret-id ${clients.ref} --query SecretString --output text`,
    ConnectPipeline: [
      `--context serviceBaseUrl=${apiEndpoint}`,
      `--context serviceAuthUrl=${apiEndpoint}`,
      `--context serviceAccountId=${accountId}`,
    ].join(' '),
  });
  return { apiEndpoint, accountId };
}
