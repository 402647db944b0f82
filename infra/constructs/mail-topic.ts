// An SNS topic for mail: encrypted with our key, and one AWS service publishes to it.
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { fixLogicalId } from '../fixed-logical-id.ts';
import { generatedNames } from '../generated-names.ts';

export interface MailTopicProps {
  readonly key: IKey;
  readonly email: string;
  /** Part of the statement ids: `PublishAlarms`, `EncryptAlarms`. */
  readonly subject: 'Alarms' | 'Digest';
  readonly publisher: 'cloudwatch.amazonaws.com' | 'events.amazonaws.com';
}

/** SNS sends nothing before the recipient confirms the subscription. */
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
  topic.addToResourcePolicy(
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
  topic.addSubscription(new EmailSubscription(email));
  return fixLogicalId(topic);
}
