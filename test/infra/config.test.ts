import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readConfiguration } from '#infra/config.ts';
import {
  hasPlaceholderService,
  leaseSeconds,
  submitConcurrency,
  submitTimeoutSeconds,
  syncTimeoutSeconds,
  visibilitySeconds,
} from '#infra/derived-settings.ts';
import { settingsSchema, stages } from '#infra/settings.ts';
import { namedService, productionContext } from '../support/infra/template.ts';

describe('the configuration of an environment', () => {
  test.each(stages)('%s is complete with a named service', (stage) => {
    expect(readConfiguration(stage, productionContext).service).toEqual({
      baseUrl: 'https://porting.example.net',
      authUrl: 'https://auth.example.net',
      accountId: 4711,
    });
  });

  test('an unknown environment is an error that lists the known ones', () => {
    expect(() => readConfiguration('production')).toThrow(
      'There is no environment "production": pass --context stage= with one of local, dev, prod.',
    );
  });

  test.each([
    [
      'a URL without TLS',
      { serviceBaseUrl: 'http://porting.example.net' },
      /must begin with https:[\s\S]*service\.baseUrl/,
    ],
    ['a URL that ends with a slash', { serviceAuthUrl: 'https://auth.example.net/' }, /slash[\s\S]*service\.authUrl/],
    ['an account that is not a number', { serviceAccountId: 'mine' }, /service\.accountId/],
    ['several errors at once', { serviceBaseUrl: 'x', serviceAccountId: '-1' }, /baseUrl[\s\S]*accountId/],
  ])('%s is an error that names the setting', (_, overrides, message) => {
    expect(() => readConfiguration('dev', { ...namedService, ...overrides })).toThrow(message);
  });

  test.each([
    ['subnets without a security group', { subnetIds: 'subnet-0a1b' }, /network\.securityGroupIds/],
    [
      'the name of a subnet',
      { subnetIds: 'private-a', securityGroupIds: 'sg-1' },
      /subnet-0a1b2c3d[\s\S]*subnetIds\[0\]/,
    ],
    ['an AWS account without its region', { awsAccount: '123456789012' }, /deployment\.region/],
    ['an AWS account with eleven digits', { awsAccount: '12345678901', awsRegion: 'eu-west-2' }, /12 digits/],
    ['a secret name with a space', { serviceSecretName: 'porting service' }, /service\.secretName/],
  ])('%s is an error that names the setting', (_, overrides, message) => {
    expect(() => readConfiguration('dev', { ...namedService, ...overrides })).toThrow(message);
  });

  test('report takes more than ten messages at a time only with a window, as SQS does', () => {
    const read = (report: object) =>
      readConfiguration('trial', { ...namedService, environments: { trial: { basedOn: 'dev', report } } });
    expect(() => read({ batchSize: 11 })).toThrow(/set windowSeconds to 1 or more[\s\S]*report\.windowSeconds/);
    expect(read({ batchSize: 11, windowSeconds: 1 }).report).toMatchObject({ batchSize: 11, windowSeconds: 1 });
    expect(read({}).report).toMatchObject({ batchSize: 10, windowSeconds: 0 });
  });

  test('the account must be in a country whose numbers are known', () => {
    const settings = settingsSchema.shape.account.unwrap().shape.callingCode;
    expect(settings.safeParse('44').success).toBe(true);
    expect(settings.safeParse('999').error?.message).toContain('calling code of a supported country');
  });

  test('commas separate the values of a list', () => {
    const { network } = readConfiguration('prod', {
      ...productionContext,
      subnetIds: 'subnet-0a1b,subnet-0c2d',
      securityGroupIds: 'sg-0e3f',
    });
    expect(network).toEqual({ subnetIds: ['subnet-0a1b', 'subnet-0c2d'], securityGroupIds: ['sg-0e3f'] });
  });

  test('prod requires a named service', () => {
    expect(() => readConfiguration('prod')).toThrow('pass --context serviceBaseUrl=');
  });

  test('dev may use the placeholder service', () => {
    expect(hasPlaceholderService(readConfiguration('dev'))).toBe(true);
  });

  test('a service with one placeholder address is a placeholder', () => {
    expect(hasPlaceholderService(readConfiguration('dev', { serviceBaseUrl: namedService.serviceBaseUrl }))).toBe(true);
  });

  test('prod protects its data', () => {
    expect(readConfiguration('prod', productionContext).production).toBe(true);
  });
});

