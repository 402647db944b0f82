// Alarm mail: a topic to which only this account's alarms may publish, sealed with our key.
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { keepId } from '../logical-id.ts';

/** SNS asks the address to confirm before it sends anything else. */
export function alarmMail(scope: Construct, id: string, key: IKey, email: string): Topic {
  const topic = new Topic(scope, id, {
    displayName: 'simporter alarms',
    // The key that SNS brings along does not let CloudWatch in, and then alarms would fall silent without an error.
    masterKey: key,
    enforceSSL: true,
  });
  const alarms = new ServicePrincipal('cloudwatch.amazonaws.com', {
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  });
  topic.addToResourcePolicy(
    new PolicyStatement({ sid: 'Alarms', principals: [alarms], actions: ['sns:Publish'], resources: [topic.topicArn] }),
  );
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: 'SealAlarms',
      principals: [alarms],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      // In a key's own policy this is the key.
      resources: ['*'],
    }),
  );
  topic.addSubscription(new EmailSubscription(email));
  return keepId(topic);
}
