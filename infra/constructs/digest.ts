// The digest: mail for some events.
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { PipelineEvents } from './event-bus.ts';
import { mailTopic } from './mail-topic.ts';
import { inputOf, messagesForPeople, patternOf } from './messages-for-people.ts';

export interface DigestProps {
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
    });
  }
}
