import { expect, test } from 'vitest';
import { functionSettings, readSettings, settingVariables } from '#shared/runtime/settings.ts';

const service = { baseUrl: 'https://porting.example.net', authUrl: 'https://auth.example.net', accountId: 1 };
const settings = {
  service,
  callsPerSecond: 10,
  approval: 'two' as const,
  analytics: true,
  account: functionSettings.account.parse({ bundleControlNetworks: ['Network A', '201'] }),
  limits: functionSettings.limits.parse({}),
  submit: functionSettings.submit.parse({}),
  retention: functionSettings.retention.parse({}),
};
const variables = settingVariables(settings);

test('a function reads the settings that the template contains', () => {
  expect(readSettings({ ...variables, PATH: '/bin' })).toEqual(settings);
});

test('settings that no function uses are not in the template', () => {
  const more = { ...settings, service: { ...service, secretName: 'porting' }, digestEmail: 'a@example.net' };
  expect(settingVariables(more)).toEqual(variables);
});

test('all missing and wrong settings are named at once', () => {
  const { service: _, ...others } = variables;
  const read = () => readSettings({ ...others, account: '{"lockingHour":24}', callsPerSecond: '0' });
  for (const name of [/service/, /account\.lockingHour/, /callsPerSecond/]) expect(read).toThrow(name);
});

test('a setting that is not JSON is named, and not quoted', () => {
  expect(() => readSettings({ ...variables, callsPerSecond: 'ten' })).toThrow(/^(?!.*ten).*callsPerSecond/s);
});
