// The porting simulator on AWS: an HTTP API in front of one function, a table, and a schedule that can
// advance its calendar. Deploy it and connect the pipeline to it where the real service gave no credentials yet.

import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { AttributeType, Billing, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import * as z from 'zod';
import { functionCode } from '#function-code';
import { simulatorPath } from '#shared/service/service-texts.ts';
import { acknowledge, fixLogicalId, writeOutputs } from './cdk-conventions.ts';
import { SimporterFunction } from './constructs/function.ts';
import { createHttpApi } from './constructs/http-api.ts';
import { Schedule } from './constructs/schedule.ts';
import type { Configuration } from './settings.ts';

/** An HTTP API waits at most 30 seconds for a response. */
const timeoutSeconds = 29;
const memoryMegabytes = 512;
/**
 * For all clients together; a request above it is answered 429. A list page, or a port of a thousand rows, takes well
 * under a second.
 */
const throttling = { rateLimit: 50, burstLimit: 100 } as const;
const clockEveryMinutes = 5;

const advance = z.int().min(0).max(1_440);

interface SimulatorAddress {
  readonly baseUrl: string;
  readonly accountId: number;
}

interface SimulatorSettings {
  /** How many days logs are kept. */
  readonly logDays: Configuration['retention']['logDays'];
  /** Minutes by which the calendar of the ports advances, every five minutes. @default 0 */
  readonly advanceMinutes?: number;
}

/**
 * Creates the resources of the simulator below `scope`, and outputs with its address.
 * @throws Error where `advanceMinutes` is not a number of minutes
 */
export function addSimulator(scope: Construct, { logDays, advanceMinutes = 0 }: SimulatorSettings): SimulatorAddress {
  const minutes = advance.safeParse(advanceMinutes);
  if (!minutes.success) throw new Error('advanceMinutes must be a number of minutes, 0 to 1440.');

  const key = fixLogicalId(
    new Key(scope, 'Key', {
      description: 'Encrypts the clients of the porting simulator',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    }),
  );
  const table = simulatorTable(scope, 'Table');
  const clients = simulatorClients(scope, 'Clients', key);
  const service = new SimporterFunction(scope, 'Service', {
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

  const baseUrl = `${createApi(scope, service, logDays).apiEndpoint}${simulatorPath}`;
  advanceCalendar(scope, service, minutes.data);
  const { accountId } = firstClient;
  writeOutputs(scope, {
    BaseUrl: baseUrl,
    AuthUrl: baseUrl,
    AccountId: String(accountId),
    ClientsArn: clients.ref,
    ShowClient: `aws secretsmanager get-secret-value --secret-id ${clients.ref} --query SecretString --output text`,
    ConnectPipeline: `"service": { "baseUrl": "${baseUrl}", "authUrl": "${baseUrl}", "accountId": ${accountId} }`,
  });
  return { baseUrl, accountId };
}

/** None of its data is real, so all of it is deleted with the stack. */
function simulatorTable(scope: Construct, id: string): TableV2 {
  const table = new TableV2(scope, id, {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    billing: Billing.onDemand(),
    encryption: TableEncryptionV2.awsManagedKey(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    removalPolicy: RemovalPolicy.DESTROY,
  });
  return fixLogicalId(table);
}

/** An account of the simulator's catalogue, and its client. */
const firstClient = { clientId: 'northwind-api', accountId: 1001 } as const;

/**
 * A secret with one client, whose client secret is generated at the first deployment. The value has the format of the
 * pipeline's credentials, so you can copy it. You can replace it by a list of clients.
 */
function simulatorClients(scope: Construct, id: string, key: IKey): CfnSecret {
  const secret = new CfnSecret(scope, id, {
    description: 'Clients of the porting simulator: {"clientId", "clientSecret", "accountId"}, or a list of them',
    kmsKeyId: key.keyArn,
    generateSecretString: {
      secretStringTemplate: JSON.stringify(firstClient),
      generateStringKey: 'clientSecret',
      passwordLength: 40,
      excludePunctuation: true,
    },
  });
  secret.applyRemovalPolicy(RemovalPolicy.DESTROY);
  acknowledge(secret, 'AwsSolutions-SMG4', 'The secret protects simulated data only.');
  return secret;
}

/** Passes every request to the function, which has its own paths and tokens. */
function createApi(scope: Construct, service: SimporterFunction, logDays: SimulatorSettings['logDays']) {
  const api = createHttpApi(new Construct(scope, 'Http'), {
    description: 'The porting simulator',
    defaultIntegration: new HttpLambdaIntegration('Integration', service.lambda),
    logDays,
    throttle: throttling,
    logged: { path: '$context.path' },
  });
  acknowledge(
    api,
    'AwsSolutions-APIG4',
    'The simulator issues and checks bearer tokens, as the specification requires.',
  );
  return api;
}

/**
 * A port that takes days takes hours. It is disabled by default: the pipeline on AWS books days by the real calendar.
 */
function advanceCalendar(scope: Construct, service: SimporterFunction, advanceMinutes: number): void {
  new Schedule(scope, 'Clock', {
    target: service,
    description: 'Advances the calendar of the porting simulator',
    everyMinutes: clockEveryMinutes,
    deadLetters: 'ClockMissedRuns',
    // A repeated run would advance the calendar twice.
    startRetries: 0,
    input: JSON.stringify({ advanceMs: advanceMinutes * 60_000 }),
    state: advanceMinutes > 0 ? 'ENABLED' : 'DISABLED',
  });
}
