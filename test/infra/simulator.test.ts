// The stack of the porting simulator: its function has exactly the permissions that its code uses, and its table is the
// one that the code expects.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '#infra/app.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import { tableDefinition } from '#simulator/store/dynamodb/table.ts';
import { createDynamoDbStore } from '#simulator/store/dynamodb-store.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/embedded/simulator-dynamodb.ts';
import { violationsOf } from '../support/infra/checks/all-checks.ts';
import { statementsOf } from '../support/infra/checks/permissions.ts';
import { resourcesOf } from '../support/infra/checks/read-template.ts';
import { contextOf, synthesiseSimulator } from '../support/infra/template.ts';
import { createPort, portPath, portRow, startTestSimulator, stockSerials } from '../support/service/simulator.ts';

const template = synthesiseSimulator();
const one = (type: string) => resourcesOf(template, type)[0]?.[1];

describe('the simulator stack', () => {
  test('has no violation', () => {
    expect(violationsOf(template)).toEqual([]);
  });

  test('exists in dev only: prod uses the real service, and the emulator runs the simulator without a stack', () => {
    const stacksOf = (stage: string) => {
      const app = buildApp({ stage, context: contextOf(stage) });
      return app.node.children.map(({ node }) => node.id).filter((id) => id.startsWith('simporter'));
    };
    expect(stacksOf('dev')).toEqual(['simporter-dev', 'simporter-simulator-dev']);
    expect(stacksOf('prod')).toEqual(['simporter-prod']);
    expect(stacksOf('local')).toEqual(['simporter-local', 'simporter-console-local']);
  });

  test('creates the table that the simulator expects', () => {
    const { TableName, ...expected } = tableDefinition('any');
    expect(one('AWS::DynamoDB::GlobalTable')).toMatchObject(expected);
  });

  test('limits the requests of all clients, and logs every request without its headers', () => {
    const stage = one('AWS::ApiGatewayV2::Stage');
    expect(stage?.DefaultRouteSettings).toEqual({ ThrottlingBurstLimit: 100, ThrottlingRateLimit: 50 });
    expect(JSON.parse(stage?.AccessLogSettings.Format)).toMatchObject({
      path: '$context.path',
      status: '$context.status',
    });
    expect(stage?.AccessLogSettings.Format).not.toMatch(/header|authorizer/i);
  });

  test('has no secret in its template: the first deployment generates it', () => {
    expect(one('AWS::SecretsManager::Secret')).toMatchObject({
      GenerateSecretString: {
        SecretStringTemplate: '{"clientId":"northwind-api","accountId":1001}',
        GenerateStringKey: 'clientSecret',
      },
    });
    expect(one('AWS::SecretsManager::Secret')).not.toHaveProperty('SecretString');
  });

  test('advances the calendar by the minutes in the settings, by default by none', () => {
    const clock = (simulator: object) =>
      resourcesOf(synthesiseSimulator({ simulator }), 'AWS::Scheduler::Schedule')[0]?.[1];
    expect(clock({})).toMatchObject({ State: 'DISABLED', Target: { Input: '{"advanceMs":0}' } });
    expect(clock({ advanceMinutes: 115 })).toMatchObject({
      State: 'ENABLED',
      ScheduleExpression: 'rate(5 minutes)',
      Target: { Input: '{"advanceMs":6900000}', RetryPolicy: { MaximumRetryAttempts: 0 } },
    });
    expect(() => clock({ advanceMinutes: 1_441 })).toThrow('simulator.advanceMinutes');
  });
});

describe('the permissions of the simulator', () => {
  let dynamodb: TestDynamoDb;
  beforeAll(async () => {
    dynamodb = await startDynamoDb();
  });
  afterAll(() => dynamodb.stop());

  /** The IAM action of each DynamoDB command. */
  const actionsOf: Readonly<Record<string, readonly string[]>> = {
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
  const actionsUsedBy = (command: { readonly constructor: { readonly name: string }; readonly input: Sent }) =>
    command.constructor.name === 'TransactWriteCommand'
      ? (command.input.TransactItems ?? []).flatMap((write) => Object.keys(write).map((verb) => `${verb}Item`))
      : (actionsOf[command.constructor.name] ?? [command.constructor.name]);

  test('are exactly those that its code uses', async () => {
    const table = await dynamodb.newTable();
    const used = new Set<string>();
    const send = table.client.send.bind(table.client);
    table.client.send = ((command: Parameters<typeof actionsUsedBy>[0]) => {
      for (const action of actionsUsedBy(command)) used.add(`dynamodb:${action}`);
      return send(command as never);
    }) as typeof table.client.send;
    const store = createDynamoDbStore(table, wallClock);
    const service = await startTestSimulator({ store, sandbox: true });

    const portId = await createPort(service);
    await service.call('GET', `/api/porting/${service.accountId}`);
    await service.call('DELETE', portPath(service, portId));
    // More rows than one transaction holds, and another port has the last number: the others are released.
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
