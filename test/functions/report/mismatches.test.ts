import { PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { report } from '#functions/report/report.ts';
import {
  finishComparison,
  type MismatchedSim,
  type newComparison,
  restartComparison,
} from '#shared/outcome/service-comparison.ts';
import { mismatchesKey, resultsKey } from '#shared/store/object-keys.ts';
import { double } from '../../support/double.ts';
import { day } from '../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { reportParts } from '../../support/steps/report.ts';
import { importItemOf, msisdnOf, plannedRowOf } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

const mismatched: MismatchedSim = {
  line: 3,
  msisdn: msisdnOf(2),
  serialNumber: '89440000000000000012',
  services: [
    { name: 'Premium Rate Calls', type: 'Bar', requested: 'false', actual: 'true' },
    { name: 'Roaming', type: 'Service', requested: 'true', actual: 'false' },
    { name: 'Gone', type: '', requested: 'true', actual: null },
  ],
};

/** An import of two rows whose port is complete; the SIM of the second row has a mismatch. */
async function completeWithMismatch(): Promise<void> {
  const key = 'create-port/import-a.csv';
  const Body = `msisdn\n${msisdnOf(1)}\n${msisdnOf(2)}\n`;
  const { ETag = '' } = await services.s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: key, Body }));
  await rig.imports.begin(importItemOf('import-a', { key, etag: ETag.replaceAll('"', ''), rows: 2 }));
  await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3)]));
  rig.pass(4 * day);
  await rig.sync({ comparisons: double({ due: async () => [], replace: async () => false }) });
  await change((item) => finishComparison({ ...item, networkNumber: 101 }, [mismatched], rig.service.now()));
}
async function change(
  step: (item: ReturnType<typeof newComparison>) => ReturnType<typeof newComparison>,
): Promise<void> {
  for await (const item of rig.comparisons.ofImport('import-a'))
    expect(await rig.comparisons.replace(item, step(item))).toBe(true);
}
const write = () => report('import-a', reportParts(rig));
const textOf = (key: string): Promise<string> => rig.files.readText({ bucket: 'results', key });

test('results.csv shows the mismatch on its row, and the file that fixes it', async () => {
  await completeWithMismatch();
  expect(await write()).toMatchObject({ state: 'finished', mismatches: { sims: 1 } });
  const [, first, second] = (await textOf(resultsKey('import-a'))).split('\r\n');
  expect(first).toMatch(
    /^447700900001,import-a,2,complete,[^,]+,Complete,,,2026-07-08,2026-07-06T09:00:00\.000Z,2026-07-\d\dT[\d:.]+Z$/,
  );
  expect(second).toContain(
    '"Premium Rate Calls is allow instead of block; Roaming is off instead of on; Gone is not set instead of true"'.slice(
      1,
      -1,
    ),
  );
  expect(second).toContain('Import mismatches-bar-service-config.csv of this import');
});

test('the file sets the services that differ, and omits a service that the SIM does not have', async () => {
  await completeWithMismatch();
  await write();
  expect(await textOf(mismatchesKey('import-a'))).toBe(
    '\uFEFFserialNumber,network,services,reference\r\n' +
      '89440000000000000012,101,"Premium Rate Calls=block;Roaming=on",447700900002 line 3\r\n',
  );
});

test('after the fix the file is empty and the row has no message', async () => {
  await completeWithMismatch();
  await write();
  await change((item) => restartComparison(item, rig.service.now()));
  await change((item) => finishComparison(item, [], rig.service.now()));
  expect(await write()).toMatchObject({ mismatches: { sims: 0 } });
  expect(await textOf(mismatchesKey('import-a'))).toBe('\uFEFFserialNumber,network,services,reference\r\n');
  expect(await textOf(resultsKey('import-a'))).not.toContain('instead of');
});

test('an import without a mismatch has no such file', async () => {
  await completeWithMismatch();
  await change((item) => ({ ...finishComparison(item, [], rig.service.now()), everFound: false }));
  await write();
  expect(await rig.files.head({ bucket: 'results', key: mismatchesKey('import-a') })).toBeUndefined();
});
