// What the emulator reads from a template.
import { describe, expect, test } from 'vitest';
import { readBlueprint } from '#local/template/blueprint.ts';
import { blueprintContext, lambda, mapping, queue, stackOf } from '../../support/emulator/templates.ts';

const read = (resources: Parameters<typeof stackOf>[0], more: object = {}) =>
  readBlueprint([stackOf(resources, more)], blueprintContext);

describe('a blueprint', () => {
  test('has the defaults of AWS where the template sets nothing', () => {
    const { functions, mappings } = read({
      Work: queue(),
      Worker: { ...lambda('slow'), Properties: {} },
      Source: { ...mapping('Work', 'Worker') },
    });

    expect(functions[0]).toMatchObject({ Timeout: 3, MemorySize: 128 });
    expect(mappings[0]).toMatchObject({ BatchSize: 10, MaximumBatchingWindowInSeconds: 0, Enabled: true });
  });

  test('leaves out ignored types', () => {
    const { queues } = read({
      Role: { Type: 'AWS::IAM::Role' },
      Alarm: { Type: 'AWS::CloudWatch::Alarm' },
      Work: queue(),
    });

    expect(queues.map(({ logicalId }) => logicalId)).toEqual(['Work']);
  });

  test('cuts a generated name to the length that AWS allows and keeps it distinct', () => {
    const long = 'A'.repeat(100);
    const { queues } = read({ [`${long}1`]: queue(), [`${long}2`]: queue() });

    expect(queues.map(({ name }) => name.length)).toEqual([80, 80]);
    expect(new Set(queues.map(({ name }) => name)).size).toBe(2);
  });

  test('of several stacks is one, in which a stack uses outputs of another one', () => {
    const ofLater = { 'Fn::GetStackOutput': { StackName: 'later', Region: 'eu-west-2', OutputName: 'B' } };
    const first = stackOf({ Work: queue() }, { Outputs: { A: { Value: ofLater } } });
    const later = { ...stackOf({ Other: queue() }, { Outputs: { B: { Value: '2' } } }), stackName: 'later' };

    const { queues, outputs } = readBlueprint([first, later], blueprintContext);

    expect(queues.map(({ logicalId }) => logicalId)).toEqual(['Work', 'Other']);
    expect(outputs).toEqual({ A: '2', B: '2' });
    expect(() => readBlueprint([first], blueprintContext)).toThrow('the stack later has no output B');
  });
});

describe('a template that the emulator cannot run', () => {
  test('is declined with every resource of an unknown type', () => {
    expect(() => read({ A: { Type: 'AWS::EC2::VPC' }, B: { Type: 'Custom::Thing' } })).toThrow(
      'test: the emulator cannot run A (AWS::EC2::VPC), B (Custom::Thing)',
    );
  });

  test('is declined where a resource has a condition', () => {
    expect(() => read({ Work: Object.assign(queue(), { Condition: 'Never' }) })).toThrow(
      'the emulator knows no conditions',
    );
  });

  test('is declined with the property that is wrong', () => {
    expect(() => read({ Work: queue({ VisibilityTimeout: 'soon' }) })).toThrow(
      /Work \(AWS::SQS::Queue\).*VisibilityTimeout/s,
    );
  });

  test('is declined with the function whose source is unknown', () => {
    expect(() => read({ Worker: { Type: 'AWS::Lambda::Function' } })).toThrow(
      'Worker: a function needs Metadata "simporter:entry" that names its source file',
    );
  });

  test('is declined where it filters the messages of a queue', () => {
    const resources = {
      Work: queue(),
      Worker: lambda('slow'),
      Source: mapping('Work', 'Worker', { FilterCriteria: { Filters: [{ Pattern: '{}' }] } }),
    };

    expect(() => read(resources)).toThrow(/Source.*the emulator does not filter messages of queues/s);
  });

  test('is declined where a bucket notifies anything but queues', () => {
    const Properties = { NotificationConfiguration: { LambdaConfigurations: [] } };

    expect(() => read({ Inbox: { Type: 'AWS::S3::Bucket', Properties } })).toThrow(/Inbox.*LambdaConfigurations/s);
  });
});
