// Canary releases: events invoke aliases, which CodeDeploy moves to a new version and back if an alarm fires.
import { describe, expect, test } from 'vitest';
import { functionIn } from '#local/template/references.ts';
import { violationsOf } from '../support/infra/checks/all-checks.ts';
import { type Properties, resourcesOf, type Template } from '../support/infra/checks/read-template.ts';
import { productionSettings, synthesise, withoutHash } from '../support/infra/template.ts';

const template = synthesise('prod');
const groupsOf = (of: Template) =>
  Object.fromEntries(
    resourcesOf(of, 'AWS::CodeDeploy::DeploymentGroup').map(([id, group]) => [
      withoutHash(id).replace('Releases', ''),
      group,
    ]),
  );
const names = ['Announce', 'Ingest', 'Report', 'Submit', 'Sync'];

describe('prod', () => {
  test('moves the alias of every function by CodeDeploy', () => {
    const aliases = Object.entries(template.Resources).filter(([, { Type }]) => Type === 'AWS::Lambda::Alias');
    expect(aliases.map(([id]) => withoutHash(id)).sort()).toEqual(names.map((name) => `${name}Live`));
    for (const [id, alias] of aliases) {
      const { CodeDeployLambdaAliasUpdate } = (alias as { UpdatePolicy?: Properties }).UpdatePolicy ?? {};
      expect(withoutHash(CodeDeployLambdaAliasUpdate.DeploymentGroupName.Ref)).toBe(
        `Releases${withoutHash(id).replace('Live', '')}`,
      );
    }
  });

  test('sends a tenth of the invocations to the new version, and half of the few runs of sync', () => {
    const { Sync, ...others } = groupsOf(template);
    expect(Object.keys(others).sort()).toEqual(['Announce', 'Ingest', 'Report', 'Submit']);
    for (const { DeploymentConfigName } of Object.values(others))
      expect(DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent10Minutes');
    const [[id, config] = []] = resourcesOf(template, 'AWS::CodeDeploy::DeploymentConfig');
    expect(Sync?.DeploymentConfigName).toEqual({ Ref: id });
    expect(config?.TrafficRoutingConfig.TimeBasedCanary).toEqual({ CanaryInterval: 15, CanaryPercentage: 50 });
  });

  test('rolls back when the function fails, creates a duplicate port, declines requests or makes people act', () => {
    const [, declined] =
      resourcesOf(template, 'AWS::CloudWatch::Alarm').find(([id]) => /DeclinedRequests/.test(id)) ?? [];
    expect(declined).toMatchObject({ Threshold: 10, ComparisonOperator: 'GreaterThanThreshold' });
    for (const [name, { AlarmConfiguration, AutoRollbackConfiguration }] of Object.entries(groupsOf(template))) {
      expect(AlarmConfiguration.Enabled).toBe(true);
      expect(AlarmConfiguration.Alarms.map((one: { Name: { Ref: string } }) => withoutHash(one.Name.Ref))).toEqual([
        `MonitoringAlarms${name}Errors`,
        'MonitoringAlarmsDuplicatePorts',
        'MonitoringAlarmsDeclinedRequests',
        'MonitoringAlarmsActionRequiredRows',
      ]);
      expect(AutoRollbackConfiguration).toEqual({
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
      });
    }
  });

  test('has no event that invokes a function past its alias', () => {
    const sources = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(([, one]) => one.FunctionName);
    const [[, schedule] = []] = resourcesOf(template, 'AWS::Scheduler::Schedule');
    for (const target of [...sources, schedule?.Target.Arn]) {
      expect(JSON.stringify(target)).toContain('Live');
      expect(functionIn(template, target)).toMatch(/Function$/);
    }
    const [[, runs] = []] = resourcesOf(template, 'AWS::Lambda::EventInvokeConfig');
    expect(runs?.Qualifier).toBe('live');
    expect(JSON.stringify(template.Outputs.SyncFunction?.Value)).toContain(':live');
  });
});

test('a fix can be released all at once, while an alarm is firing', () => {
  const urgent = synthesise('prod', { ...productionSettings, releases: 'all-at-once' });
  expect(violationsOf(urgent)).toEqual([]);
  for (const { DeploymentConfigName, AlarmConfiguration } of Object.values(groupsOf(urgent)))
    expect([DeploymentConfigName, AlarmConfiguration.Enabled]).toEqual(['CodeDeployDefault.LambdaAllAtOnce', false]);
});

test.each(['dev', 'local'] as const)('%s replaces its functions directly', (stage) => {
  const types = new Set(Object.values(synthesise(stage).Resources).map(({ Type }) => Type));
  expect([...types].filter((type) => /Alias|Version|CodeDeploy/.test(type))).toEqual([]);
});
