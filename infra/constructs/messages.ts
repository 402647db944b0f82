// Messages to people about events: mails, the digest, and a webhook or a chat.

import { Duration, SecretValue, Stack } from 'aws-cdk-lib';
import { ApiDestination, Authorization, type CfnRule, Connection } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { EventName } from '#shared/api/events.ts';
import { fixLogicalId, generatedNames } from '../cdk-conventions.ts';
import { eventSource } from '../derived-settings.ts';
import type { Configuration } from '../settings.ts';
import { copySecret } from './copy-secret.ts';
import type { PipelineEvents } from './event-bus.ts';

interface Message {
  readonly event: EventName;
  /** @default - every event of this name */
  readonly detail?: Readonly<Record<string, readonly string[]>>;
  /** `<member>` is replaced by that member of the event's detail. */
  readonly text: readonly string[];
}

/** By the last part of the ids of their rules. */
export const messagesForPeople: Readonly<Record<string, Message>> = {
  FinishedImports: {
    event: 'ImportFinished',
    text: [
      'The import of <file> has finished. Rows: <rows>, of them <accepted> valid and <rejected> invalid.',
      '<skipped> valid rows were skipped, and <declined> declined by the service.',
      'Requests by outcome: <requests>. Ports by status: <ports>.',
      'Rows that require action: <actionRequired>. Details: simporter results <importId>',
    ],
  },
  InvalidPacs: {
    event: 'PortStatusChanged',
    detail: { status: ['Pac Check Failed', 'PacCheckFailed'] },
    text: [
      'A port needs new PACs: request <request> of import <importId>.',
      'The rows, and the deadline: simporter port <portId>',
    ],
  },
  RequiredActions: {
    event: 'ActionRequired',
    detail: { scope: ['port', 'request'] },
    text: [
      'Action is required for <rows> rows of request <request> of import <importId>: <whatToDo>.',
      'Details: simporter actions',
    ],
  },
};

const patternOf = ({ event, detail }: Message) => ({ 'detail-type': [event], ...(detail && { detail }) });

/** @param bodyOf what is sent, with the text in it; a text alone is sent as a JSON string */
export function inputOf(
  { text: sentences }: Message,
  bodyOf: (text: string) => unknown,
): CfnRule.InputTransformerProperty {
  const inputTemplate = JSON.stringify(bodyOf(sentences.join(' ')));
  const members = [...inputTemplate.matchAll(/<(\w+)>/g)].map(([, member = '']) => member);
  return {
    inputPathsMap: Object.fromEntries(members.map((member) => [member, `$.detail.${member}`])),
    inputTemplate,
  };
}

// An SNS topic for mail: encrypted with our key, and one AWS service publishes to it.

interface MailTopicProps {
  readonly key: IKey;
  readonly email: string;
  /** Part of the statement ids: `PublishAlarms`, `EncryptAlarms`. */
  readonly subject: 'Alarms' | 'Digest';
  readonly publisher: 'cloudwatch.amazonaws.com' | 'events.amazonaws.com';
}

/**
 * SNS sends nothing before the recipient confirms the subscription. Whoever publishes to the topic must depend on it: a
 * reference does not wait for its policy, and what is published before is lost.
 */
export function mailTopic(scope: Construct, id: string, { key, email, subject, publisher }: MailTopicProps): Topic {
  const { partition, region, account } = Stack.of(scope);
  const topic = new Topic(scope, id, {
    displayName: `simporter ${subject.toLowerCase()}`,
    // Other AWS services cannot use the AWS managed key of SNS: their messages would be lost without an error.
    masterKey: key,
    enforceSSL: true,
  });
  // EventBridge supports no condition in a topic policy, and in the key policy only the encryption context.
  const sourceAccount = publisher === 'events.amazonaws.com' ? {} : { StringEquals: { 'aws:SourceAccount': account } };
  const { policyDependable: policy = topic } = topic.addToResourcePolicy(
    new PolicyStatement({
      sid: `Publish${subject}`,
      principals: [new ServicePrincipal(publisher)],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: sourceAccount,
    }),
  );
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: `Encrypt${subject}`,
      principals: [new ServicePrincipal(publisher)],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      // In a key policy, * is the key itself.
      resources: ['*'],
      conditions: {
        ...sourceAccount,
        // The ARN itself would be a circular dependency.
        ArnLike: {
          'kms:EncryptionContext:aws:sns:topicArn': `arn:${partition}:sns:${region}:${account}:${generatedNames(scope)}`,
        },
      },
    }),
  );
  topic.addSubscription(new EmailSubscription(email)).node.addDependency(policy);
  return fixLogicalId(topic);
}

