// Whether the service is a simulator follows from the address that the functions call: in the console and for the
// command line, in every environment.
import { expect, test } from 'vitest';
import { readResources } from '#cli/target/stack-outputs.ts';
import { apiSettingsOf, apiVariables } from '#functions/api/context.ts';
import { parseEnvironment } from '#shared/runtime/config.ts';
import { readSettings } from '#shared/runtime/settings.ts';
import { resourcesOf } from '../support/infra/checks/read-template.ts';
import {
  namedService,
  productionSettings,
  type SynthesisedTemplate,
  synthesise,
  synthesiseConsole,
  synthesiseSimulator,
} from '../support/infra/template.ts';

/** As CloudFormation resolves it, with the id of the API for each resource. */
const resolved = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : ((value as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join']?.[1].map(resolved).join('') ??
      'https://a1b2c3.execute-api.eu-west-2.amazonaws.com');

const outputsOf = (template: SynthesisedTemplate) =>
  Object.fromEntries(Object.entries(template.Outputs).map(([name, { Value }]) => [name, resolved(Value)]));

const { BaseUrl: baseUrl, AuthUrl: authUrl, AccountId } = outputsOf(synthesiseSimulator());
const simulator = { service: { baseUrl, authUrl, accountId: Number(AccountId) } };

test.each([
  ['dev with the simulator of its app', 'dev', simulator, true],
  ['dev with a real service, beside the simulator of its app', 'dev', namedService, false],
  ['prod with a real service', 'prod', namedService, false],
  ['prod with a simulator', 'prod', simulator, true],
] as const)('%s', (_, stage, { service }, isSimulated) => {
  const changed = { ...productionSettings, service };
  const read = resourcesOf(synthesiseConsole(stage, changed), 'AWS::Lambda::Function').find(([id]) =>
    id.startsWith('ApiRead'),
  );
  const variables: Record<string, string> = Object.fromEntries(
    Object.entries(read?.[1].Environment.Variables).map(([name, value]) => [name, resolved(value)]),
  );
  const settings = readSettings(variables);
  expect(settings.service.baseUrl).toBe(service.baseUrl);
  expect(apiSettingsOf(parseEnvironment(variables, apiVariables), settings).simulated).toBe(isSimulated);
  expect(readResources(outputsOf(synthesise(stage, changed)), 'The stack').simulated).toBe(isSimulated);
});
