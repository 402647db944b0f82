// Names that the templates give contain that of their environment. No two environments have one in common, so that they
// can share an account.
import { expect, test } from 'vitest';
import { readConfiguration } from '#infra/config.ts';
import { consoleStackName, simulatorStackName, stackName } from '#infra/derived-settings.ts';
import type { Properties } from '../support/infra/checks/read-template.ts';
import { consoleSettings, productionSettings, synthesiseAll } from '../support/infra/template.ts';

const stacksOf = (stage: string) => [stackName(stage), consoleStackName(stage), simulatorStackName(stage)];

const isAccepted = (stage: string): boolean => {
  try {
    return readConfiguration(stage, { environments: { [stage]: { basedOn: 'dev' } } }).stage === stage;
  } catch {
    return false;
  }
};

const parts = ['console', 'simulator', 'prod', 'eu'];
const names = parts.flatMap((one) => [one, ...parts.flatMap((two) => [`${one}-${two}`, `${one}-${two}-eu`])]);

test('no two stacks of all environments have the same name', () => {
  const accepted = names.filter(isAccepted);
  expect(accepted).toEqual(expect.arrayContaining(['console', 'eu-console', 'prod-simulator-eu']));
  const stacks = accepted.flatMap(stacksOf);
  expect(stacks.filter((name, index) => stacks.indexOf(name) !== index)).toEqual([]);
});

/** What follows `simporter-prod` in the fixed names of resources of one type. */
function suffixesByType(): ReadonlyMap<string, ReadonlySet<string>> {
  const mails = { digestEmail: 'team@example.net', webhook: { secretName: 'simporter/webhook' } };
  const found = new Map<string, Set<string>>();
  const templates = synthesiseAll('prod', { ...productionSettings, ...consoleSettings('prod'), ...mails });
  for (const { Resources } of templates.values()) {
    for (const { Type, Properties = {} } of Object.values(Resources)) {
      const suffixes = found.get(Type) ?? new Set();
      found.set(Type, suffixes);
      for (const name of namesIn(Properties)) suffixes.add(name.slice(stackName('prod').length));
    }
  }
  return found;
}

const namesIn = (properties: Properties): string[] =>
  Object.entries(properties).flatMap(([property, value]) =>
    property.endsWith('Name') && typeof value === 'string' && value.startsWith(stackName('prod')) ? [value] : [],
  );

test('no resource of an environment has the name of one of another environment', () => {
  const byType = [...suffixesByType()];
  expect(byType.flatMap(([, suffixes]) => [...suffixes]).length).toBeGreaterThan(40);
  const clashes = byType.flatMap(([type, suffixes]) =>
    // `prod` has `-eu-errors` and `prod-eu` has `-errors`: the same name.
    [...suffixes].flatMap((suffix) =>
      [...suffixes]
        .filter((other) => other !== suffix && other.startsWith('-') && suffix.endsWith(other))
        .map((other) => `${type}: ${suffix} of prod, ${other} of prod${suffix.slice(0, -other.length)}`),
    ),
  );
  expect(clashes).toEqual([]);
});
