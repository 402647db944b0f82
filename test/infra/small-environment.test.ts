// `dev` is small: it costs little, deploys into a new AWS account, and is as well protected as `prod`.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readConfiguration } from '#infra/config.ts';
import { permissionChecks } from '../support/infra/checks/permissions.ts';
import { resourcesOf } from '../support/infra/checks/read-template.ts';
import { storageChecks } from '../support/infra/checks/storage.ts';
import { contextOf, namedService, synthesise, synthesiseConsole } from '../support/infra/template.ts';

const dev = synthesise('dev', namedService);
const prod = synthesise('prod');
const countOf = ({ Resources }: typeof dev): number => Object.keys(Resources).length;
const reservedIn = (template: typeof dev) =>
  resourcesOf(template, 'AWS::Lambda::Function').flatMap(([, { ReservedConcurrentExecutions: reserved }]) =>
    reserved === undefined ? [] : [reserved],
  );

test('dev has at most 60 resources', () => {
  expect(countOf(dev)).toBeLessThanOrEqual(60);
});

describe('a first deployment of dev needs no quota', () => {
  test('no function reserves concurrency, with the console either', () => {
    expect([dev, synthesiseConsole('dev')].flatMap(reservedIn)).toEqual([]);
    expect([prod, synthesiseConsole('prod')].flatMap(reservedIn).sort()).toEqual([1, 10, 10, 25]);
  });

  test('all functions together need no more than the ten executions of a new account', () => {
    const queues = resourcesOf(dev, 'AWS::Lambda::EventSourceMapping').map(
      ([, { ScalingConfig, ParallelizationFactor = 1 }]) => ScalingConfig?.MaximumConcurrency ?? ParallelizationFactor,
    );
    const schedules = resourcesOf(dev, 'AWS::Scheduler::Schedule').map(() => 1);
    expect([...queues, ...schedules].reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(10);
  });
});

test('access is logged only where it is audited', () => {
  const logged = (template: typeof dev) =>
    resourcesOf(template, 'AWS::S3::Bucket').map(([id, { LoggingConfiguration }]) => [
      id,
      LoggingConfiguration !== undefined,
    ]);
  expect(Object.fromEntries(logged(dev))).toEqual({ Inbox: false, Work: false, Results: false });
  expect(Object.fromEntries(logged(prod))).toEqual({
    AccessLogs: false,
    AuditLogs: true,
    Inbox: true,
    Work: true,
    Results: true,
  });
});

test('what dev keeps is encrypted, private and reached by TLS only, and its permissions are as narrow', () => {
  const found = [...storageChecks, ...permissionChecks].flatMap((check) => check.violations(dev));
  expect(found).toEqual([]);
});

test('a canary release needs alarms, which roll it back', () => {
  const read = (alarms: object) => {
    const trial = { ...namedService, basedOn: 'dev', releases: 'canary', alarms };
    return readConfiguration('trial', contextOf('trial', trial)).releases;
  };
  expect(() => read({})).toThrow(/alarms roll a canary release back[\s\S]*releases/);
  expect(read({ email: 'a@example.net' })).toBe('canary');
});

test('settings.md states how many resources each environment has', () => {
  const page = readFileSync('docs/reference/settings.md', 'utf8');
  const [, ofDev, ofProd] = /^\| resources[^|]*\| (\d+) \| (\d+) \|/m.exec(page) ?? [];
  expect([Number(ofDev), Number(ofProd)]).toEqual([countOf(dev), countOf(prod)]);
});
