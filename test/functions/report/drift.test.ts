import { PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { driftKey } from '#functions/report/drift-file.ts';
import { report, resultsKey } from '#functions/report/report.ts';
import { comparedAgain, type DriftedSim, ended, type newDrift } from '#shared/domain/drift.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { day } from '../../support/porting-service.ts';
import { rig, services } from '../../support/results-fresh.ts';
import { importItemOf, msisdnOf, plannedRowOf, silentLog } from '../../support/results-rig.ts';

const drifted: DriftedSim = {
  line: 3,
  msisdn: msisdnOf(2),
  serialNumber: '89440000000000000012',
  services: [
    { name: 'Premium Rate Calls', type: 'Bar', asked: 'false', set: 'true' },
    { name: 'Roaming', type: 'Service', asked: 'true', set: 'false' },
    { name: 'Gone', type: '', asked: 'true', set: null },
  ],
};

/** An import of two lines whose port is complete, with the SIM of its second line found to differ. */
async function completeWithDrift(): Promise<void> {
  const key = 'create-port/import-a.csv';
  const Body = `msisdn\n${msisdnOf(1)}\n${msisdnOf(2)}\n`;
  const { ETag = '' } = await services.s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: key, Body }));
  await rig.imports.begin(importItemOf('import-a', { key, etag: ETag.replaceAll('"', ''), rows: 2 }));
  await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3)]));
  rig.pass(4 * day);
  await rig.sync({ drifts: { due: async () => [], replace: async () => false } });
  await change((item) => ended({ ...item, networkNumber: 101 }, [drifted], rig.service.now()));
}
async function change(step: (item: ReturnType<typeof newDrift>) => ReturnType<typeof newDrift>): Promise<void> {
  for await (const item of rig.drifts.ofImport('import-a'))
    expect(await rig.drifts.replace(item, step(item))).toBe(true);
}
const write = () =>
  report('import-a', {
    imports: rig.imports,
    requests: rig.requests,
    ports: rig.ports,
    drifts: rig.drifts,
    files: rig.files,
    operationNamed,
    resultsBucket: 'results',
    wall: rig.service.now,
    remainingMs: () => 900_000,
    log: silentLog,
  });
const textOf = (key: string): Promise<string> => rig.files.readText({ bucket: 'results', key });

test('results.csv says on the line what differs, and that a file mends it', async () => {
  await completeWithDrift();
  expect(await write()).toMatchObject({ state: 'completed', drift: { sims: 1 } });
  const [, first, second] = (await textOf(resultsKey('import-a'))).split('\r\n');
  expect(first).toMatch(/^447700900001,2,complete,[^,]+,Complete,,$/);
  expect(second).toContain(
    '"Premium Rate Calls is allow, asked was block; Roaming is off, asked was on; Gone is not set, asked was true"'.slice(
      1,
      -1,
    ),
  );
  expect(second).toContain('drop drift-bar-service-config.csv of this import');
});

test('the file sets in plain words what the SIM has otherwise, and leaves out what it does not know', async () => {
  await completeWithDrift();
  await write();
  expect(await textOf(driftKey('import-a'))).toBe(
    'serialNumber,network,services,reference\r\n' +
      '89440000000000000012,101,"Premium Rate Calls=block;Roaming=on",447700900002 line 3\r\n',
  );
});

test('once it is mended the file is empty and the line is like the others', async () => {
  await completeWithDrift();
  await write();
  await change((item) => comparedAgain(item, rig.service.now()));
  await change((item) => ended(item, [], rig.service.now()));
  expect(await write()).toMatchObject({ drift: { sims: 0 } });
  expect(await textOf(driftKey('import-a'))).toBe('serialNumber,network,services,reference\r\n');
  expect(await textOf(resultsKey('import-a'))).not.toContain('asked was');
});

test('an import without a finding has no such file', async () => {
  await completeWithDrift();
  await change((item) => ({ ...ended(item, [], rig.service.now()), everFound: false }));
  await write();
  expect(await rig.files.head({ bucket: 'results', key: driftKey('import-a') })).toBeUndefined();
});
