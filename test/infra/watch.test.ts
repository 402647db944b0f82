// What the stage tells people: every alarm explains itself and has a place in the runbook, and every figure that alarms and
// graphs show is one that a function counts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { spell } from '#infra/checks/permissions.ts';
import { violationsOf } from '#infra/checks/plugin.ts';
import { resourcesOf, type Template } from '#infra/checks/template.ts';
import { configurationOf } from '#infra/config.ts';
import { type EventName, eventDetails } from '#shared/events/events.ts';
import { metricUnits } from '#shared/runtime/metrics.ts';
import { namedService, synthesise } from '../support/infra-template.ts';

const template = synthesise('prod');
const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, properties]) => properties);
const repository = join(import.meta.dirname, '..', '..');
const anchorOf = (description: string) => /docs\/runbook\.md#([a-z-]+)$/.exec(description)?.[1];
const mailed = (stage: 'dev' | 'prod') => synthesise(stage, { ...namedService, alarmEmail: 'watch@example.net' });

describe('alarms', () => {
  test('are these, and no other', () => {
    expect(alarms.map(({ AlarmName }) => AlarmName.replace('simporter-prod-', '')).sort()).toEqual([
      'announce-behind',
      'announce-dead-letters',
      'announce-errors',
      'announce-near-timeout',
      'announce-throttles',
      'attention-rising',
      'duplicates',
      'ingest-dead-letters',
      'ingest-errors',
      'ingest-near-timeout',
      'ingest-throttles',
      'oldest-unfinished',
      'refused-requests',
      'report-dead-letters',
      'report-errors',
      'report-near-timeout',
      'report-throttles',
      'service-down',
      'submit-dead-letters',
      'submit-errors',
      'submit-near-timeout',
      'submit-throttles',
      'sync-errors',
      'sync-missed-runs',
      'sync-stale',
      'sync-stopped',
      'sync-throttles',
      'undecidable-requests',
      'unknown-requests',
      'unknown-status-names',
      'unreadable-items',
      'withdrawn-rows',
    ]);
  });

  test.each(alarms.map(({ AlarmName, AlarmDescription }) => [AlarmName, AlarmDescription]))(
    '%s says what it means, in what CloudWatch has room for, and where to read on',
    (_, description) => {
      expect(description).toMatch(/^[A-Z].{30,}\. What to do: docs\/runbook\.md#[a-z-]+$/);
      expect(description.length).toBeLessThan(1024);
    },
  );

  test('each have a section in the runbook, and the runbook has none for an alarm that is gone', () => {
    const runbook = readFileSync(join(repository, 'docs', 'runbook.md'), 'utf8');
    const [, chapter = ''] = /^## Alarms$(.*?)^## /ms.exec(runbook) ?? [];
    const sections = [...chapter.matchAll(/^### (.+)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    const anchors = new Set(alarms.map(({ AlarmDescription }) => anchorOf(AlarmDescription)));
    expect(sections.sort()).toEqual([...anchors].sort());
  });

  test('look at two periods: an event is told at once, a level only when it stays', () => {
    for (const { AlarmName, EvaluationPeriods, DatapointsToAlarm } of alarms) {
      const isEvent =
        /duplicates|refused-requests|undecidable-requests|unknown-status-names|unreadable-items|withdrawn-rows/.test(
          AlarmName,
        );
      expect([AlarmName, EvaluationPeriods, DatapointsToAlarm]).toEqual([AlarmName, 2, isEvent ? 1 : 2]);
    }
  });

  test('breach in silence only where silence is the matter', () => {
    const breaching = alarms.filter(({ TreatMissingData }) => TreatMissingData !== 'notBreaching');
    expect(breaching.map(({ AlarmName }) => AlarmName)).toEqual(['simporter-prod-sync-stopped']);
  });

  test('of dead letters there is one for every dead-letter queue', () => {
    const queues = resourcesOf(template, 'AWS::SQS::Queue')
      .filter(([, { RedrivePolicy }]) => RedrivePolicy === undefined)
      .map(([id]) => id);
    const watched = alarms
      .filter(({ Namespace }) => Namespace === 'AWS/SQS')
      .map(({ Dimensions }) => Dimensions[0].Value['Fn::GetAtt'][0]);
    expect(watched.sort()).toEqual(queues.sort());
  });

  test.each([
    ['local', false],
    ['dev', false],
    ['prod', true],
  ] as const)('tell somebody in %s: %s', (stage, enabled) => {
    const switched = resourcesOf(synthesise(stage), 'AWS::CloudWatch::Alarm').map(
      ([, { ActionsEnabled }]) => ActionsEnabled,
    );
    expect(new Set(switched)).toEqual(new Set([enabled]));
  });
});

describe('alarm mail', () => {
  test('is not there until somebody is named', () => {
    expect(resourcesOf(template, 'AWS::SNS::Topic')).toEqual([]);
    expect(alarms.every(({ AlarmActions }) => AlarmActions === undefined)).toBe(true);
  });

  test('goes to the address that the configuration names, from every alarm, also when all is well again', () => {
    const withMail = mailed('prod');
    expect(resourcesOf(withMail, 'AWS::SNS::Subscription').map(([, properties]) => properties)).toMatchObject([
      { Protocol: 'email', Endpoint: 'watch@example.net', TopicArn: { Ref: 'AlarmMail' } },
    ]);
    for (const [, { AlarmActions, OKActions }] of resourcesOf(withMail, 'AWS::CloudWatch::Alarm')) {
      expect([AlarmActions, OKActions]).toEqual([[{ Ref: 'AlarmMail' }], [{ Ref: 'AlarmMail' }]]);
    }
  });

  test('lets alarms of this account, and nobody else, publish and use the key', () => {
    const allowed = (type: string, policy: 'PolicyDocument' | 'KeyPolicy') =>
      resourcesOf(mailed('prod'), type)
        .flatMap(([, properties]) => properties[policy].Statement)
        .filter(({ Effect, Principal }) => Effect === 'Allow' && Principal.Service !== undefined);
    const fromThisAccount = {
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    };
    expect(allowed('AWS::SNS::TopicPolicy', 'PolicyDocument')).toMatchObject([fromThisAccount]);
    expect(allowed('AWS::KMS::Key', 'KeyPolicy')).toMatchObject([fromThisAccount]);
  });

  test('needs an address that can be one', () => {
    expect(() => configurationOf('prod', { ...namedService, alarmEmail: 'ops' })).toThrow(
      /must be an e-mail address[\s\S]*watch\.email/,
    );
  });
});

describe('the digest', () => {
  const digested = synthesise('prod', { ...namedService, digestEmail: 'team@example.net' });
  const rules = resourcesOf(digested, 'AWS::Events::Rule')
    .filter(([, { Targets }]) => Targets[0].InputTransformer !== undefined)
    .map(([, properties]) => properties);

  test('is not there until somebody is named, and then breaks no rule', () => {
    expect(resourcesOf(template, 'AWS::Events::Rule')).toHaveLength(1);
    expect(violationsOf(digested)).toEqual([]);
  });

  test('mails what is complete, ports that wait for PACs, and what no row is to blame for; never row by row', () => {
    const subjects = rules.map(({ EventPattern }) => [EventPattern['detail-type'][0], EventPattern.detail]);
    expect(subjects).toEqual([
      ['ImportCompleted', undefined],
      ['PortStatusChanged', { status: ['Pac Check Failed', 'PacCheckFailed'] }],
      ['RowNeedsAttention', { scope: ['port', 'request'] }],
    ]);
    for (const { EventPattern, EventBusName, Targets } of rules) {
      expect([EventPattern.source, EventBusName]).toEqual([['simporter.prod'], { Ref: 'EventBus' }]);
      expect(Targets[0].Arn).toEqual({ Ref: 'DigestMail' });
    }
  });

  test('shows members that the events have, each by its name in the text', () => {
    for (const { EventPattern, Targets } of rules) {
      const { InputPathsMap, InputTemplate } = Targets[0].InputTransformer;
      const shown = [...(JSON.parse(InputTemplate) as string).matchAll(/<(\w+)>/g)].map(([, member = '']) => member);
      expect(shown.sort()).toEqual(Object.keys(InputPathsMap).sort());
      const members = Object.keys(eventDetails[EventPattern['detail-type'][0] as EventName].shape);
      for (const member of shown) expect(members).toContain(member);
      for (const [member, path] of Object.entries(InputPathsMap)) expect(path).toBe(`$.detail.${member}`);
    }
  });

  test('tells of a file that has ended how many of its rows never got anywhere', () => {
    const [completed] = rules.filter(({ EventPattern }) => EventPattern['detail-type'][0] === 'ImportCompleted');
    const { InputTemplate } = completed?.Targets[0].InputTransformer ?? {};
    for (const member of ['rejected', 'withdrawn', 'requests']) expect(InputTemplate).toContain(`<${member}>`);
  });

  test('lets EventBridge of this account, and nobody else, publish and use the key', () => {
    const fromThisAccount = {
      Principal: { Service: 'events.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    };
    const statements = [
      ...resourcesOf(digested, 'AWS::SNS::TopicPolicy').flatMap(([, { PolicyDocument }]) => PolicyDocument.Statement),
      ...resourcesOf(digested, 'AWS::KMS::Key').flatMap(([, { KeyPolicy }]) => KeyPolicy.Statement),
    ].filter(({ Effect, Principal }) => Effect === 'Allow' && Principal.Service !== undefined);
    expect(statements).toMatchObject([fromThisAccount, fromThisAccount]);
  });

  test('needs an address that can be one', () => {
    expect(() => configurationOf('prod', { ...namedService, digestEmail: 'team' })).toThrow(/watch\.digestEmail/);
  });
});

describe('the dashboard', () => {
  const [[, dashboard] = []] = resourcesOf(template, 'AWS::CloudWatch::Dashboard');
  const { widgets } = JSON.parse(spell(dashboard?.DashboardBody)) as {
    widgets: { type: string; x: number; y: number; width: number; properties: { markdown?: string } }[];
  };

  test('tells the story from left to right', () => {
    const headings = widgets.filter(({ type }) => type === 'text').sort((one, other) => one.x - other.x);
    expect(headings.map(({ properties }) => properties.markdown?.split('\n')[0])).toEqual([
      '## Inbox and ingest',
      '## Submit',
      '## Sync',
      '## Report',
    ]);
    expect(new Set(headings.map(({ y }) => y)).size).toBe(1);
  });

  test('is as wide as a dashboard, in columns that stand in line', () => {
    for (const { x, width } of widgets) expect(x + width).toBeLessThanOrEqual(24);
    const columns = widgets.filter(({ width }) => width < 24);
    expect(columns.length % 4).toBe(0);
    expect(new Set(columns.map(({ x }) => x))).toEqual(new Set([0, 6, 12, 18]));
  });

  test('shows every metric that a function counts', () => {
    const body = spell(dashboard?.DashboardBody);
    for (const name of Object.keys(metricUnits)) expect(body).toContain(`"${name}`);
  });
});

describe('figures', () => {
  const namespaces = (of: Template) => [
    ...new Set(JSON.stringify(of).match(/simporter\/(local|dev|prod)(?=["',\\])/g) ?? []),
  ];

  test.each(['local', 'dev', 'prod'] as const)('of %s stand apart from those of another stage', (stage) => {
    expect(namespaces(synthesise(stage))).toEqual([`simporter/${stage}`]);
  });

  test('are counted where they are looked for', () => {
    for (const [, { Environment }] of resourcesOf(template, 'AWS::Lambda::Function')) {
      expect(Environment.Variables.POWERTOOLS_METRICS_NAMESPACE).toBe('simporter/prod');
    }
  });
});

test('every saved query asks the log groups of all functions', () => {
  const queries = resourcesOf(template, 'AWS::Logs::QueryDefinition').map(([, properties]) => properties);
  expect(queries.length).toBeGreaterThanOrEqual(5);
  for (const { Name, LogGroupNames, QueryString } of queries) {
    expect(Name).toMatch(/^simporter\/prod\/[A-Z]/);
    expect(LogGroupNames).toHaveLength(5);
    expect(QueryString).toContain('| filter ');
  }
});
