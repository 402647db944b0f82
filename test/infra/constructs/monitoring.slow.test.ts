// Monitoring: every alarm has a description and a section in the runbook, and alarms and graphs show only metrics that
// the functions publish.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfiguration } from '#infra/config.ts';
import { formatValue } from '#local/template/references.ts';
import { type EventName, eventDetails } from '#shared/api/events.ts';
import { metricUnits } from '#shared/runtime/metrics.ts';
import { globFiles } from '../../support/glob-files.ts';
import { violationsOf } from '../../support/infra/checks/all-checks.ts';
import { resourcesOf, type Template } from '../../support/infra/checks/read-template.ts';
import { contextOf, namedService, productionSettings, synthesise } from '../../support/infra/template.ts';

const template = synthesise('prod');
const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, properties]) => properties);
const repository = join(import.meta.dirname, '..', '..', '..');
const anchorOf = (description: string) => /docs\/guides\/runbook\.md#([a-z-]+)$/.exec(description)?.[1];

describe('alarms', () => {
  test('are exactly these', () => {
    expect(alarms.map(({ AlarmName }) => AlarmName.replace('simporter-prod-', '')).sort()).toEqual([
      'action-required-rows',
      'announce-dead-letters',
      'announce-delayed',
      'announce-errors',
      'announce-near-timeout',
      'announce-stopped',
      'announce-throttles',
      'command-dead-letters',
      'command-delayed',
      'declined-requests',
      'duplicate-ports',
      'event-dead-letters',
      'ingest-dead-letters',
      'ingest-delayed',
      'ingest-errors',
      'ingest-near-timeout',
      'ingest-recursive-invocations',
      'ingest-throttles',
      'log-events-failed',
      'oldest-unfinished-request',
      'report-dead-letters',
      'report-delayed',
      'report-errors',
      'report-near-timeout',
      'report-recursive-invocations',
      'report-throttles',
      'service-outage',
      'skipped-rows',
      'submit-dead-letters',
      'submit-errors',
      'submit-near-timeout',
      'submit-recursive-invocations',
      'submit-throttles',
      'sync-errors',
      'sync-missed-runs',
      'sync-stale',
      'sync-stopped',
      'sync-throttles',
      'unknown-outcomes',
      'unknown-status-names',
      'unreadable-items',
      'unresolved-requests',
    ]);
  });

  test.each(alarms.map(({ AlarmName, AlarmDescription }) => [AlarmName, AlarmDescription]))(
    '%s has a description within the limit of CloudWatch, with a link to the runbook',
    (_, description) => {
      expect(description).toMatch(/^[A-Z].{30,}\. What to do: docs\/guides\/runbook\.md#[a-z-]+$/);
      expect(description.length).toBeLessThan(1024);
    },
  );

  test('each have a section in the runbook, and the runbook has no other sections', () => {
    const runbook = readFileSync(join(repository, 'docs', 'guides', 'runbook.md'), 'utf8');
    const [, chapter = ''] = /^## Alarms$(.*?)^## /ms.exec(runbook) ?? [];
    const sections = [...chapter.matchAll(/^### (.+)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    const anchors = new Set(alarms.map(({ AlarmDescription }) => anchorOf(AlarmDescription)));
    expect(sections.sort()).toEqual([...anchors].sort());
  });

  test('fire after one of two periods, and after both on levels, which may recover without a person', () => {
    for (const { AlarmName, EvaluationPeriods, DatapointsToAlarm, TreatMissingData } of alarms) {
      const isLevel = /-dead-letters$|-missed-runs$|-throttles$/.test(AlarmName);
      const expected = TreatMissingData === 'breaching' ? [1, 1] : [2, isLevel ? 2 : 1];
      expect([AlarmName, EvaluationPeriods, DatapointsToAlarm]).toEqual([AlarmName, ...expected]);
    }
  });

  test('treat missing data as a breach only where data that is missing is the failure', () => {
    const breaching = alarms.filter(({ TreatMissingData }) => TreatMissingData !== 'notBreaching');
    expect(breaching.map(({ AlarmName }) => AlarmName.replace('simporter-prod-', ''))).toEqual([
      'sync-stopped',
      'announce-stopped',
    ]);
  });

  test.each([
    [1, 300],
    [5, 300],
    [30, 1_800],
    [60, 3_600],
  ])('on what a run of sync measures have its interval as their period: %i minutes', (everyMinutes, period) => {
    const settings = { ...productionSettings, sync: { everyMinutes } };
    const ofRuns = resourcesOf(synthesise('prod', settings), 'AWS::CloudWatch::Alarm').flatMap(([, { Metrics }]) =>
      (Metrics ?? []).flatMap(({ MetricStat }: { MetricStat?: { Period: number; Metric: { MetricName: string } } }) =>
        /^(serviceDown|oldestUnfinished|syncStaleness)$/.test(MetricStat?.Metric.MetricName ?? '')
          ? [MetricStat?.Period]
          : [],
      ),
    );
    expect(ofRuns).toEqual([period, period, period]);
  });

  test('cover every dead-letter queue', () => {
    const queues = resourcesOf(template, 'AWS::SQS::Queue')
      .filter(([, { RedrivePolicy }]) => RedrivePolicy === undefined)
      .map(([id]) => id);
    const watched = alarms
      .filter(({ MetricName }) => MetricName === 'ApproximateNumberOfMessagesVisible')
      .map(({ Dimensions }) => Dimensions[0].Value['Fn::GetAtt'][0]);
    expect(watched.sort()).toEqual(queues.sort());
  });

  test.each([
    ['local', {}],
    ['dev', {}],
    ['dev', namedService],
  ] as const)('exist in no environment that names no recipient, such as %s', (stage, context) => {
    const types = Object.values(synthesise(stage, context).Resources).map(({ Type }) => Type);
    expect(types.filter((type) => /Alarm|Dashboard|QueryDefinition|SNS/.test(type))).toEqual([]);
  });
});

describe('alarm mail', () => {
  test('is required in prod', () => {
    expect(() => readConfiguration('prod', contextOf('prod', namedService))).toThrow(
      /a production environment must notify a person of alarms: set alarms\.email/,
    );
  });

  test('notify two channels where both are set', () => {
    const topicArn = 'arn:aws:sns:eu-west-2:123456789012:on-call';
    const both = synthesise('prod', { ...namedService, alarms: { ...productionSettings.alarms, topicArn } });
    for (const [, { AlarmActions }] of resourcesOf(both, 'AWS::CloudWatch::Alarm')) {
      expect(AlarmActions).toEqual([topicArn, { Ref: 'AlarmMail' }]);
    }
  });

  test('may go to an existing topic instead', () => {
    const topicArn = 'arn:aws:sns:eu-west-2:123456789012:on-call';
    const withTopic = synthesise('prod', { ...namedService, alarms: { topicArn } });
    expect(resourcesOf(withTopic, 'AWS::SNS::Topic')).toEqual([]);
    for (const [, { AlarmActions, OKActions }] of resourcesOf(withTopic, 'AWS::CloudWatch::Alarm'))
      expect([AlarmActions, OKActions]).toEqual([[topicArn], [topicArn]]);
  });

  test('goes from every alarm to the configured recipient, also when the alarm ends', () => {
    expect(resourcesOf(template, 'AWS::SNS::Subscription').map(([, properties]) => properties)).toMatchObject([
      { Protocol: 'email', Endpoint: 'alarms@example.net', TopicArn: { Ref: 'AlarmMail' } },
    ]);
    for (const [, { AlarmActions, OKActions }] of resourcesOf(template, 'AWS::CloudWatch::Alarm')) {
      expect([AlarmActions, OKActions]).toEqual([[{ Ref: 'AlarmMail' }], [{ Ref: 'AlarmMail' }]]);
    }
  });

  test('allows only alarms of this account to publish and to use the key', () => {
    const allowed = (type: string, policy: 'PolicyDocument' | 'KeyPolicy') =>
      resourcesOf(template, type)
        .flatMap(([, properties]) => properties[policy].Statement)
        .filter(({ Effect, Principal }) => Effect === 'Allow' && Principal.Service !== undefined);
    const fromThisAccount = {
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    };
    expect(allowed('AWS::SNS::TopicPolicy', 'PolicyDocument')).toMatchObject([fromThisAccount]);
    expect(allowed('AWS::KMS::Key', 'KeyPolicy')).toMatchObject([fromThisAccount]);
  });

  test('requires a valid e-mail address', () => {
    expect(() => readConfiguration('prod', contextOf('prod', { ...namedService, alarms: { email: 'ops' } }))).toThrow(
      /must be an e-mail address[\s\S]*alarms\.email/,
    );
  });
});

describe('the digest', () => {
  const digested = synthesise('prod', { ...productionSettings, digestEmail: 'team@example.net' });
  const rules = resourcesOf(digested, 'AWS::Events::Rule')
    .filter(([, { Targets }]) => Targets[0].InputTransformer !== undefined)
    .map(([, properties]) => properties);

  test('is not set up without a recipient, and has no violation with one', () => {
    expect(resourcesOf(template, 'AWS::Events::Rule')).toHaveLength(1);
    expect(violationsOf(digested)).toEqual([]);
  });

  test('mails finished imports, invalid PACs, and required actions of ports and requests, not of rows', () => {
    const subjects = rules.map(({ EventPattern }) => [EventPattern['detail-type'][0], EventPattern.detail]);
    expect(subjects).toEqual([
      ['ImportFinished', undefined],
      ['PortStatusChanged', { status: ['Pac Check Failed', 'PacCheckFailed'] }],
      ['ActionRequired', { scope: ['port', 'request'] }],
    ]);
    for (const { EventPattern, EventBusName, Targets } of rules) {
      expect([EventPattern.source, EventBusName]).toEqual([['simporter.prod'], { Ref: 'EventBus' }]);
      expect(Targets[0].Arn).toEqual({ Ref: 'DigestMail' });
    }
  });

  test('shows only members that the events have', () => {
    for (const { EventPattern, Targets } of rules) {
      const { InputPathsMap, InputTemplate } = Targets[0].InputTransformer;
      const shown = [...(JSON.parse(InputTemplate) as string).matchAll(/<(\w+)>/g)].map(([, member = '']) => member);
      expect(shown.sort()).toEqual(Object.keys(InputPathsMap).sort());
      const members = Object.keys(eventDetails[EventPattern['detail-type'][0] as EventName].shape);
      for (const member of shown) expect(members).toContain(member);
      for (const [member, path] of Object.entries(InputPathsMap)) expect(path).toBe(`$.detail.${member}`);
    }
  });

  test('shows how many rows of a finished import were invalid or skipped', () => {
    const [completed] = rules.filter(({ EventPattern }) => EventPattern['detail-type'][0] === 'ImportFinished');
    const { InputTemplate } = completed?.Targets[0].InputTransformer ?? {};
    for (const member of ['rejected', 'skipped', 'declined', 'requests'])
      expect(InputTemplate).toContain(`<${member}>`);
  });

  test('allows EventBridge to publish without a condition, and to use the key for topics of this stack only', () => {
    const statements = [
      ...resourcesOf(digested, 'AWS::SNS::TopicPolicy').flatMap(([, { PolicyDocument }]) => PolicyDocument.Statement),
      ...resourcesOf(digested, 'AWS::KMS::Key').flatMap(([, { KeyPolicy }]) => KeyPolicy.Statement),
    ].filter(({ Effect, Principal }) => Effect === 'Allow' && Principal.Service === 'events.amazonaws.com');
    expect(statements.map(({ Sid, Condition }) => [Sid, Condition && formatValue(Condition.ArnLike)])).toEqual([
      ['PublishDigest', undefined],
      ['EncryptDigest', expect.stringMatching(/"kms:EncryptionContext:aws:sns:topicArn".*:simporter-prod-\*"/)],
    ]);
  });

  test('dead-letters the mails that cannot be delivered, and an alarm fires', () => {
    for (const { Targets } of rules)
      expect(Targets[0].DeadLetterConfig).toEqual({ Arn: { 'Fn::GetAtt': ['EventDeadLetters', 'Arn'] } });
    const names = resourcesOf(digested, 'AWS::CloudWatch::Alarm').map(([, { AlarmName }]) => AlarmName);
    for (const { Name } of rules) {
      const alarm = `simporter-prod-${Name.replace('simporter-prod-', '')
        .replace(/\B[A-Z]/g, '-$&')
        .toLowerCase()}-failed`;
      expect(names).toContain(alarm);
    }
  });

  test('requires a valid e-mail address', () => {
    expect(() => readConfiguration('prod', contextOf('prod', { ...productionSettings, digestEmail: 'team' }))).toThrow(
      /digestEmail/,
    );
  });
});

describe('the webhook', () => {
  const webhook = (form: string) =>
    synthesise('prod', { ...productionSettings, webhook: { secretName: 'simporter/webhook', form } });
  const rulesOf = (name: RegExp, synthesised: ReturnType<typeof webhook>) =>
    resourcesOf(synthesised, 'AWS::Events::Rule')
      .map(([, properties]) => properties)
      .filter(({ Name }) => name.test(Name));

  test('is not set up without a secret, and has no violation with one', () => {
    expect(resourcesOf(template, 'AWS::Events::ApiDestination')).toEqual([]);
    for (const form of ['json', 'slack', 'teams']) expect(violationsOf(webhook(form))).toEqual([]);
  });

  test('gets every event as it is, with the key of the secret', () => {
    const [rule, ...others] = rulesOf(/Webhook/, webhook('json'));
    expect(others).toEqual([]);
    expect(rule?.EventPattern).toEqual({ source: ['simporter.prod'] });
    const [target] = rule?.Targets ?? [];
    expect(target).toMatchObject({
      Arn: { 'Fn::GetAtt': [expect.stringMatching(/^WebhookDestination/), 'Arn'] },
      RoleArn: { 'Fn::GetAtt': [expect.stringMatching(/^WebhookRole/), 'Arn'] },
      DeadLetterConfig: { Arn: { 'Fn::GetAtt': ['EventDeadLetters', 'Arn'] } },
    });
    expect(target.InputTransformer).toBeUndefined();
    const [[, connection] = []] = resourcesOf(webhook('json'), 'AWS::Events::Connection');
    expect(connection?.AuthParameters.ApiKeyAuthParameters.ApiKeyName).toBe('x-simporter-key');
    expect(formatValue(connection)).toContain('{{resolve:secretsmanager:simporter/webhook:SecretString:key::}}');
  });

  test.each([
    ['slack', (body: { blocks: { text: { text: string } }[] }) => body.blocks[0]?.text.text],
    [
      'teams',
      (body: { attachments: { content: { body: { inlines: { text: string }[] }[] } }[] }) =>
        body.attachments[0]?.content.body[0]?.inlines[0]?.text,
    ],
  ] as const)('posts what the digest mails to %s', (form, textOf) => {
    const mailed = rulesOf(/Mail/, synthesise('prod', { ...productionSettings, digestEmail: 'team@example.net' }));
    const posted = rulesOf(/Chat/, webhook(form));
    expect(posted.map(({ EventPattern }) => EventPattern)).toEqual(mailed.map(({ EventPattern }) => EventPattern));
    const inputs = (rules: typeof posted) => rules.map(({ Targets }) => Targets[0].InputTransformer);
    expect(inputs(posted).map(({ InputTemplate }) => textOf(JSON.parse(InputTemplate)))).toEqual(
      inputs(mailed).map(({ InputTemplate }) => JSON.parse(InputTemplate)),
    );
    expect(inputs(posted).map(({ InputPathsMap }) => InputPathsMap)).toEqual(
      inputs(mailed).map(({ InputPathsMap }) => InputPathsMap),
    );
  });

  test('can be called again with the events of an archive', () => {
    const [[, archive] = []] = resourcesOf(webhook('json'), 'AWS::Events::Archive');
    expect(archive).toMatchObject({ RetentionDays: 90, EventPattern: { source: ['simporter.prod'] } });
    expect(resourcesOf(template, 'AWS::Events::Archive')).toEqual([]);
  });
});

describe('the dashboard', () => {
  const [[, dashboard] = []] = resourcesOf(template, 'AWS::CloudWatch::Dashboard');
  const { widgets } = JSON.parse(formatValue(dashboard?.DashboardBody)) as {
    widgets: { type: string; x: number; y: number; width: number; properties: { markdown?: string } }[];
  };

  test('has a column for each step, from left to right', () => {
    const headings = widgets.filter(({ type }) => type === 'text').sort((one, other) => one.x - other.x);
    expect(headings.map(({ properties }) => properties.markdown?.split('\n')[0])).toEqual([
      '## Inbox and ingest',
      '## Submit',
      '## Sync',
      '## Report',
    ]);
    expect(new Set(headings.map(({ y }) => y)).size).toBe(1);
  });

  test('fits the width of a dashboard, in aligned columns', () => {
    for (const { x, width } of widgets) expect(x + width).toBeLessThanOrEqual(24);
    const columns = widgets.filter(({ width }) => width < 24);
    expect(columns.length % 4).toBe(0);
    expect(new Set(columns.map(({ x }) => x))).toEqual(new Set([0, 6, 12, 18]));
  });

  test('shows every metric that a function publishes', () => {
    const body = formatValue(dashboard?.DashboardBody);
    for (const name of Object.keys(metricUnits)) expect(body).toContain(`"${name}`);
  });
});

describe('metrics', () => {
  const namespaces = (of: Template) => [
    ...new Set(JSON.stringify(of).match(/simporter\/(local|dev|prod)(?=["',\\])/g) ?? []),
  ];

  test.each(['local', 'dev', 'prod'] as const)('of %s have their own namespace', (stage) => {
    expect(namespaces(synthesise(stage))).toEqual([`simporter/${stage}`]);
  });

  test('are published in the namespace that the alarms use', () => {
    for (const [, { Environment }] of resourcesOf(template, 'AWS::Lambda::Function')) {
      expect(Environment.Variables.POWERTOOLS_METRICS_NAMESPACE).toBe('simporter/prod');
    }
  });
});

const queries = resourcesOf(template, 'AWS::Logs::QueryDefinition').map(([, properties]) => properties);
const sources = ['functions', 'shared']
  .flatMap((folder) => globFiles(join(repository, folder, '**/*.ts')))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

test('every saved query reads the log groups of all functions', () => {
  expect(queries.length).toBeGreaterThanOrEqual(5);
  for (const { Name, LogGroupNames, QueryString } of queries) {
    expect(Name).toMatch(/^simporter\/prod\/[A-Z]/);
    expect(LogGroupNames).toHaveLength(5);
    expect(QueryString).toContain('| filter ');
  }
});

test.each(queries.map(({ Name, QueryString }) => [Name, QueryString]))(
  '%s asks for messages and fields that the functions log',
  (_, query: string) => {
    for (const [, message] of query.matchAll(/message = '([^']+)'/g)) expect(sources).toContain(`'${message}'`);
    const fields = /^fields (.*)$/m.exec(query)?.[1]?.split(', ') ?? [];
    expect(fields.length).toBeGreaterThan(3);
    for (const field of fields.filter((name) => !name.startsWith('@')))
      for (const name of field.split('.')) expect(sources).toMatch(new RegExp(`\\b${name}\\b`));
  },
);
