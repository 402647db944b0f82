// What the engine reads out of a template.
import { describe, expect, test } from 'vitest';
import { mergeBlueprints, readBlueprint } from '#local/template/blueprint.ts';
import { lambda, mapping, queue, stackOf } from '../../support/local-templates.ts';

const around = { region: 'eu-west-2', accountId: '000000000000', sqsEndpoint: 'http://127.0.0.1:1' };
const read = (resources: Parameters<typeof stackOf>[0], more: object = {}) =>
  readBlueprint(stackOf(resources, more), around);

describe('a blueprint', () => {
  test('has the defaults of AWS where the template says nothing', () => {
    const { functions, mappings } = read({
      Work: queue(),
      Worker: { ...lambda('slow'), Properties: {} },
      Source: { ...mapping('Work', 'Worker') },
    });

    expect(functions[0]).toMatchObject({ Timeout: 3, MemorySize: 128 });
    expect(mappings[0]).toMatchObject({ BatchSize: 10, MaximumBatchingWindowInSeconds: 0, Enabled: true });
  });

  test('leaves out what the engine need not run, and what a condition switches off', () => {
    const { queues } = readBlueprint(
      {
        stackName: 'test',
        body: {
          Conditions: { Never: { 'Fn::Equals': ['a', 'b'] } },
          Resources: {
            Role: { Type: 'AWS::IAM::Role' },
            Alarm: { Type: 'AWS::CloudWatch::Alarm' },
            Work: queue(),
            Spare: { ...queue(), Condition: 'Never' },
          },
        },
      },
      around,
    );

    expect(queues.map(({ logicalId }) => logicalId)).toEqual(['Work']);
  });

  test('cuts a made-up name to what AWS allows and keeps it distinct', () => {
    const long = 'A'.repeat(100);
    const { queues } = read({ [`${long}1`]: queue(), [`${long}2`]: queue() });

    expect(queues.map(({ name }) => name.length)).toEqual([80, 80]);
    expect(new Set(queues.map(({ name }) => name)).size).toBe(2);
  });

  test('of several stacks is one', () => {
    const merged = mergeBlueprints([
      read({ Work: queue() }, { Outputs: { A: { Value: '1' } } }),
      read({ Other: queue() }, { Outputs: { B: { Value: '2' } } }),
    ]);

    expect(merged.queues.map(({ logicalId }) => logicalId)).toEqual(['Work', 'Other']);
    expect(merged.outputs).toEqual({ A: '1', B: '2' });
  });
});

describe('a template the engine cannot run', () => {
  test('names every resource of an unknown type at once', () => {
    expect(() => read({ A: { Type: 'AWS::EC2::VPC' }, B: { Type: 'Custom::Thing' } })).toThrow(
      'test: the engine cannot run A (AWS::EC2::VPC), B (Custom::Thing)',
    );
  });

  test('names the property that is wrong', () => {
    expect(() => read({ Work: queue({ VisibilityTimeout: 'soon' }) })).toThrow(
      /Work \(AWS::SQS::Queue\).*VisibilityTimeout/s,
    );
  });

  test('names the function whose source is unknown', () => {
    expect(() => read({ Worker: { Type: 'AWS::Lambda::Function' } })).toThrow(
      'Worker: a function needs Metadata "simporter:entry" naming its source file',
    );
  });

  test('filters messages of a queue, which the engine does not', () => {
    const resources = {
      Work: queue(),
      Worker: lambda('slow'),
      Source: mapping('Work', 'Worker', { FilterCriteria: { Filters: [{ Pattern: '{}' }] } }),
    };

    expect(() => read(resources)).toThrow(/Source.*the engine does not filter messages of queues/s);
  });

  test('notifies anything but queues of uploads', () => {
    const Properties = { NotificationConfiguration: { LambdaConfigurations: [] } };

    expect(() => read({ Inbox: { Type: 'AWS::S3::Bucket', Properties } })).toThrow(/Inbox.*LambdaConfigurations/s);
  });
});
