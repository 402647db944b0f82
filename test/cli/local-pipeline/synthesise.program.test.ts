// The stacks of simporter, as the emulator reads them.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { project } from '#cli/local-pipeline/local-pipeline.ts';
import { readBlueprint } from '#local/template/blueprint.ts';
import { synthesise } from '#local/template/synthesise.ts';
import { blueprintContext } from '../../support/emulator/templates.ts';

let cacheDirectory: string;
const templatesOf = (stage: string, signal?: AbortSignal) =>
  synthesise({ program: 'infra/app.ts', context: { stage } }, { ...project, cacheDirectory }, 'these sources', signal);
beforeAll(async () => {
  cacheDirectory = await mkdtemp(join(tmpdir(), 'simporter-cache-'));
});
afterAll(() => rm(cacheDirectory, { recursive: true }));

test('every stack of the app can be run: the emulator knows each of its resources', async () => {
  const { functions, mappings, schedules, httpApis } = readBlueprint(await templatesOf('local'), {
    ...blueprintContext,
    httpApiEndpoints: { 'simporter-console-local-Api': 'http://127.0.0.1:2' },
  });

  expect(functions.map(({ entry }) => entry)).toEqual(
    expect.arrayContaining(
      ['ingest', 'submit', 'sync', 'report', 'announce', 'api-read', 'api-write'].map(
        (name) => `functions/${name}/entry.ts`,
      ),
    ),
  );
  expect(mappings.length).toBeGreaterThanOrEqual(3);
  expect(schedules).toHaveLength(1);
  expect(httpApis.flatMap(({ routes }) => routes).every(({ needsToken }) => needsToken)).toBe(true);
  const variables = functions.find(({ entry }) => entry.includes('api-read'))?.Environment.Variables;
  expect(variables).toMatchObject({ RESULTS_TABLE: 'simporter-local-Table', ENVIRONMENT_KIND: 'local' });
});

test('the second synthesis of the same sources takes the templates of the first, and runs no app', async () => {
  const first = await templatesOf('local');
  const mayNotRun = AbortSignal.abort();
  expect(await templatesOf('local', mayNotRun)).toEqual(first);
  await expect(templatesOf('dev', mayNotRun)).rejects.toThrow();
});

test('a stage that does not exist is declined by name, and nothing of it is kept', async () => {
  const before = await readdir(join(cacheDirectory, 'builds'));
  await expect(templatesOf('moon')).rejects.toThrow(/moon/);
  expect(await readdir(join(cacheDirectory, 'builds'))).toEqual(before);
});
