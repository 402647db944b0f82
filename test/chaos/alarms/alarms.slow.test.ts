// Every fault of the table is played, and the alarms of the template fire, or not, by their own arithmetic (period,
// evaluation periods, datapoints, missing data) against what was really published.
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { formatValue } from '#local/template/references.ts';
import { resourcesOf, type Template } from '../../support/infra/checks/read-template.ts';
import { productionSettings, synthesise, withoutHash } from '../../support/infra/template.ts';
import { alarmsOf, type Metric } from './cloudwatch.ts';
import type { Fault } from './fault.ts';
import { faults, untold } from './fault-table.ts';
import { hour, minute, watch } from './watched-world.ts';

/** Everything works for so long before a fault begins, or for two runs of sync. */
const calmMs = hour;

const everyFiveMinutes = synthesise('prod');
/** Of every simulation in this file: the metrics of the functions, without the values of dimensions but `service`. */
const published = new Set<string>();
const shapeOf = ({ name, dimensions: { service, ...others } }: Metric): string =>
  [name, service, ...Object.keys(others)].join(' ');

/** When each alarm fires, in minutes after the fault begins. */
async function play(
  { begin, sabotage, hours, syncCallsAtOnce }: Pick<Fault, 'begin' | 'sabotage' | 'hours' | 'syncCallsAtOnce'>,
  template: Template,
  everyMinutes = 5,
): Promise<Record<string, number>> {
  let isOn = false;
  const calm = Math.max(calmMs, 2 * everyMinutes * minute);
  return watch({ template, sabotage: sabotage?.(() => isOn), syncCallsAtOnce }, async (watched) => {
    const start = watched.now();
    await watched.runTo(start + calm);
    isOn = true;
    await begin(watched);
    await watched.runTo(start + calm + hours * hour);
    expect([...watched.world.heard.violations]).toEqual([]);
    for (const metric of watched.store.metrics())
      if (metric.namespace === 'simporter/prod') published.add(shapeOf(metric));
    return Object.fromEntries(watched.fired(start + calm));
  });
}

function expectTold(fired: Record<string, number>, tells: Fault['tells'], laterBy = 0): void {
  const late = Object.entries(tells).filter(([name, most]) => (fired[name] ?? Number.NaN) > most + laterBy);
  expect(late).toEqual([]);
  expect(Object.keys(fired).sort()).toEqual(Object.keys(tells).sort());
}

test('no alarm fires while everything works', async () => {
  expect(await play({ begin: () => {}, hours: 6 }, everyFiveMinutes)).toEqual({});
});

describe('a person is told by exactly these alarms, in time, that', () => {
  test.each(faults.map((fault) => [fault.what, fault] as const))('%s', async (_, fault) => {
    expectTold(await play(fault, everyFiveMinutes), fault.tells);
  });
});

describe.each([30, 60])('where sync runs every %i minutes', (everyMinutes) => {
  const rarely = synthesise('prod', { ...productionSettings, sync: { everyMinutes } });
  const faultOf = (part: string, kind: Fault['kind']): Fault => {
    const found = faults.find((fault) => fault.part === part && fault.kind === kind);
    if (found === undefined) throw new Error(`no fault of ${part} is ${kind}`);
    return found;
  };

  test('no alarm fires while everything works', async () => {
    expect(await play({ begin: () => {}, hours: 5 }, rarely, everyMinutes)).toEqual({});
  });

  test.each([
    ['SubmitSource', 'off'],
    ['SyncSchedule', 'off'],
    ['SyncFunction', 'full'],
    ['service', 'stops'],
  ] as const)('%s, %s: the same alarms fire, at most three intervals later', async (part, kind) => {
    const fault = faultOf(part, kind);
    const hours = fault.hours + (4 * everyMinutes) / 60;
    const { 'report-delayed': _, ...fired } = await play({ ...fault, hours }, rarely, everyMinutes);
    // A request that was made shortly before an outage has no reading for an hour then, the limit of its alarm.
    const isUnread = part === 'service' && everyMinutes === 60;
    const tells = { ...fault.tells, ...(isUnread && { 'oldest-unfinished-request': 60 }) };
    expectTold(fired, tells, 3 * everyMinutes);
  });
});