describe('an environment in cdk.json', () => {
  const environments = {
    prod: { account: { onInvalidPac: 'remove' }, limits: { rowsPerRequest: 50 }, retention: { recordDays: 365 } },
    staging: { basedOn: 'prod', production: false, submit: { callTimeoutSeconds: 5 } },
  };

  test('changes single settings of a built-in environment', () => {
    const changed = readConfiguration('prod', { ...productionContext, environments });
    const before = readConfiguration('prod', productionContext);
    expect(changed).toEqual({
      ...before,
      account: { ...before.account, onInvalidPac: 'remove' },
      limits: { ...before.limits, rowsPerRequest: 50 },
      retention: { ...before.retention, recordDays: 365 },
    });
  });

  test('can be a new environment with its own name', () => {
    const staging = readConfiguration('staging', { ...namedService, environments });
    expect(staging).toMatchObject({ stage: 'staging', production: false, limits: { rowsPerRequest: 100 } });
    expect(staging.submit.callTimeoutSeconds).toBe(5);
  });

  test('is overridden by --context', () => {
    const named = { prod: { service: { baseUrl: 'https://other.example.net' }, alarms: { email: 'a@example.net' } } };
    const { service, alarms } = readConfiguration('prod', { ...productionContext, environments: named });
    expect([service.baseUrl, alarms.email]).toEqual([productionContext.serviceBaseUrl, productionContext.alarmEmail]);
  });

  test.each([
    ['an unknown setting', { dev: { limits: { rowsPerFile: 1 } } }, /Unrecognized key: "rowsPerFile"[\s\S]*limits/],
    ['an invalid value', { dev: { account: { onInvalidPac: 'evict' } } }, /account\.onInvalidPac/],
    ['an unknown base', { dev: { basedOn: 'staging' } }, /The context "environments" is invalid:[\s\S]*dev\.basedOn/],
    ['a name that cannot be part of a resource name', { 'My Stage': { basedOn: 'dev' } }, /lower-case letters/],
    ['a name that CloudTrail rejects', { 'eu--test': { basedOn: 'dev' } }, /single hyphens/],
    ['a name that ends in a hyphen', { 'test-': { basedOn: 'dev' } }, /single hyphens/],
    [
      'a console whose sign-in address Cognito rejects',
      { 'aws-test': { basedOn: 'dev', console: { enabled: true } } },
      /Cognito reserves aws, amazon and cognito[\s\S]*stage/,
    ],
  ])('%s is an error that names it', (_, invalid, message) => {
    const [stage = ''] = Object.keys(invalid);
    expect(() => readConfiguration(stage, { environments: invalid })).toThrow(message);
  });

  test('is listed where an environment is not known', () => {
    expect(() => readConfiguration('test', { environments })).toThrow('with one of local, dev, prod, staging.');
  });
});

describe('derived numbers', () => {
  const base = readConfiguration('dev');
  const submits = fc.record({
    batchSize: fc.integer({ min: 1, max: 10 }),
    callTimeoutSeconds: fc.integer({ min: 1, max: 30 }),
  });

  test('a lease is longer than an invocation, and an invocation is longer than its calls', () => {
    fc.assert(
      fc.property(submits, (submit) => {
        const configuration = { ...base, submit: { ...base.submit, ...submit } };
        const timeout = submitTimeoutSeconds(configuration);
        expect(leaseSeconds(configuration)).toBeGreaterThan(timeout);
        expect(timeout).toBeGreaterThan(3 * submit.callTimeoutSeconds);
      }),
    );
  });

  test.each([
    [1, 2],
    [10, 10],
    [50, 46],
    [100, 91],
    [500, 451],
    [1_000, 451],
  ])('at %i calls per second, %i invocations of submit reach the rate limit', (callsPerSecond, invocations) => {
    expect(submitConcurrency({ ...base, callsPerSecond })).toBe(invocations);
  });

  test('SQS accepts at most a thousand invocations', () => {
    const submit = { ...base.submit, batchSize: 1 };
    expect(submitConcurrency({ ...base, callsPerSecond: 1_000, submit })).toBe(1_000);
  });

  test('a setting decides how many invocations submit has', () => {
    expect(submitConcurrency({ ...base, callsPerSecond: 100, submit: { ...base.submit, concurrency: 3 } })).toBe(3);
  });

  test.each(stages)('in %s a run of sync ends before the next one begins', (stage) => {
    const configuration = readConfiguration(stage, productionContext);
    expect(syncTimeoutSeconds(configuration)).toBeLessThan(configuration.sync.everyMinutes * 60);
  });

  test.each(stages)('in %s Lambda accepts every time-out and SQS every visibility timeout', (stage) => {
    const configuration = readConfiguration(stage, productionContext);
    for (const seconds of [
      configuration.ingest.timeoutSeconds,
      submitTimeoutSeconds(configuration),
      syncTimeoutSeconds(configuration),
      configuration.report.timeoutSeconds,
    ]) {
      expect(seconds).toBeLessThanOrEqual(900);
      expect(visibilitySeconds(seconds)).toBeLessThanOrEqual(43_200);
    }
  });
});
