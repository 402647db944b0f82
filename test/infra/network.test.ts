// Optional settings of a deployment: private subnets, the AWS account and region, the name of the secret.
import { expect, test } from 'vitest';
import { violationsOf } from '../support/infra/checks/all-checks.ts';
import { statementsOf } from '../support/infra/checks/permissions.ts';
import { resourcesOf } from '../support/infra/checks/read-template.ts';
import { productionSettings, synthesise, withChanged } from '../support/infra/template.ts';

const inVpc = synthesise('prod', {
  ...productionSettings,
  service: { ...productionSettings.service, secretName: 'porting/client' },
  network: { subnetIds: ['subnet-0a1b', 'subnet-0c2d'], securityGroupIds: ['sg-0e3f'] },
  deployment: { account: '123456789012', region: 'eu-west-2' },
});

test('the functions that call the service run in the named subnets, and the others outside of the VPC', () => {
  // Lists without entries move a function out of a VPC.
  const none = { SubnetIds: [], SecurityGroupIds: [] };
  const networks = resourcesOf(inVpc, 'AWS::Lambda::Function').map(([id, { VpcConfig }]) => [id, VpcConfig]);
  const named = { SubnetIds: ['subnet-0a1b', 'subnet-0c2d'], SecurityGroupIds: ['sg-0e3f'] };
  expect(Object.fromEntries(networks)).toEqual({
    IngestFunction: named,
    SubmitFunction: named,
    SyncFunction: named,
    ReportFunction: none,
    AnnounceFunction: none,
  });
});

test('the permissions that Lambda needs for it are denied to the code of the function', () => {
  const statements = statementsOf(inVpc);
  const allowed = statements.filter(({ sid }) => sid === 'CreateNetworkInterfaces');
  const denied = statements.filter(({ sid }) => sid === 'DenyNetworkInterfacesToCode');
  expect(allowed.map(({ role }) => role)).toEqual(denied.map(({ role }) => role));
  for (const [index, { effect, actions, conditions }] of denied.entries()) {
    expect(effect).toBe('Deny');
    expect(actions).toEqual(allowed[index]?.actions);
    expect(JSON.stringify(conditions)).toContain('lambda:SourceFunctionArn');
  }
});

test('the same wildcard in another statement is a violation', () => {
  const renamed = withChanged(
    inVpc,
    'AWS::IAM::Policy',
    ({ PolicyDocument }) => {
      PolicyDocument.Statement.find(({ Sid }: { Sid: string }) => Sid === 'CreateNetworkInterfaces').Sid = 'Other';
    },
    ({ PolicyDocument }) => JSON.stringify(PolicyDocument).includes('CreateNetworkInterfaces'),
  );
  expect(violationsOf(renamed).map(({ rule }) => rule)).toEqual(['no-wildcard']);
});

test('by default no function runs in a VPC, and no role has permissions for it', () => {
  const plain = synthesise('prod');
  const functions = resourcesOf(plain, 'AWS::Lambda::Function');
  expect(functions.filter(([, { VpcConfig }]) => VpcConfig.SubnetIds.length > 0)).toEqual([]);
  expect(statementsOf(plain).filter(({ actions }) => actions.some((action) => action.startsWith('ec2:')))).toEqual([]);
});

test('the secret has the configured name', () => {
  expect(resourcesOf(inVpc, 'AWS::SecretsManager::Secret').map(([, { Name }]) => Name)).toEqual(['porting/client']);
});
