// Calls an HTTPS address for each event, or posts some of them to a chat. EventBridge repeats a failed call for a day,
// and an archive keeps the events, so that they can be sent again.
import { Duration, SecretValue, Stack } from 'aws-cdk-lib';
import { ApiDestination, Authorization, type CfnRule, Connection } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { eventSource } from '../derived-settings.ts';
import type { Configuration } from '../settings.ts';
import type { PipelineEvents } from './event-bus.ts';
import { inputOf, messagesForPeople, patternOf } from './messages-for-people.ts';

export interface WebhookProps {
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

export function addWebhook(scope: Construct, { configuration, events, secretName }: WebhookProps): void {
  const { form } = configuration.webhook;
  const target = destinationOf(scope, secretName);
  if (form === 'json') {
    events.addRule('WebhookEvents', { description: 'Sends every event to the webhook', target });
  } else {
    for (const [name, message] of Object.entries(messagesForPeople)) {
      events.addRule(`Chat${name}`, {
        description: `Posts ${message.event} to the chat`,
        pattern: patternOf(message),
        target: { ...target, inputTransformer: inputOf(message, chatBodies[form]) },
      });
    }
  }
  events.bus.archive('Archive', {
    description: 'The events that can be sent to the webhook again',
    eventPattern: { source: [eventSource(configuration.stage)] },
    retention: Duration.days(configuration.retention.logDays),
  });
}

/** The address of a chat is a secret itself, so it is in no setting and in no template. */
function destinationOf(scope: Construct, secretName: string): CfnRule.TargetProperty {
  const secret = (jsonField: string) => SecretValue.secretsManager(secretName, { jsonField });
  const connection = new Connection(scope, 'WebhookConnection', {
    description: 'The key that the webhook expects',
    authorization: Authorization.apiKey('x-simporter-key', secret('key')),
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
  return { id: 'Webhook', arn: destination.apiDestinationArn, roleArn: role.roleArn };
}
