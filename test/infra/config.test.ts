import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contextNames, readConfiguration } from '#infra/config.ts';
import {
  hasPlaceholderService,
  isProtected,
  leaseSeconds,
  releaseMode,
  submitBatchSize,
  submitConcurrency,
  submitTimeoutSeconds,
  syncTimeoutSeconds,
  visibilitySeconds,
} from '#infra/derived-settings.ts';
import { logDays, settingsSchema, stages } from '#infra/settings.ts';
import { FairQueue } from '#local/sqs/fair-queues.ts';
import { contextOf, namedService, productionSettings } from '../support/infra/template.ts';

const read = (stage: string, settings?: object) => readConfiguration(stage, contextOf(stage, { ...settings }));

describe('the configuration of an environment', () => {
  test.each(stages)('%s is complete with a named service', (stage) => {
    expect(read(stage, productionSettings).service).toEqual({
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
    ['a URL without TLS', { baseUrl: 'http://porting.example.net' }, /must begin with https:[\s\S]*service\.baseUrl/],
    ['a URL that ends with a slash', { authUrl: 'https://auth.example.net/' }, /slash[\s\S]*service\.authUrl/],
    ['an account that is not a number', { accountId: 'mine' }, /service\.accountId/],
    ['several errors at once', { baseUrl: 'x', accountId: -1 }, /baseUrl[\s\S]*accountId/],
    ['a secret name with a space', { secretName: 'porting service' }, /service\.secretName/],
  ])('%s is an error that names the setting', (_, service, message) => {
    expect(() => read('dev', { service: { ...namedService.service, ...service } })).toThrow(message);
  });

  test.each([
    ['subnets without a security group', { network: { subnetIds: ['subnet-0a1b'] } }, /network\.securityGroupIds/],
    [
      'the name of a subnet',
      { network: { subnetIds: ['private-a'], securityGroupIds: ['sg-1'] } },
      /subnet-0a1b2c3d[\s\S]*subnetIds\[0\]/,
    ],
    ['an AWS account without its region', { deployment: { account: '123456789012' } }, /deployment\.region/],
    ['an AWS account with eleven digits', { deployment: { account: '12345678901', region: 'eu-west-2' } }, /12 digits/],
    [
      'more subnets than Lambda accepts',
      { network: { subnetIds: Array(17).fill('subnet-0a1b'), securityGroupIds: ['sg-1'] } },
      /at most 16 subnets, the limit of Lambda[\s\S]*network\.subnetIds/,
    ],
    [
      'more security groups than Lambda accepts',
      { network: { subnetIds: ['subnet-0a'], securityGroupIds: ['sg-1', 'sg-2', 'sg-3', 'sg-4', 'sg-5', 'sg-6'] } },
      /at most 5 security groups[\s\S]*network\.securityGroupIds/,
    ],
    [
      'messages for a chat without its address',
      { webhook: { form: 'slack' } },
      /secret with its.*webhook\.secretName/s,
    ],
  ])('%s is an error that names the setting', (_, settings, message) => {
    expect(() => read('dev', { ...namedService, ...settings })).toThrow(message);
  });

  test('report takes more than ten messages at a time only with a window, as SQS does', () => {
    const readReport = (report: object) => read('trial', { basedOn: 'dev', report }).report;
    expect(() => readReport({ batchSize: 11 })).toThrow(/set windowSeconds to 1 or more[\s\S]*report\.windowSeconds/);
    expect(readReport({ batchSize: 11, windowSeconds: 1 })).toMatchObject({ batchSize: 11, windowSeconds: 1 });
    expect(readReport({})).toMatchObject({ batchSize: 10, windowSeconds: 0 });
  });

  test('the account must be in a country whose numbers are known', () => {
    const settings = settingsSchema.shape.account.unwrap().shape.callingCode;
    expect(settings.safeParse('44').success).toBe(true);
    expect(settings.safeParse('999').error?.message).toContain('calling code of a supported country');
  });

  test('the zone is a place: Node takes BST, the time of London in summer, for that of Dhaka', () => {
    const { zone } = settingsSchema.shape.account.unwrap().shape;
    for (const name of ['Europe/London', 'America/Argentina/Buenos_Aires', 'UTC'])
      expect([name, zone.safeParse(name).success]).toEqual([name, true]);
    for (const name of ['BST', 'IST', 'CST', 'EST', '+01:00', 'Europe/Londn', ''])
      expect([name, zone.safeParse(name).error?.issues[0]?.message]).toEqual([
        name,
        'must be an IANA time zone with its area, such as Europe/London',
      ]);
  });

  test('logs are kept for each number of days that CloudWatch accepts', () => {
    const accepted = Object.values(RetentionDays).filter((days) => typeof days === 'number');
    expect([...logDays.values]).toEqual(accepted.filter((days) => days !== RetentionDays.INFINITE));
    expect(logDays.values).toContain(2192);
  });

  test('an upload and a plan are kept until the rows of an import are sent', () => {
    const { inboxDays, planDays } = settingsSchema.shape.retention.unwrap().shape;
    for (const days of [inboxDays, planDays]) {
      expect([36, 37].map((count) => days.safeParse(count).success)).toEqual([false, true]);
      expect(days.safeParse(1).error?.issues[0]?.message).toMatch(/^must be at least 37: /);
    }
  });

  test('prod requires a named service', () => {
    expect(() => readConfiguration('prod')).toThrow('set service.baseUrl, service.authUrl and service.accountId');
  });

  test('dev may use the placeholder service', () => {
    expect(hasPlaceholderService(readConfiguration('dev'))).toBe(true);
  });

  test('a service with one placeholder address is a placeholder', () => {
    const { baseUrl } = namedService.service;
    expect(hasPlaceholderService(read('dev', { service: { baseUrl } }))).toBe(true);
  });

  test('prod protects its data', () => {
    expect(read('prod', productionSettings).production).toBe(true);
  });
});

describe('an environment in cdk.json', () => {
  const environments = {
    prod: {
      ...productionSettings,
      account: { onInvalidPac: 'remove' },
      limits: { rowsPerRequest: 50 },
      retention: { recordDays: 365 },
    },
    staging: { ...namedService, basedOn: 'prod', production: false, submit: { callTimeoutSeconds: 5 } },
  };

  test('changes single settings of a built-in environment', () => {
    const changed = readConfiguration('prod', { environments });
    const before = read('prod', productionSettings);
    expect(changed).toEqual({
      ...before,
      account: { ...before.account, onInvalidPac: 'remove' },
      limits: { ...before.limits, rowsPerRequest: 50 },
      retention: { ...before.retention, recordDays: 365 },
    });
  });

  test('can be a new environment with its own name', () => {
    const staging = readConfiguration('staging', { environments });
    expect(staging).toMatchObject({ stage: 'staging', production: false, limits: { rowsPerRequest: 100 } });
    expect(staging.submit.callTimeoutSeconds).toBe(5);
  });

  test('has every setting but two: how a single deployment replaces the code, and what it protects', () => {
    expect(contextNames).toEqual(['environments', 'releases', 'deletionProtection']);
    expect(readConfiguration('prod', { environments, releases: 'all-at-once' }).releases).toBe('all-at-once');
    expect(releaseMode(readConfiguration('prod', { environments }))).toBe('canary');
    expect(isProtected(readConfiguration('prod', { environments, deletionProtection: 'false' }))).toBe(false);
    expect(isProtected(readConfiguration('prod', { environments }))).toBe(true);
    expect(() => readConfiguration('prod', { environments, deletionProtection: 'no' })).toThrow('deletionProtection');
  });

  test('takes the built-in defaults of its base, and nothing that is set beside it', () => {
    const { limits, account, retention } = readConfiguration('staging', { environments });
    const builtIn = read('prod', productionSettings);
    expect({ limits, account, retention }).toEqual({
      limits: builtIn.limits,
      account: builtIn.account,
      retention: builtIn.retention,
    });
  });

  test.each([
    ['an unknown setting', { dev: { limits: { rowsPerFile: 1 } } }, /Unrecognized key: "rowsPerFile"[\s\S]*limits/],
    ['an invalid value', { dev: { account: { onInvalidPac: 'evict' } } }, /account\.onInvalidPac/],
    [
      'a base that is not built in',
      { eu: { basedOn: 'staging' } },
      /"environments" is invalid:\n.*must be local, dev or prod: its built-in defaults apply[\s\S]*eu\.basedOn/,
    ],
    [
      'an environment without a base',
      { production: {} },
      /^Set "basedOn" of the environment "production": local, dev or prod\.$/,
    ],
    ['a name that cannot be part of a resource name', { 'My Stage': { basedOn: 'dev' } }, /lower-case letters/],
    ['a name that CloudTrail rejects', { 'eu--test': { basedOn: 'dev' } }, /single hyphens/],
    ['a name that ends in a hyphen', { 'test-': { basedOn: 'dev' } }, /single hyphens/],
    [
      'an environment with the name of the console of another one',
      { 'console-prod': { basedOn: 'dev' } },
      /must not begin with console- or simulator-[\s\S]*stage/,
    ],
    ['an environment with the name of the simulator of another one', { 'simulator-dev': { basedOn: 'dev' } }, /stage/],
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
  const base = read('prod', productionSettings);
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

  test.each([
    [4, 25, false],
    [5, 30, true],
    [10, 50, true],
  ])(
    'at %i calls per second, %i requests of submit are in flight, and one import can be noisy by them: %s',
    (callsPerSecond, requests, isNoisy) => {
      const configuration = { ...base, callsPerSecond };
      expect(submitConcurrency(configuration) * submitBatchSize(configuration)).toBe(requests);
      const noisy = new FairQueue(() => 0).noisyGroups(new Map([['import', requests]]), () => true);
      expect(noisy.size > 0).toBe(isNoisy);
    },
  );

  test('SQS accepts at most a thousand invocations', () => {
    const submit = { ...base.submit, batchSize: 1 };
    expect(submitConcurrency({ ...base, callsPerSecond: 1_000, submit })).toBe(1_000);
  });

  test('a setting decides how many invocations submit has', () => {
    expect(submitConcurrency({ ...base, callsPerSecond: 100, submit: { ...base.submit, concurrency: 3 } })).toBe(3);
  });

  test.each(stages)('in %s a run of sync ends before the next one begins', (stage) => {
    const configuration = read(stage, productionSettings);
    expect(syncTimeoutSeconds(configuration)).toBeLessThan(configuration.sync.everyMinutes * 60);
  });

  test.each(stages)('in %s Lambda accepts every time-out and SQS every visibility timeout', (stage) => {
    const configuration = read(stage, productionSettings);
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
