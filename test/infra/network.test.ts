// What a deployment may add to a stage: a network of its own, a place it belongs to, a name for its secret.
import { expect, test } from 'vitest';
import { statementsOf } from '#infra/checks/permissions.ts';
import { violationsOf } from '#infra/checks/plugin.ts';
import { resourcesOf } from '#infra/checks/template.ts';
import { namedService, synthesise, withChanged } from '../support/infra-template.ts';

const inNetwork = synthesise('prod', {
  ...namedService,
  subnetIds: 'subnet-0a1b,subnet-0c2d',
  securityGroupIds: 'sg-0e3f',
  serviceSecretName: 'porting/client',
  awsAccount: '123456789012',
  awsRegion: 'eu-west-2',
});

test('every function of the line runs in the network that is named', () => {
  const networks = resourcesOf(inNetwork, 'AWS::Lambda::Function').map(([, { VpcConfig }]) => VpcConfig);
  expect(networks.length).toBeGreaterThanOrEqual(4);
  for (const network of networks)
    expect(network).toEqual({ SubnetIds: ['subnet-0a1b', 'subnet-0c2d'], SecurityGroupIds: ['sg-0e3f'] });
});

test('what Lambda needs for that is denied to the code of the function', () => {
  const statements = statementsOf(inNetwork);
  const joins = statements.filter(({ sid }) => sid === 'JoinNetwork');
  const keeps = statements.filter(({ sid }) => sid === 'KeepNetworkFromCode');
  expect(joins.map(({ role }) => role)).toEqual(keeps.map(({ role }) => role));
  for (const [index, { effect, actions, conditions }] of keeps.entries()) {
    expect(effect).toBe('Deny');
    expect(actions).toEqual(joins[index]?.actions);
    expect(JSON.stringify(conditions)).toContain('lambda:SourceFunctionArn');
  }
});

test('the same wildcard under any other name is stopped', () => {
  const renamed = withChanged(
    inNetwork,
    'AWS::IAM::Policy',
    ({ PolicyDocument }) => {
      PolicyDocument.Statement.find(({ Sid }: { Sid: string }) => Sid === 'JoinNetwork').Sid = 'AnythingGoes';
    },
    ({ PolicyDocument }) => JSON.stringify(PolicyDocument).includes('JoinNetwork'),
  );
  expect(violationsOf(renamed).map(({ rule }) => rule)).toEqual(['no-wildcard']);
});

test('without one no function has a network, and no role the rights', () => {
  const plain = synthesise('prod');
  expect(resourcesOf(plain, 'AWS::Lambda::Function').filter(([, { VpcConfig }]) => VpcConfig)).toEqual([]);
  expect(statementsOf(plain).filter(({ actions }) => actions.some((action) => action.startsWith('ec2:')))).toEqual([]);
});

test('the secret has the name that was asked for', () => {
  expect(resourcesOf(inNetwork, 'AWS::SecretsManager::Secret').map(([, { Name }]) => Name)).toEqual(['porting/client']);
});
