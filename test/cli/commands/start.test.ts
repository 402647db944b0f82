// The options that replace the simulator: what is missing or wrong is named.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claimForService, readService, readServiceVariables } from '#cli/commands/start.ts';

const env = { SIMPORTER_CLIENT_ID: 'client', SIMPORTER_CLIENT_SECRET: 'secret' };
const options = {
  service: 'https://porting.example.net/',
  serviceAuth: 'https://auth.example.net',
  serviceAccount: '2002',
};

test('with all three options and the credentials, the service replaces the simulator', () => {
  expect(readService({}, env)).toBeUndefined();
  expect(readService(options, env)).toEqual({
    baseUrl: 'https://porting.example.net',
    authUrl: 'https://auth.example.net',
    accountId: 2002,
    clientId: 'client',
    clientSecret: 'secret',
  });
});

test.each([
  [{ serviceAccount: '1' }, env, 'belong to --service'],
  [{ service: options.service }, env, '--service needs --service-auth and --service-account'],
  [options, {}, 'needs the credentials'],
  [options, { SIMPORTER_CLIENT_ID: 'client' }, 'needs the credentials'],
  [{ ...options, service: 'http://porting.example.net' }, env, '--service: expected https'],
  [{ ...options, serviceAuth: 'auth' }, env, '--service-auth: expected an https address'],
  [{ ...options, serviceAccount: 'ours' }, env, '--service-account "ours" is not a whole number'],
])('%j with %j is a usage error', (wrong, environment, message) => {
  expect(() => readService(wrong, environment)).toThrow(message);
});

test('a real service is called with the limits of production', () => {
  expect(readServiceVariables({}, undefined)).toEqual({});
  expect(readServiceVariables({ callsPerSecond: '3' }, undefined)).toEqual({ callsPerSecond: '3' });
  const { submit = '', ...production } = readServiceVariables({}, readService(options, env));
  expect(production).toEqual({ callsPerSecond: '10' });
  expect(JSON.parse(submit)).toMatchObject({ callTimeoutSeconds: 15, quietSeconds: 240 });
  expect(() => readServiceVariables({ callsPerSecond: '0' }, undefined)).toThrow('--calls-per-second "0"');
});

test('a folder belongs to the account at the service that used it first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'simporter-service-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const service = readService(options, env);
  await claimForService(folder, service);
  await claimForService(folder, service);
  await expect(claimForService(folder, undefined)).rejects.toThrow('account 2002 at https://porting.example.net');
  const other = readService({ ...options, serviceAccount: '2003' }, env);
  await expect(claimForService(folder, other)).rejects.toThrow('account 2002');
});
