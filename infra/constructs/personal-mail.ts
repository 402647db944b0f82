// Mails to the people of an import: who uploaded it in the console, and to whom it is assigned. An event starts a state
// machine, which reads both, remembers the mail, and calls SES.
import { Stack } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { type ItemKey, importKey, mailKey, uploaderKey } from '#shared/store/tables/item-keys.ts';
import { acknowledge } from '../acknowledge.ts';
import { stackName } from '../derived-settings.ts';
import type { Configuration } from '../settings.ts';
import type { PipelineEvents } from './event-bus.ts';
import { inputOf, messagesForPeople, messagesForUploaders, patternOf } from './messages-for-people.ts';

export interface PersonalMailProps {
  readonly configuration: Configuration;
  readonly events: PipelineEvents;
  readonly table: ITableV2;
  /** The sender. */
  readonly from: string;
}

export function addPersonalMail(scope: Construct, { configuration, events, table, from }: PersonalMailProps): void {
  const { partition, region, account } = Stack.of(scope);
  const machineRole = roleFor(scope, 'PersonalMailRole', 'states');
  const allow = (role: Role, sid: string, actions: string[], resources: string[], conditions = {}) =>
    role.addToPolicy(new PolicyStatement({ sid, actions, resources, conditions }));
  const items = (...prefixes: string[]) => ({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': prefixes } });
  allow(machineRole, 'ReadPeople', ['dynamodb:GetItem'], [table.tableArn], items('audit#*', 'import#*'));
  allow(machineRole, 'RememberMails', ['dynamodb:PutItem'], [table.tableArn], items('mail#*'));
  // SES has verified either the address or its domain.
  const identities = [from, from.slice(from.indexOf('@') + 1)].map(
    (identity) => `arn:${partition}:ses:${region}:${account}:identity/${identity}`,
  );
  allow(machineRole, 'SendMails', ['ses:SendEmail'], identities, { StringEquals: { 'ses:FromAddress': from } });
  allow(machineRole, 'SendToDeadLetters', ['sqs:SendMessage'], [events.deadLetters.queueArn]);
  const machine = new CfnStateMachine(scope, 'PersonalMail', {
    stateMachineType: 'EXPRESS',
    roleArn: machineRole.roleArn,
    definition: definitionOf({ partition, table: table.tableName, deadLetters: events.deadLetters.queueUrl, from }),
  });
  machine.node.addDependency(machineRole);
  const reason = 'Its executions hold addresses of people. What fails is dead-lettered with its cause.';
  for (const rule of ['AwsSolutions-SF1', 'AwsSolutions-SF2']) acknowledge(machine, rule, reason);

  const ruleRole = roleFor(scope, 'PersonalMailRuleRole', 'events');
  allow(ruleRole, 'StartMail', ['states:StartExecution'], [machine.attrArn]);
  const address = configuration.console.domain && `https://${configuration.console.domain}/#/imports/<importId>`;
  for (const [name, message] of Object.entries({ ...messagesForPeople, ...messagesForUploaders })) {
    events.addRule(`Person${name}`, {
      description: `Mails ${message.event} to the people of the import`,
      pattern: patternOf(message),
      target: {
        id: 'PersonalMail',
        arn: machine.attrArn,
        roleArn: ruleRole.roleArn,
        inputTransformer: inputOf(message, (text) => ({
          uploader: keyOf(uploaderKey('<importId>')),
          import: keyOf(importKey('<importId>')),
          // Many ports of an import may require action on one day: that is one mail.
          mail: keyOf(mailKey('<importId>', message.isRepeated ? 'action' : '<id>')),
          subject: `${stackName(configuration.stage)}: import <importId>`,
          text: address === undefined ? text : `${text} ${address}`,
        })),
      },
    });
  }
}

const keyOf = ({ pk, sk }: ItemKey) => ({ pk: { S: pk }, sk: { S: sk } });

const roleFor = (scope: Construct, id: string, service: 'events' | 'states'): Role =>
  new Role(scope, id, {
    description: service === 'states' ? 'Mails the people of an import' : 'Starts the mails to people',
    assumedBy: new ServicePrincipal(`${service}.amazonaws.com`, {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  });

interface Names {
  readonly partition: string;
  readonly table: string;
  /** The address of the queue. */
  readonly deadLetters: string;
  readonly from: string;
}

const isRemembered = 'DynamoDB.ConditionalCheckFailedException';
/** As long as an EXPRESS execution has time for: it ends after five minutes. */
const retry = [
  { ErrorEquals: [isRemembered], MaxAttempts: 0 },
  { ErrorEquals: ['States.ALL'], IntervalSeconds: 5, BackoffRate: 2, MaxAttempts: 5 },
];
/** A repeated event sends no second mail within a day, and neither does another port that requires action. */
const rememberedSeconds = 86_400;
const secondsFromNow = (later: number): string => `{% $string($floor($millis() / 1000) + ${later}) %}`;

/** No address: a name of a provider without verified addresses, or one in which something like a PAC was masked. */
const found = (attribute: string): string =>
  `$states.result.Item.${attribute}.S[$contains($, /^[^@\\s\\x5b]+@[^@\\s]+$/)]`;

/** TTL deletes an item up to days after its time, so the time is compared, too. */
const mailItem = {
  Item: {
    pk: '{% $states.input.mail.pk %}',
    sk: '{% $states.input.mail.sk %}',
    expiresAt: { N: secondsFromNow(rememberedSeconds) },
  },
  ConditionExpression: 'attribute_not_exists(pk) OR expiresAt < :now',
  ExpressionAttributeValues: { ':now': { N: secondsFromNow(0) } },
};

const simpleMail = {
  Subject: { Data: '{% $states.input.subject %}' },
  Body: { Text: { Data: '{% $states.input.text %}' } },
};

/** In the language of Amazon States, with expressions in JSONata. */
function definitionOf({ partition, table, deadLetters, from }: Names) {
  const task = (service: string, task: { Arguments: object; Output?: string; Next?: string; Catch?: object[] }) => ({
    Type: 'Task',
    Resource: `arn:${partition}:states:::${service}`,
    Output: '{% $states.input %}',
    Retry: retry,
    ...task,
    ...(task.Next === undefined && { End: true }),
    Catch: [...(task.Catch ?? []), { ErrorEquals: ['States.ALL'], Output: failure, Next: 'DeadLetter' }],
  });
  const failure = '{% $merge([$states.input, $states.errorOutput]) %}';
  /** `to`: with the addresses in the item that was read. */
  const readPeople = (key: 'uploader' | 'import', attribute: string, Next: string) =>
    task('dynamodb:getItem', {
      Arguments: { TableName: table, Key: `{% $states.input.${key} %}` },
      Output: `{% $merge([$states.input, {'to': [$distinct([$states.input.to, ${found(attribute)}])]}]) %}`,
      Next,
    });
  return {
    QueryLanguage: 'JSONata',
    StartAt: 'ReadUploader',
    States: {
      ReadUploader: readPeople('uploader', 'by', 'ReadAssignee'),
      // An assignment that was undone names nobody.
      ReadAssignee: readPeople('import', 'assigned.M.to', 'HasPeople'),
      HasPeople: {
        Type: 'Choice',
        Choices: [{ Condition: '{% $count($states.input.to) > 0 %}', Next: 'RememberMail' }],
        Default: 'Done',
      },
      RememberMail: task('dynamodb:putItem', {
        Arguments: { TableName: table, ...mailItem },
        Catch: [{ ErrorEquals: [isRemembered], Next: 'Done' }],
        Next: 'SendMail',
      }),
      SendMail: task('aws-sdk:sesv2:sendEmail', {
        Arguments: {
          FromEmailAddress: from,
          Destination: { ToAddresses: '{% $states.input.to %}' },
          Content: { Simple: simpleMail },
        },
      }),
      DeadLetter: {
        Type: 'Task',
        Resource: `arn:${partition}:states:::sqs:sendMessage`,
        Arguments: { QueueUrl: deadLetters, MessageBody: '{% $string($states.input) %}' },
        Retry: retry,
        End: true,
      },
      Done: { Type: 'Succeed' },
    },
  };
}
