import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  configurationOf,
  hasPlaceholderService,
  leaseSeconds,
  stages,
  submitTimeoutSeconds,
  syncTimeoutSeconds,
  visibilitySeconds,
} from '#infra/config.ts';
import { namedService } from '../support/infra-template.ts';

describe('the configuration of a stage', () => {
  test.each(stages)('%s is complete once its service is named', (stage) => {
    expect(configurationOf(stage, namedService).service).toEqual({
      baseUrl: 'https://porting.example.net',
      authUrl: 'https://auth.example.net',
      accountId: 4711,
    });
  });

  test('an unknown stage is refused, and the known ones are named', () => {
    expect(() => configurationOf('production')).toThrow(
      'There is no stage "production": give --context stage= one of local, dev, prod.',
    );
  });

  test.each([
    [
      'a URL without TLS',
      { serviceBaseUrl: 'http://porting.example.net' },
      /must begin with https:[\s\S]*service\.baseUrl/,
    ],
    ['a URL with a slash at its end', { serviceAuthUrl: 'https://auth.example.net/' }, /slash[\s\S]*service\.authUrl/],
    ['an account that is no number', { serviceAccountId: 'mine' }, /service\.accountId/],
    ['several mistakes at once', { serviceBaseUrl: 'x', serviceAccountId: '-1' }, /baseUrl[\s\S]*accountId/],
  ])('%s is refused by the name of the setting', (_, overrides, message) => {
    expect(() => configurationOf('dev', { ...namedService, ...overrides })).toThrow(message);
  });

  test.each([
    ['subnets without a security group', { subnetIds: 'subnet-0a1b' }, /network\.securityGroupIds/],
    [
      'a subnet by its name',
      { subnetIds: 'private-a', securityGroupIds: 'sg-1' },
      /subnet-0a1b2c3d[\s\S]*subnetIds\[0\]/,
    ],
    ['an AWS account without its region', { awsAccount: '123456789012' }, /deployment\.region/],
    ['an AWS account that lost a zero', { awsAccount: '12345678901', awsRegion: 'eu-west-2' }, /12 digits/],
    ['a secret’s name with a space', { serviceSecretName: 'porting service' }, /service\.secretName/],
  ])('%s is refused by the name of the setting', (_, overrides, message) => {
    expect(() => configurationOf('dev', { ...namedService, ...overrides })).toThrow(message);
  });

  test('a list is separated by commas', () => {
    const { network } = configurationOf('prod', {
      ...namedService,
      subnetIds: 'subnet-0a1b,subnet-0c2d',
      securityGroupIds: 'sg-0e3f',
    });
    expect(network).toEqual({ subnetIds: ['subnet-0a1b', 'subnet-0c2d'], securityGroupIds: ['sg-0e3f'] });
  });

  test('prod refuses to be built for a service that cannot exist', () => {
    expect(() => configurationOf('prod')).toThrow('give --context serviceBaseUrl=');
  });

  test('dev may be built for a service that is still to be named', () => {
    expect(hasPlaceholderService(configurationOf('dev'))).toBe(true);
  });

  test('half a service is still a placeholder', () => {
    expect(hasPlaceholderService(configurationOf('dev', { serviceBaseUrl: namedService.serviceBaseUrl }))).toBe(true);
  });

  test('what protects data is on in prod', () => {
    expect(configurationOf('prod', namedService).protect).toBe(true);
  });
});

describe('derived numbers', () => {
  const base = configurationOf('dev');
  const submits = fc.record({
    batchSize: fc.integer({ min: 1, max: 10 }),
    callTimeoutSeconds: fc.integer({ min: 1, max: 30 }),
  });

  test('a lease outlives the invocation that took it, and the invocation outlasts its calls', () => {
    fc.assert(
      fc.property(submits, (submit) => {
        const configuration = { ...base, submit: { ...base.submit, ...submit } };
        const timeout = submitTimeoutSeconds(configuration);
        expect(leaseSeconds(configuration)).toBeGreaterThan(timeout);
        expect(timeout).toBeGreaterThanOrEqual(submit.batchSize * submit.callTimeoutSeconds);
      }),
    );
  });

  test.each(stages)('in %s a sync run ends before the next one begins', (stage) => {
    const configuration = configurationOf(stage, namedService);
    expect(syncTimeoutSeconds(configuration)).toBeLessThan(configuration.sync.everyMinutes * 60);
  });

  test.each(stages)(
    'in %s every time-out is one that Lambda accepts, and every visibility one that SQS does',
    (stage) => {
      const configuration = configurationOf(stage, namedService);
      for (const seconds of [
        configuration.ingest.timeoutSeconds,
        submitTimeoutSeconds(configuration),
        syncTimeoutSeconds(configuration),
        configuration.report.timeoutSeconds,
      ]) {
        expect(seconds).toBeLessThanOrEqual(900);
        expect(visibilitySeconds(seconds)).toBeLessThanOrEqual(43_200);
      }
    },
  );
});