// The digest: mail for some events.

interface DigestProps {
  readonly events: PipelineEvents;
  readonly key: IKey;
  readonly email: string;
}

export function addDigest(scope: Construct, { events, key, email }: DigestProps): void {
  const publisher = 'events.amazonaws.com';
  const topic = mailTopic(scope, 'DigestMail', { key, email, subject: 'Digest', publisher });
  for (const [name, message] of Object.entries(messagesForPeople)) {
    events.addRule(`Mail${name}`, {
      description: `Mails ${message.event}`,
      pattern: patternOf(message),
      target: { id: 'Mail', arn: topic.topicArn, inputTransformer: inputOf(message, (text) => text) },
      after: topic,
    });
  }
}

// Calls an HTTPS address for each event, or posts some of them to a chat. EventBridge repeats a failed call for a day,
// and an archive keeps the events, so that they can be sent again.

interface WebhookProps {
  readonly configuration: Configuration;
  readonly events: PipelineEvents;
  readonly secretName: string;
}

/** Names in events are harmless where the event is made (`plainName`). A card of Teams is a message of a workflow. */
const chatBodies: Readonly<Record<'slack' | 'teams', (text: string) => unknown>> = {
  slack: (text) => ({ blocks: [{ type: 'section', text: { type: 'plain_text', text } }] }),
  teams: (text) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          version: '1.4',
          body: [{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] }],
        },
      },
    ],
  }),
};

const callsPerSecond = 10;

/** Returns the outputs of the stack about it. */
export function addWebhook(
  scope: Construct,
  { configuration, events, secretName }: WebhookProps,
): Readonly<Record<string, string>> {
  const { form } = configuration.webhook;
  const { target, role, updateCommand } = destinationOf(scope, secretName);
  if (form === 'json') {
    events.addRule('WebhookEvents', { description: 'Sends every event to the webhook', target, after: role });
  } else {
    for (const [name, message] of Object.entries(messagesForPeople)) {
      events.addRule(`Chat${name}`, {
        description: `Posts ${message.event} to the chat`,
        pattern: patternOf(message),
        target: { ...target, inputTransformer: inputOf(message, chatBodies[form]) },
        after: role,
      });
    }
  }
  events.bus.archive('Archive', {
    description: 'The events that can be sent to the webhook again',
    eventPattern: { source: [eventSource(configuration.stage)] },
    retention: Duration.days(configuration.retention.logDays),
  });
  return { UpdateWebhook: updateCommand };
}

const keyHeader = 'x-simporter-key';

/**
 * The address of a chat is a secret itself, so it is in no setting and in no template. EventBridge has no place for it
 * that `events:DescribeApiDestination` does not show (docs/reference/events.md).
 */
function destinationOf(scope: Construct, secretName: string) {
  const secret = (jsonField: string) => SecretValue.secretsManager(secretName, { jsonField });
  const connection = new Connection(scope, 'WebhookConnection', {
    description: 'The key that the webhook expects',
    authorization: Authorization.apiKey(keyHeader, secret('key')),
  });
  const destination = new ApiDestination(scope, 'WebhookDestination', {
    description: 'The address of the webhook',
    connection,
    endpoint: secret('url').unsafeUnwrap(),
    rateLimitPerSecond: callsPerSecond,
  });
  const role = new Role(scope, 'WebhookRole', {
    description: 'EventBridge calls the webhook with it',
    assumedBy: new ServicePrincipal('events.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  });
  role.addToPolicy(
    new PolicyStatement({
      sid: 'CallWebhook',
      actions: ['events:InvokeApiDestination'],
      resources: [destination.apiDestinationArnForPolicy ?? destination.apiDestinationArn],
    }),
  );
  return {
    target: { id: 'Webhook', arn: destination.apiDestinationArn, roleArn: role.roleArn },
    role,
    updateCommand: [
      copySecret({
        secretName,
        holds: 'json',
        command: 'events update-connection',
        input: {
          Name: connection.connectionName,
          AuthorizationType: 'API_KEY',
          AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: keyHeader } },
        },
        to: '.AuthParameters.ApiKeyAuthParameters.ApiKeyValue',
        from: '.key',
      }),
      copySecret({
        secretName,
        holds: 'json',
        command: 'events update-api-destination',
        input: { Name: destination.apiDestinationName },
        to: '.InvocationEndpoint',
        from: '.url',
      }),
    ].join(' && '),
  };
}
