// The sandbox stack: what its function may do is what its code does, its table is the one the code expects, and its checks
// are those of every template.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tableDefinition } from '#functions/porting-service/dynamodb/table.ts';
import { createDynamoDbStore } from '#functions/porting-service/store-dynamodb.ts';
import { buildApp } from '#infra/app.ts';
import { statementsOf } from '#infra/checks/permissions.ts';
import { violationsOf } from '#infra/checks/plugin.ts';
import { resourcesOf } from '#infra/checks/template.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import { synthesiseSandbox } from '../support/infra-sandbox.ts';
import { namedService } from '../support/infra-template.ts';
import { createPort, portPath, portRow, startTestService, stockSerials } from '../support/porting-service.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/porting-service-dynamodb.ts';

const template = synthesiseSandbox();
const one = (type: string) => resourcesOf(template, type)[0]?.[1];

describe('the sandbox stack', () => {
  test('breaks no rule', () => {
    expect(violationsOf(template)).toEqual([]);
  });

  test('is a part of dev alone: prod has a real service, and the engine runs one beside itself', () => {
    const stacksOf = (stage: string) => {
      const app = buildApp({ stage, context: { 'aws:cdk:bundling-stacks': [], ...namedService } });
      return app.node.children.map(({ node }) => node.id).filter((id) => id.startsWith('simporter'));
    };
    expect(stacksOf('dev')).toEqual(['simporter-dev', 'simporter-sandbox-dev']);
    expect(stacksOf('prod')).toEqual(['simporter-prod']);
    expect(stacksOf('local')).toEqual(['simporter-local']);
  });

  test('makes the table as the service expects it', () => {
    const { TableName, ...expected } = tableDefinition('any');
    expect(one('AWS::DynamoDB::GlobalTable')).toMatchObject(expected);
  });

  test('caps what all clients together may ask for, and logs every request without its headers', () => {
    const stage = one('AWS::ApiGatewayV2::Stage');
    expect(stage?.DefaultRouteSettings).toEqual({ ThrottlingBurstLimit: 100, ThrottlingRateLimit: 50 });
    expect(JSON.parse(stage?.AccessLogSettings.Format)).toMatchObject({
      path: '$context.path',
      status: '$context.status',
    });
    expect(stage?.AccessLogSettings.Format).not.toMatch(/header|authorizer/i);
  });

  test('has no secret in its template: the client gets one at the first deploy', () => {
    expect(one('AWS::SecretsManager::Secret')).toMatchObject({
      GenerateSecretString: {
        SecretStringTemplate: '{"clientId":"northwind-api","accountId":1001}',
        GenerateStringKey: 'clientSecret',
      },
    });
    expect(one('AWS::SecretsManager::Secret')).not.toHaveProperty('SecretString');
  });

  test('lets the calendar keep to the wall, or run ahead by as much as is asked', () => {
    const clock = (context?: Record<string, unknown>) =>
      resourcesOf(synthesiseSandbox(context), 'AWS::Scheduler::Schedule')[0]?.[1];
    expect(clock()).toMatchObject({ State: 'DISABLED', Target: { Input: '{"advanceMs":0}' } });
    expect(clock({ sandboxAdvanceMinutes: '115' })).toMatchObject({
      State: 'ENABLED',
      ScheduleExpression: 'rate(5 minutes)',
      Target: { Input: '{"advanceMs":6900000}', RetryPolicy: { MaximumRetryAttempts: 0 } },
    });
    expect(() => synthesiseSandbox({ sandboxAdvanceMinutes: 'a day' })).toThrow(
      '--context sandboxAdvanceMinutes= must be a number of minutes, 0 to 1440.',
    );
  });
});

describe('the rights of the service', () => {
  let dynamodb: TestDynamoDb;
  beforeAll(async () => {
    dynamodb = await startDynamoDb();
  });
  afterAll(() => dynamodb.stop());

  /** Calls of DynamoDB by the name of the right that each needs. */
  const rightsOf: Readonly<Record<string, readonly string[]>> = {
    BatchGetCommand: ['BatchGetItem'],
    BatchWriteCommand: ['BatchWriteItem'],
    GetCommand: ['GetItem'],
    PutCommand: ['PutItem'],
    QueryCommand: ['Query'],
    ScanCommand: ['Scan'],
  };
  interface Sent {
    readonly TransactItems?: readonly Readonly<Record<string, unknown>>[];
  }
  const neededBy = (command: { readonly constructor: { readonly name: string }; readonly input: Sent }) =>
    command.constructor.name === 'TransactWriteCommand'
      ? (command.input.TransactItems ?? []).flatMap((write) => Object.keys(write).map((verb) => `${verb}Item`))
      : (rightsOf[command.constructor.name] ?? [command.constructor.name]);

  test('are what its code uses, no less and no more', async () => {
    const table = await dynamodb.newTable();
    const used = new Set<string>();
    const send = table.client.send.bind(table.client);
    table.client.send = ((command: Parameters<typeof neededBy>[0]) => {
      for (const right of neededBy(command)) used.add(`dynamodb:${right}`);
      return send(command as never);
    }) as typeof table.client.send;
    const store = createDynamoDbStore(table, wallClock);
    const service = await startTestService({ store, sandbox: true });

    const portId = await createPort(service);
    await service.call('GET', `/api/porting/${service.accountId}`);
    await service.call('DELETE', portPath(service, portId));
    // More lines than a transaction takes, and another process has just claimed the last: the others are given back.
    const port = await store.port(await createPort(service, { rows: [portRow(900)] }));
    if (port === null || port.rows[0] === undefined) throw new Error('There is no such port');
    const [row] = port.rows;
    const others = Array.from({ length: 120 }, (_, index) => ({
      ...row,
      number: `447700901${String(index).padStart(3, '0')}`,
    }));
    const late = { ...port, id: '00000000-0000-4000-8000-00000000000a', rows: [...others, row] };
    expect(await store.insertPort({ port: late, simEvents: [], released: new Map() })).toEqual([row.number]);
    const sms = { serialNumbers: stockSerials(240).slice(0, 1), message: 'Hello', binary: false };
    expect((await service.call('POST', '/api/simSubmission/SendSms', { body: sms })).status).toBe(200);
    await service.call('POST', '/_sandbox/reset');

    const granted = statementsOf(template)
      .flatMap(({ actions }) => actions)
      .filter((action) => action.startsWith('dynamodb:'));
    expect([...used].sort()).toEqual(granted.sort());
  });
});
