// Policies that name a bucket or a topic before it exists must match the name that CloudFormation generates for it.
import { App, NestedStack, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, test } from 'vitest';
import { mailTopic } from '#infra/constructs/messages.ts';
import { sendUploadEvents } from '#infra/pipeline.ts';

const conditionsOf = (stack: Stack): string => {
  const bucket = new Bucket(stack, 'Inbox');
  sendUploadEvents(bucket, new Queue(stack, 'Queue'));
  const key = new Key(stack, 'Key');
  mailTopic(stack, 'Mail', { key, email: 'on-call@example.net', subject: 'Digest', publisher: 'events.amazonaws.com' });
  return JSON.stringify(Template.fromStack(stack).toJSON());
};
const bucketsIn = (conditions: string) => /:s3:::([^"]*)"/.exec(conditions)?.[1];
const topicsIn = (conditions: string) =>
  /"kms:EncryptionContext:aws:sns:topicArn":.*?:([^":,]+)"\]\]/.exec(conditions)?.[1];

// Names of buckets are in lower case and have at most 63 characters: with the logical id and 12 random characters, at
// least 40 of them are for the stack. No generated name has two hyphens in a row.
test.each([
  ['simporter-prod', 'simporter-prod-*', 'simporter-prod-*'],
  ['Ports', 'ports-*', 'Ports-*'],
  ['Prod--Ports', 'prod-ports-*', 'Prod-Ports-*'],
  [
    'PortsOfTheEuropeanSubsidiariesInProduction',
    'portsoftheeuropeansubsidiariesinproducti*',
    'PortsOfTheEuropeanSubsidiariesInProducti*',
  ],
])('the inbox and the mail of the stack %s may use the queue and the key', (name, buckets, topics) => {
  const conditions = conditionsOf(new Stack(new App(), name));
  expect(bucketsIn(conditions)).toBe(buckets);
  expect(topicsIn(conditions)).toBe(topics);
});

test('the name of a nested stack is unknown: every bucket and topic of the account may', () => {
  const conditions = conditionsOf(new NestedStack(new Stack(new App(), 'Ports'), 'Nested'));
  expect([bucketsIn(conditions), topicsIn(conditions)]).toEqual(['*', '*']);
});
