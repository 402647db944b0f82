// The intrinsic functions of a template.
import { describe, expect, test } from 'vitest';
import { Resolver } from '#local/template/resolve.ts';
import { template } from '#local/template/template.ts';

const around = {
  region: 'eu-west-2',
  accountId: '000000000000',
  stackName: 'stack',
  sqsEndpoint: 'http://127.0.0.1:1',
};
const resolve = (raw: unknown, body: object = {}) =>
  new Resolver(
    template.parse({
      Resources: {
        Work: { Type: 'AWS::SQS::Queue' },
        Inbox: { Type: 'AWS::S3::Bucket' },
        Role: { Type: 'AWS::IAM::Role' },
        Named: {
          Type: 'AWS::SQS::Queue',
          Properties: { QueueName: { 'Fn::Join': ['-', ['my', { Ref: 'AWS::Region' }]] } },
        },
      },
      ...body,
    }),
    around,
  ).value(raw, 'here');

describe('an intrinsic function', () => {
  test.each([
    ['Ref of a queue is its URL', { Ref: 'Work' }, 'http://127.0.0.1:1/000000000000/stack-Work'],
    ['Ref of a bucket is its name', { Ref: 'Inbox' }, 'stack-inbox'],
    ['Ref of a pseudo parameter', { Ref: 'AWS::Region' }, 'eu-west-2'],
    ['GetAtt', { 'Fn::GetAtt': ['Work', 'Arn'] }, 'arn:aws:sqs:eu-west-2:000000000000:stack-Work'],
    ['a name that is given by another function', { 'Fn::GetAtt': ['Named', 'QueueName'] }, 'my-eu-west-2'],
    ['Join', { 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ':x']] }, 'arn:aws:x'],
    ['Select of Split', { 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    ['a function deep inside', { a: [{ b: { Ref: 'Inbox' } }] }, { a: [{ b: 'stack-inbox' }] }],
    [
      'an ignored resource has stand-ins',
      { 'Fn::GetAtt': ['Role', 'Arn'] },
      'arn:aws:local:eu-west-2:000000000000:Role/Arn',
    ],
    ['NoValue leaves the property out', { a: { Ref: 'AWS::NoValue' }, b: 1 }, { b: 1 }],
  ])('%s', (_name, raw, expected) => {
    expect(resolve(raw)).toEqual(expected);
  });
});

describe('a wrong reference', () => {
  test.each([
    [{ deep: { 'Fn::Cidr': ['x'] } }, 'stack: here.deep: the emulator does not know the intrinsic function Fn::Cidr'],
    [{ Ref: 'Nobody' }, 'stack: here: refers to "Nobody", which is no resource'],
    [
      { 'Fn::GetAtt': ['Work', 'Colour'] },
      'stack: here: AWS::SQS::Queue "Work" has no attribute Colour in the emulator',
    ],
    [[{ 'Fn::Select': [5, ['a']] }], 'stack: here[0]: has no element 5'],
    [{ 'Fn::Join': ['', [{ list: true }]] }, 'stack: here: expected a text, got {"list":true}'],
  ])('in %j is an error that names its place', (raw, message) => {
    expect(() => resolve(raw)).toThrow(message);
  });

  test('of a name to itself is an error', () => {
    const body = { Resources: { Loop: { Type: 'AWS::SQS::Queue', Properties: { QueueName: { Ref: 'Loop' } } } } };

    expect(() => resolve({ Ref: 'Loop' }, body)).toThrow('stack: Loop: the name of this resource refers to itself');
  });
});
