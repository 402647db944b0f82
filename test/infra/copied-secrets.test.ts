// A new value of a secret takes effect without a changed template: an output has the command that copies the value
// again to each place where CloudFormation copied it.
import { describe, expect, test } from 'vitest';
import { formatValue } from '#local/template/references.ts';
import type { SynthesisedTemplate } from '../support/infra/template.ts';
import { consoleSettings, productionSettings, synthesise, synthesiseConsole } from '../support/infra/template.ts';

const signIn = {
  name: 'Company',
  kind: 'oidc',
  issuer: 'https://id.example.com',
  clientId: 'simporter',
  clientSecretName: 'simporter/oidc',
};
const templates: Readonly<Record<string, SynthesisedTemplate>> = {
  'a webhook': synthesise('prod', { ...productionSettings, webhook: { secretName: 'simporter/webhook' } }),
  'a chat': synthesise('prod', { ...productionSettings, webhook: { secretName: 'simporter/chat', form: 'slack' } }),
  'a sign-in': synthesiseConsole('prod', { console: { ...consoleSettings('prod').console, signIn } }),
};

const command =
  /^aws secretsmanager get-secret-value --secret-id (\S+) --query SecretString --output text \| jq (?:--raw-input )?'\. as \$secret \| (\{.*\}) \| \.(\S+) = \(\$secret \| \.(\w*)\)' \| aws (?:events|cognito-idp) update-[a-z-]+ --cli-input-json file:\/\/\/dev\/stdin$/;

/** What the commands of a template write: as CloudFormation does, with a reference in place of the value. */
const writesOf = ({ Outputs }: SynthesisedTemplate) =>
  Object.entries(Outputs)
    .filter(([name]) => name.startsWith('Update'))
    .flatMap(([, { Value }]) => formatValue(Value).split(' && '))
    .map((text) => {
      const [, secret, input = '', to = '', from] = command.exec(text) ?? [text];
      const { Name: _, ...written } = JSON.parse(input);
      const path = to.split('.');
      const field = path.pop() ?? '';
      const place = path.reduce((object, name) => object[name], written);
      place[field] = `{{resolve:secretsmanager:${secret}:SecretString:${from}::}}`;
      return written;
    });

const referencesIn = (text: string) => text.match(/\{\{resolve:secretsmanager:[^}]*\}\}/g) ?? [];

describe.each(Object.entries(templates))('%s', (_, template) => {
  const resources = Object.values(template.Resources).map(({ Properties }) => JSON.stringify(Properties ?? {}));
  const writes = writesOf(template);

  test('has a command for every value that CloudFormation copies from a secret', () => {
    const copied = resources.flatMap(referencesIn).sort();
    expect(copied).not.toEqual([]);
    expect(writes.flatMap((written) => referencesIn(JSON.stringify(written))).sort()).toEqual(copied);
  });

  test('the command writes nothing else than the template', () => {
    const copying = resources
      .filter((text) => referencesIn(text).length > 0)
      .map((text) => JSON.parse(text, (_, value) => (value?.Ref === undefined ? value : formatValue(value))));
    for (const written of writes) expect(copying).toContainEqual(expect.objectContaining(written));
  });
});
