// The pipeline on the local emulator: its porting simulator, or another porting service.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Pipeline, type PipelineOptions, startPipeline } from '#cli/local-pipeline/local-pipeline.ts';
import { findRunningEmulator } from '#local/data-folder.ts';
import { connectionTo } from '../../support/emulator/emulator.ts';
import { notOn } from '../../support/not-on.ts';
import { descendants } from '../../support/processes.ts';

let directory: string;
let pipeline: Pipeline | undefined;
let reports: string[];
const start = async (options: PipelineOptions = {}): Promise<Pipeline> => {
  pipeline = await startPipeline({
    directory,
    callerEnvironment: {},
    log: () => undefined,
    report: (line) => void reports.push(line),
    ...options,
  });
  return pipeline;
};
beforeEach(async () => {
  reports = [];
  directory = await mkdtemp(join(tmpdir(), 'simporter-pipeline-'));
});
afterEach(async () => {
  await pipeline?.stop();
  await rm(directory, { recursive: true, force: true });
});

const tokenStatus = async ({ service }: Pipeline): Promise<number> => {
  const { authUrl, clientId, clientSecret } = service;
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  return (await fetch(`${authUrl}/connect/token`, { method: 'POST', body })).status;
};

/** Ends every simulator that this process has started, without a chance to clean up. */
const killSimulator = (): void => {
  for (const pid of descendants(process.pid, `--calendar ${directory}`)) process.kill(pid, 'SIGKILL');
};

notOn(['Windows'], 'the processes of the machine are listed by ps')(
  'a simulator that was killed runs again at the same address, with the same client',
  async () => {
    const started = await start();
    expect(await tokenStatus(started)).toBe(200);

    killSimulator();

    await expect.poll(() => reports).toContain('The porting simulator runs again');
    expect(reports[0]).toContain('The porting simulator ended by itself');
    expect(await tokenStatus(started)).toBe(200);
  },
);

test('another porting service takes the place of the simulator, and its credentials are in no file', async () => {
  const service = {
    baseUrl: 'https://porting.example',
    authUrl: 'https://auth.example',
    accountId: 2002,
    clientId: 'our-client',
    clientSecret: 'our-secret',
  };

  const { outputs, endpoints, environment } = await start({ service });

  expect(outputs.PortingAccount).toBe('2002@https://porting.example');
  expect(endpoints.service).toBe('https://porting.example');
  expect(await findRunningEmulator(directory)).toMatchObject({ outputs, endpoints });
  const secrets = new SecretsManagerClient(connectionTo(endpoints.secretsManager, environment));
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: outputs.SecretArn }));
  expect(JSON.parse(SecretString ?? '')).toEqual({ clientId: 'our-client', clientSecret: 'our-secret' });
  for (const name of ['emulator.json', 'state.json']) {
    expect(await readFile(join(directory, name), 'utf8')).not.toContain('our-secret');
  }
});
