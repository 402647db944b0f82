// Mail: a topic to which only one service of this account may publish, sealed with our key.
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { keepId } from '../logical-id.ts';

export interface MailTopicProps {
  readonly key: IKey;
  readonly email: string;
  /** Names the statements: `Alarms`, `SealAlarms`. */
  readonly subject: 'Alarms' | 'Digest';
  readonly sender: 'cloudwatch.amazonaws.com' | 'events.amazonaws.com';
}

/** SNS asks the address to confirm before it sends anything else. */
export function mailTopic(scope: Construct, id: string, { key, email, subject, sender }: MailTopicProps): Topic {
  const topic = new Topic(scope, id, {
    displayName: `simporter ${subject.toLowerCase()}`,
    // The key that SNS brings along does not let other services in, and then mail would stay away without an error.
    masterKey: key,
    enforceSSL: true,
  });
  const service = new ServicePrincipal(sender, {
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  });
  topic.addToResourcePolicy(
    new PolicyStatement({ sid: subject, principals: [service], actions: ['sns:Publish'], resources: [topic.topicArn] }),
  );
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: `Seal${subject}`,
      principals: [service],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      // In a key's own policy this is the key.
      resources: ['*'],
    }),
  );
  topic.addSubscription(new EmailSubscription(email));
  return keepId(topic);
}
