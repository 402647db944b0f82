// Mails to the people of an import. The expressions of the state machine are evaluated as AWS does it; a table and a
// mailer in memory take its calls.
import jsonata from 'jsonata';
import { describe, expect, test } from 'vitest';
import { readConfiguration } from '#infra/config.ts';
import { type EventName, eventDetails } from '#shared/events/events.ts';
import { importKey, uploaderKey } from '#shared/store/tables/item-keys.ts';
import { consoleContext, productionContext, synthesise } from '../support/infra-template.ts';
import { violationsOf } from '../support/template-checks/all-checks.ts';
import { formatValue, resourcesOf } from '../support/template-checks/read-template.ts';

const from = 'porting@example.com';
const template = synthesise('prod', { ...productionContext, ...consoleContext('prod'), mailPeopleFrom: from });
const rules = resourcesOf(template, 'AWS::Events::Rule')
  .map(([, properties]) => properties)
  .filter(({ Name }) => Name.includes('Person'));
const [[, machine] = []] = resourcesOf(template, 'AWS::StepFunctions::StateMachine');
const definition = machine?.Definition;

/** What the rule passes on of an event. */
function inputOf(name: string, detail: Readonly<Record<string, unknown>>) {
  const [rule] = rules.filter((one) => one.Name.endsWith(name));
  const { InputTemplate, InputPathsMap } = rule?.Targets[0].InputTransformer ?? {};
  const text = InputTemplate.replaceAll(/<(\w+)>/g, (_: string, member: string) => {
    expect(InputPathsMap[member]).toBe(`$.detail.${member}`);
    return String(detail[member]);
  });
  return JSON.parse(text);
}

interface World {
  readonly items: Map<string, Record<string, unknown>>;
  readonly mails: { to: string[]; text: string }[];
  readonly deadLetters: string[];
  mailError?: string;
}

const someWorld = (uploader?: string, assignee?: string): World => {
  const { pk, sk } = importKey('i1');
  const items = new Map<string, Record<string, unknown>>([
    [`${pk} ${sk}`, { assigned: { M: assignee === undefined ? {} : { to: { S: assignee } } } }],
  ]);
  const { pk: audit, sk: who } = uploaderKey('i1');
  if (uploader !== undefined) items.set(`${audit} ${who}`, { by: { S: uploader } });
  return { items, mails: [], deadLetters: [] };
};

class Failure extends Error {}
const nameOf = ({ pk, sk }: { pk: { S: string }; sk: { S: string } }) => `${pk.S} ${sk.S}`;

// biome-ignore lint/suspicious/noExplicitAny: each service takes other arguments
const services: Readonly<Record<string, (args: any, world: World) => unknown>> = {
  'dynamodb:getItem': ({ Key }, { items }) => ({ Item: items.get(nameOf(Key)) }),
  'dynamodb:putItem': ({ Item, ExpressionAttributeValues: { ':now': now } }, { items }) => {
    const known = items.get(nameOf(Item)) as { expiresAt: { N: string } } | undefined;
    if (known && Number(known.expiresAt.N) >= Number(now.N)) {
      throw new Failure('DynamoDB.ConditionalCheckFailedException');
    }
    items.set(nameOf(Item), Item);
  },
  'aws-sdk:sesv2:sendEmail': ({ FromEmailAddress, Destination, Content }, { mails, mailError }) => {
    if (mailError) throw new Failure(mailError);
    expect(FromEmailAddress).toBe(from);
    mails.push({ to: Destination.ToAddresses, text: Content.Simple.Body.Text.Data });
  },
  'sqs:sendMessage': ({ MessageBody }, { deadLetters }) => deadLetters.push(MessageBody),
};

// biome-ignore lint/suspicious/noExplicitAny: a part of the definition
async function evaluate(value: any, states: object): Promise<any> {
  if (typeof value === 'string') {
    const [, expression] = /^\{%(.*)%\}$/s.exec(value) ?? [];
    if (expression === undefined) return value;
    const answer = await jsonata(expression).evaluate({}, { states });
    // AWS fails the execution then.
    expect(answer).toBeDefined();
    return JSON.parse(JSON.stringify(answer));
  }
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(async ([key, member]) => [key, await evaluate(member, states)]);
  return Object.fromEntries(await Promise.all(entries));
}

interface Step {
  readonly next: string | undefined;
  readonly output: unknown;
}

async function run(input: unknown, world: World): Promise<void> {
  let step: Step = { next: definition.StartAt, output: input };
  while (step.next !== undefined) step = await runState(definition.States[step.next], step.output, world);
}

