// The porting service as a serverless stack of its own: an HTTP API in front of one function, a table for what it keeps, and
// a clock that can run ahead. Whoever has no credentials for the real service deploys this one and points the pipeline at it.
import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import * as z from 'zod';
import { functionCode } from './bundle.ts';
import type { StageConfiguration } from './config.ts';
import { PipelineFunction } from './constructs/pipeline-function.ts';
import { SandboxApi } from './constructs/sandbox-api.ts';
import { SandboxClock } from './constructs/sandbox-clock.ts';
import { firstClient, sandboxClients, sandboxTable } from './constructs/sandbox-store.ts';
import { keepId } from './logical-id.ts';

/** API Gateway waits 29 seconds for an answer: a later one would reach nobody. */
const timeoutSeconds = 29;
const memoryMegabytes = 512;
/** A page of a list, or a port of a thousand rows, takes the function well under a second: this is five at a time, and a crowd. */
const throttling = { requestsPerSecond: 50, burst: 100 } as const;
const clockEveryMinutes = 5;

const advance = z.coerce.number().int().min(0).max(1_440);

export interface SandboxProps {
  readonly configuration: Pick<StageConfiguration, 'stage' | 'retention' | 'deployment'>;
  /** Minutes by which the ports' calendar moves on, beyond the clock on the wall, every five minutes. @default 0 */
  readonly advanceMinutes?: unknown;
}

/** The name of a stage's sandbox stack. */
export const sandboxStackName = ({ stage }: Pick<StageConfiguration, 'stage'>): string => `simporter-sandbox-${stage}`;

export class SandboxStack extends Stack {
  /** @throws Error that says what to give where `advanceMinutes` is no number of minutes */
  constructor(scope: Construct, id: string, { configuration, advanceMinutes = 0 }: SandboxProps) {
    const { stage, retention, deployment } = configuration;
    super(scope, id, {
      description: `simporter (${stage}): the porting service, to rehearse against`,
      tags: { product: 'simporter', stage },
      ...(deployment ? { env: deployment } : {}),
    });
    const minutes = advance.safeParse(advanceMinutes);
    if (!minutes.success) throw new Error('--context sandboxAdvanceMinutes= must be a number of minutes, 0 to 1440.');

    const key = keepId(
      new Key(this, 'Key', {
        description: 'Encrypts the clients of the sandbox',
        enableKeyRotation: true,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    );
    const table = sandboxTable(this, 'Table');
    const clients = sandboxClients(this, 'Clients', key);
    const service = new PipelineFunction(this, 'Service', {
      name: 'porting-service',
      code: functionCode(this, ['porting-service']),
      memoryMegabytes,
      timeoutSeconds,
      environment: {
        PORTING_SERVICE_TABLE: table.tableName,
        PORTING_SERVICE_CLIENTS_ARN: clients.ref,
        PORTING_SERVICE_SANDBOX: 'true',
      },
      logDays: retention.logDays,
      network: undefined,
    });
    service.allow('KeepPorts', {
      actions: ['BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query'].map(
        (action) => `dynamodb:${action}`,
      ),
      resources: [table.tableArn],
    });
    // Only the reset under /_sandbox looks at every item, to delete it.
    service.allow('Reset', { actions: ['dynamodb:Scan'], resources: [table.tableArn] });
    service.allow('ReadClients', { actions: ['secretsmanager:GetSecretValue'], resources: [clients.ref] });
    service.allowKey(key, ['secretsmanager']);

    const { apiEndpoint } = new SandboxApi(this, 'Http', { service, logDays: retention.logDays, ...throttling });
    new SandboxClock(this, 'Clock', { service, everyMinutes: clockEveryMinutes, advanceMinutes: minutes.data });
    this.tell(apiEndpoint, clients.ref);
  }

  /** What a client, and the pipeline, need to know. */
  private tell(address: string, clientsArn: string): void {
    const { accountId } = firstClient;
    const outputs = {
      BaseUrl: address,
      AuthUrl: address,
      AccountId: String(accountId),
      ClientsArn: clientsArn,
      ShowClient: `aws secretsmanager get-secret-value --secret-id ${clientsArn} --query SecretString --output text`,
      PointPipeline: `--context serviceBaseUrl=${address} --context serviceAuthUrl=${address} --context serviceAccountId=${accountId}`,
    };
    const scope = new Construct(this, 'Outputs');
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(scope, name, { value }).overrideLogicalId(name);
  }
}
