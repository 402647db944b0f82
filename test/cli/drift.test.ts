// From an import to Complete, changed behind our back at the service, found, and mended by the file that is offered.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attentionJson, driftJson, outcomeJson } from '#cli/json-shapes.ts';
import { findRunningEngine } from '#local/directory.ts';
import { type CommandLineEngine, startCommandLineEngine } from '../support/cli-engine.ts';
import { until } from '../support/pipeline-process.ts';
import { clientOf } from '../support/pipeline-service.ts';

let engine: CommandLineEngine;

beforeAll(async () => {
  engine = await startCommandLineEngine(43_200);
});
afterAll(() => engine.stop());

const serials = ['8944110000070009004', '8944110000070009012'];
const file = `msisdn,serialNo,pac,portType,targetNetwork,sourceNetwork,connectionDate,tariff,services,provisioningOrder
07700 900700,${serials[0]},ABC123456,Port,UK Mobile A,Source Mobile One,auto,2001,Roaming=on;Premium Rate Calls=block,5001
07700 900701,${serials[1]},ABC123457,Port,UK Mobile A,Source Mobile One,auto,2001,Roaming=on;Premium Rate Calls=block,5001
`;

/** Another client of the same service: what it does, nobody tells us. */
async function changeBehindOurBack(): Promise<void> {
  const running = await findRunningEngine(join(engine.folder, '.local'));
  if (running === undefined) throw new Error('no engine is running');
  const services = [{ name: 'Roaming', value: 'false' }];
  await clientOf(running).submit('/api/simSubmission/BarServiceConfig', { serialNumbers: [serials[1]], services });
}

const driftNow = async (...options: string[]) => {
  const { stdout } = await engine.run('--json', 'drift', 'numbers.csv', ...options);
  return driftJson.parse(JSON.parse(stdout));
};

it('a service that changed behind our back is found, shown, and set again by the file that is offered', async () => {
  await engine.write('numbers.csv', file);
  const { stdout } = await engine.run('--json', 'import', 'numbers.csv', '--watch');
  expect(outcomeJson.parse(JSON.parse(stdout))).toMatchObject({ state: 'completed', ports: { Complete: 1 } });
  await until('it was compared', async () => (await driftNow()).compared === 1 || undefined, 20_000);
  expect((await driftNow()).sims).toEqual([]);

  await changeBehindOurBack();
  const found = await until(
    'it was found',
    async () => {
      const drift = await driftNow('--again');
      return drift.sims.length > 0 ? drift : undefined;
    },
    20_000,
  );
  expect(found.sims).toMatchObject([
    { line: 3, serialNumber: serials[1], services: [{ name: 'Roaming', asked: 'true', set: 'false' }] },
  ]);
  await until(
    'status tells it',
    async () => (await engine.run('status', 'numbers.csv')).stdout.includes('1 SIM with other services') || undefined,
    20_000,
  );
  expect((await engine.run('results', 'numbers.csv')).stdout).toContain('Roaming is off, asked was on');
  const attention = attentionJson.parse(JSON.parse((await engine.run('--json', 'attention')).stdout)).attention;
  expect(attention).toMatchObject([{ kind: 'drift', numbers: [{ line: 3 }] }]);

  expect((await engine.run('drift', 'numbers.csv', '--csv', 'drift.csv')).exitCode).toBe(1);
  const mend = await engine.run('--json', 'import', 'drift.csv', '--operation', 'bar-service-config', '--watch');
  expect(outcomeJson.parse(JSON.parse(mend.stdout))).toMatchObject({ accepted: 1, requests: { accepted: 1 } });
  await until('it is mended', async () => (await driftNow('--again')).sims.length === 0 || undefined, 20_000);
  expect((await engine.run('drift', 'numbers.csv')).exitCode).toBe(0);
}, 60_000);