describe('the table of faults', () => {
  const idsOf = (type: string) => resourcesOf(everyFiveMinutes, type).map(([id]) => withoutHash(id));
  const all = (ids: readonly string[], ...kinds: readonly Fault['kind'][]) =>
    ids.flatMap((id) => kinds.map((kind) => `${id} ${kind}`));
  const deadLetterQueues = resourcesOf(everyFiveMinutes, 'AWS::SQS::Queue').flatMap(([id, { RedrivePolicy }]) =>
    RedrivePolicy === undefined ? [id] : [],
  );

  test('has every event source, schedule, function, rule and dead-letter queue of the template', () => {
    const wanted = [
      ...all(idsOf('AWS::Lambda::EventSourceMapping'), 'off'),
      ...all(['SyncSchedule'], 'off'),
      ...all(idsOf('AWS::Lambda::Function'), 'stops', 'slow', 'full'),
      ...all(idsOf('AWS::Events::Rule'), 'stops', 'off'),
      ...all(['service'], 'stops', 'slow', 'full', 'wrong'),
    ];
    const listed = new Set([...untold, ...faults.map(({ part, kind }) => `${part} ${kind}`)]);
    expect(wanted.filter((one) => !listed.has(one))).toEqual([]);
    expect(idsOf('AWS::Scheduler::Schedule')).toEqual(['SyncSchedule']);
  });

  test('fills every dead-letter queue', () => {
    const alarms = alarmsOf(everyFiveMinutes);
    const told = new Set(faults.flatMap(({ tells }) => Object.keys(tells)));
    const filled = alarms
      .filter(({ name }) => told.has(name.replace('simporter-prod-', '')))
      .flatMap(({ metrics }) => metrics.map(({ dimensions: { QueueName } }) => QueueName));
    expect(deadLetterQueues.filter((id) => !filled.includes(`<${id}.QueueName>`))).toEqual([]);
  });

  test('has a fault for every alarm', () => {
    const told = new Set(faults.flatMap(({ tells }) => Object.keys(tells)));
    const names = alarmsOf(everyFiveMinutes).map(({ name }) => name.replace('simporter-prod-', ''));
    expect(names.filter((name) => !told.has(name))).toEqual([]);
  });
});

describe('every metric of the functions that is drawn was published with exactly these dimensions:', () => {
  const widget = z.object({ properties: z.object({ metrics: z.array(z.array(z.unknown())).default([]) }) });

  /** A query over `service` reads the metric of any function. */
  const isPublished = (shape: string): boolean => {
    const [name = '', service, ...others] = shape.split(' ');
    return [...published].some((each) => {
      const [itsName, itsService, ...itsOthers] = each.split(' ');
      return itsName === name && (service === '*' || service === itsService) && others.join() === itsOthers.join();
    });
  };

  function drawn(): string[] {
    const [[, dashboard] = []] = resourcesOf(everyFiveMinutes, 'AWS::CloudWatch::Dashboard');
    const { widgets } = z
      .object({ widgets: z.array(z.unknown()) })
      .parse(JSON.parse(formatValue(dashboard?.DashboardBody)));
    return widgets.flatMap((each) => {
      const read = widget.safeParse(each);
      return read.success ? read.data.properties.metrics.flatMap(shapeOfLine) : [];
    });
  }

  function shapeOfLine(line: readonly unknown[]): string[] {
    const [first, name, dimension, value] = line;
    if (first === 'simporter/prod' && dimension === 'service') return [`${name} ${value}`];
    const { expression = '' } = z.object({ expression: z.string().optional() }).catch({}).parse(first);
    const [, counted] = /^SELECT SUM\((\w+)\) FROM SCHEMA\("simporter\/prod", service\)$/.exec(expression) ?? [];
    const [, others, searched] =
      /^SEARCH\('\{simporter\/prod,service,(\w+)\} MetricName="(\w+)"'/.exec(expression) ?? [];
    if (counted !== undefined) return [`${counted} *`];
    return searched === undefined ? [] : [`${searched} * ${others}`];
  }

  test('by an alarm', () => {
    const read = alarmsOf(everyFiveMinutes).flatMap(({ metrics }) => metrics);
    const own = read.filter(({ namespace }) => namespace === 'simporter/prod').map(shapeOf);
    expect(own.length).toBeGreaterThan(8);
    expect(own.filter((shape) => !isPublished(shape))).toEqual([]);
  });

  test('by the dashboard', () => {
    expect(drawn().length).toBeGreaterThan(12);
    expect(drawn().filter((shape) => !isPublished(shape))).toEqual([]);
  });
});
