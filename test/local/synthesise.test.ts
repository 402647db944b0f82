// The product's own stacks, as the engine reads them.
import { expect, test } from 'vitest';
import { synthesise } from '#local/synthesise.ts';
import { readBlueprint } from '#local/template/blueprint.ts';

const around = { region: 'eu-west-2', accountId: '000000000000', sqsEndpoint: 'http://127.0.0.1:1' };

test('every stack of the app can be run: the engine knows each of its resources', async () => {
  const [pipeline] = (await synthesise('local')).map((stack) => readBlueprint(stack, around));

  expect(pipeline?.functions.map(({ entry }) => entry)).toEqual(
    expect.arrayContaining(
      ['ingest', 'submit', 'sync', 'report', 'announce'].map((name) => `functions/${name}/entry.ts`),
    ),
  );
  expect(pipeline?.mappings.length).toBeGreaterThanOrEqual(3);
  expect(pipeline?.schedules).toHaveLength(1);
});

test('a stage that does not exist is refused by name', async () => {
  await expect(synthesise('moon')).rejects.toThrow(/moon/);
});
