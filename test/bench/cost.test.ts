// The tables of docs/contributing/cost.md are what the model prints, and the model agrees with what was counted on the
// wire.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  callPerRowUsage,
  distributedMapUsage,
  fixedDollars,
  fixedResources,
  simporterUsage,
  workDollars,
} from '../../bench/cost-model.ts';
import prices from '../../bench/prices.json' with { type: 'json' };
import { synthesise } from '../support/infra-template.ts';
import { runNpm } from '../support/run-npm.ts';
import { resourcesOf } from '../support/template-checks/read-template.ts';

const repository = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(repository, 'docs', 'contributing', 'cost.md'), 'utf8');
const examples = [...page.matchAll(/```sh\nnpm run -s (cost [^\n]+)\n```\n\n```text\n(.*?)\n```/gs)];
const month = { rows: 1_000_000, rowsPerRequest: 100, readsPerPort: 28, secondsPerCall: 0.5 };

test.each(examples.map(([, command = '', output = '']) => [command, output]))(
  'npm run %s prints what docs/contributing/cost.md shows',
  (command, output) => {
    expect(runNpm(['run', '-s', ...command.split(' ')], repository).trimEnd()).toBe(output);
  },
);

test('both examples are found', () => {
  expect(examples).toHaveLength(2);
});

test('a row of a full request costs the write units of docs/contributing/cost.md', () => {
  const perRow = simporterUsage(month).writeUnits / month.rows;
  expect(page).toContain(`**${perRow.toFixed(1)} write units**`);
});

test('twice the rows cost twice as much usage, without the fixed cost', () => {
  const fixed = workDollars(simporterUsage({ ...month, rows: 0 }), prices);
  const once = workDollars(simporterUsage(month), prices) - fixed;
  const twice = workDollars(simporterUsage({ ...month, rows: 2_000_000 }), prices) - fixed;
  expect(twice / once).toBeCloseTo(2, 6);
});

test('the designs differ only in how they follow ports and in how they group rows', () => {
  const [own, map, single] = [simporterUsage(month), distributedMapUsage(month), callPerRowUsage(month)];
  expect(map.writeUnits).toBe(own.writeUnits);
  expect(map.transitions).toBe(10_000 * (6 + 3 * 28));
  expect(single).toEqual(simporterUsage({ ...month, rowsPerRequest: 1 }));
});

test('the number of alarms, and of the metrics that they read, is that of the template', () => {
  const alarms = resourcesOf(synthesise('prod'), 'AWS::CloudWatch::Alarm');
  const queries = alarms.filter(([, { Metrics }]) => Metrics?.[0].Expression?.startsWith('SELECT'));
  const withoutAlarms = { ...prices, dollars: { ...prices.dollars, alarmMonth: 0 } };
  const billed = (fixedDollars(prices) - fixedDollars(withoutAlarms)) / prices.dollars.alarmMonth;
  // Submit and sync publish each metric that a query adds up.
  expect(billed).toBeCloseTo(alarms.length + queries.length, 6);
  expect(page).toContain(`${alarms.length} alarms on ${fixedResources.alarmMetrics} metrics, a dashboard`);
  expect(page).toContain(`at most ${fixedResources.metrics} metrics`);
});
