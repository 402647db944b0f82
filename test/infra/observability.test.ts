// Who did what, and where the time went: the audit trail of CloudTrail, and traces by X-Ray.
import { describe, expect, test } from 'vitest';
import { formatValue } from '#local/template/references.ts';
import { violationsOf } from '../support/infra/checks/all-checks.ts';
import { statementsOf } from '../support/infra/checks/permissions.ts';
import { resourcesOf } from '../support/infra/checks/read-template.ts';
import { productionSettings, synthesise } from '../support/infra/template.ts';

const template = synthesise('prod');

describe('the audit trail', () => {
  test('records every access to uploads, plans and results: the first two contain PACs', () => {
    const [[, trail] = []] = resourcesOf(template, 'AWS::CloudTrail::Trail');
    expect(trail).toMatchObject({ IsLogging: true, EnableLogFileValidation: true, S3BucketName: { Ref: 'AuditLogs' } });
    const [{ FieldSelectors }] = trail?.AdvancedEventSelectors ?? [];
    expect(FieldSelectors).toMatchObject([
      { Field: 'eventCategory', Equals: ['Data'] },
      { Field: 'resources.type', Equals: ['AWS::S3::Object'] },
      { Field: 'resources.ARN' },
    ]);
    expect(FieldSelectors[2].StartsWith.map(formatValue)).toEqual(['<Inbox.Arn>/', '<Work.Arn>/', '<Results.Arn>/']);
  });

  test('keeps its records for a year, in a bucket that only this trail writes to', () => {
    const [, bucket] = resourcesOf(template, 'AWS::S3::Bucket').find(([id]) => id === 'AuditLogs') ?? [];
    expect(bucket?.LifecycleConfiguration.Rules).toEqual([{ ExpirationInDays: 365, Status: 'Enabled' }]);
    const [, policy] =
      resourcesOf(template, 'AWS::S3::BucketPolicy').find(([, { Bucket }]) => Bucket.Ref === 'AuditLogs') ?? [];
    const allowed = policy?.PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect === 'Allow');
    expect(allowed.map(({ Action }: { Action: string }) => Action)).toEqual(['s3:GetBucketAcl', 's3:PutObject']);
    for (const { Principal, Condition } of allowed) {
      expect(Principal).toEqual({ Service: 'cloudtrail.amazonaws.com' });
      expect(formatValue(Condition.StringEquals['aws:SourceArn'])).toMatch(/:trail\/simporter-prod-audit$/);
    }
  });

  test.each(['dev', 'local'] as const)('is off in %s', (stage) => {
    expect(resourcesOf(synthesise(stage), 'AWS::CloudTrail::Trail')).toEqual([]);
  });
});

describe('traces', () => {
  test('are off by default', () => {
    const modes = resourcesOf(template, 'AWS::Lambda::Function').map(([, { TracingConfig }]) => TracingConfig.Mode);
    expect(new Set(modes)).toEqual(new Set(['PassThrough']));
  });

  test('cover every function where they are on, and each may write them', () => {
    const traced = synthesise('prod', { ...productionSettings, tracing: true });
    expect(violationsOf(traced)).toEqual([]);
    for (const [, { TracingConfig }] of resourcesOf(traced, 'AWS::Lambda::Function'))
      expect(TracingConfig).toEqual({ Mode: 'Active' });
    const writers = statementsOf(traced).filter(({ actions }) => actions.includes('xray:PutTraceSegments'));
    expect(writers).toHaveLength(5);
  });
});