// biome-ignore lint/suspicious/noExplicitAny: a part of the definition
async function runState(state: any, input: unknown, world: World): Promise<Step> {
  if (state.Type === 'Choice') {
    const [{ Condition, Next }] = state.Choices;
    return { next: (await evaluate(Condition, { input })) ? Next : state.Default, output: input };
  }
  if (state.Type === 'Succeed') return { next: undefined, output: input };
  const service = formatValue(state.Resource).replace(/^.*states:::/, '');
  try {
    const result = services[service]?.(await evaluate(state.Arguments, { input }), world);
    return { next: state.Next, output: state.Output && (await evaluate(state.Output, { input, result })) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { Output, Next } = state.Catch.find(({ ErrorEquals }: { ErrorEquals: string[] }) =>
      ErrorEquals.some((one) => one === error.message || one === 'States.ALL'),
    );
    const errorOutput = { Error: error.message };
    return { next: Next, output: Output ? await evaluate(Output, { input, errorOutput }) : errorOutput };
  }
}

const finished = (id: string) =>
  inputOf('FinishedImports', { id, importId: 'i1', file: 'create-port/july.csv', rows: 3 });
const invalidPacs = (id: string) => inputOf('InvalidPacs', { id, importId: 'i1', request: 1, portId: 'p1' });
const required = (id: string) => inputOf('RequiredActions', { id, importId: 'i1', rows: 2, request: 2, whatToDo: 'x' });

describe('mails to the people of an import', () => {
  test('are not set up without a sender, and have no violation with one', () => {
    expect(resourcesOf(synthesise('prod'), 'AWS::StepFunctions::StateMachine')).toEqual([]);
    expect(violationsOf(template)).toEqual([]);
    expect(() => readConfiguration('prod', { ...productionContext, mailPeopleFrom: 'porting' })).toThrow(/mailPeople/);
  });

  test('are about what the digest is about, and about imports that wait for approval or are rejected', () => {
    expect(rules.map(({ EventPattern }) => [EventPattern['detail-type'][0], EventPattern.detail])).toEqual([
      ['ImportFinished', undefined],
      ['PortStatusChanged', { status: ['Pac Check Failed', 'PacCheckFailed'] }],
      ['ActionRequired', { scope: ['port', 'request'] }],
      ['ImportPlanned', { waitsForApproval: [true] }],
      ['ImportRejected', undefined],
    ]);
    for (const { EventPattern, Targets } of rules) {
      const members = Object.keys(eventDetails[EventPattern['detail-type'][0] as EventName].shape);
      expect(members).toEqual(expect.arrayContaining(Object.keys(Targets[0].InputTransformer.InputPathsMap)));
    }
  });

  test.each([
    ['who uploaded it', 'anna@example.com', undefined, ['anna@example.com']],
    ['whom it is assigned to', undefined, 'ben@example.com', ['ben@example.com']],
    ['both', 'anna@example.com', 'ben@example.com', ['anna@example.com', 'ben@example.com']],
    ['a person once', 'anna@example.com', 'anna@example.com', ['anna@example.com']],
    ['nobody without address', 'anna', '[redacted]@example.com', undefined],
    ['nobody where nobody is known', undefined, undefined, undefined],
  ])('go to %s', async (_, uploader, assignee, to) => {
    const world = someWorld(uploader, assignee);
    await run(finished('e1'), world);
    expect(world.mails.map((mail) => mail.to)).toEqual(to === undefined ? [] : [to]);
  });

  test('are sent once for each event, once a day about actions, and name the page of the import', async () => {
    const world = someWorld('anna@example.com');
    for (const event of [finished('e1'), finished('e1'), invalidPacs('e2'), required('e3')]) await run(event, world);
    expect(world.mails.map(({ text }) => text)).toEqual([
      expect.stringMatching(/july\.csv has finished.* https:\/\/porting\.example\.com\/#\/imports\/i1$/),
      expect.stringContaining('A port needs new PACs'),
    ]);
    for (const item of world.items.values()) if ('expiresAt' in item) item.expiresAt = { N: '1' };
    await run(required('e3'), world);
    await run(finished('e4'), world);
    expect(world.mails).toHaveLength(4);
  });

  test('that fail are dead-lettered with the reason', async () => {
    const world = { ...someWorld('anna@example.com'), mailError: 'SesV2.MessageRejectedException' };
    await run(finished('e1'), world);
    expect(JSON.parse(world.deadLetters[0] ?? '')).toMatchObject({ Error: world.mailError, to: ['anna@example.com'] });
  });
});

test('the state machine reads two items, writes its own, and sends from this address only', () => {
  const policies = resourcesOf(template, 'AWS::IAM::Policy').filter(([id]) => id.startsWith('PersonalMail'));
  const statements = policies.flatMap(([, { PolicyDocument }]) => PolicyDocument.Statement);
  expect(statements.map(({ Sid, Action, Condition }) => [Sid, Action, Object.values(Condition ?? {})[0]])).toEqual([
    ['ReadPeople', 'dynamodb:GetItem', { 'dynamodb:LeadingKeys': ['audit#*', 'import#*'] }],
    ['RememberMails', 'dynamodb:PutItem', { 'dynamodb:LeadingKeys': ['mail#*'] }],
    ['SendMails', 'ses:SendEmail', { 'ses:FromAddress': from }],
    ['SendToDeadLetters', 'sqs:SendMessage', undefined],
    ['StartMail', 'states:StartExecution', undefined],
  ]);
});
