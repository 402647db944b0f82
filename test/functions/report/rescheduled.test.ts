import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { report } from '#functions/report/report.ts';
import { resultsKey } from '#shared/store/object-keys.ts';
import type { ResultsServices } from '../../support/embedded/services.ts';
import { startTwinServices } from '../../support/in-memory/services.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';
import { reportParts } from '../../support/steps/report.ts';
import { importItemOf, msisdnOf, startRig } from '../../support/steps/submit-and-sync.ts';

let services: ResultsServices;

beforeAll(async () => {
  services = await startTwinServices();
});
afterAll(() => services.stop());

test('an import that reschedules ports reports only its own rows of the file, and what they wait for', async () => {
  const rig = await startRig(services);
  const key = 'create-port/import-a.csv';
  const Body = `msisdn\n${msisdnOf(1)}\n${msisdnOf(2)}\n${msisdnOf(3)}\n`;
  const { ETag = '' } = await services.s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: key, Body }));
  const reschedules = { importId: 'import-a', date: '2026-07-20' };
  await rig.imports.begin(importItemOf('import-b', { key, etag: ETag.replaceAll('"', ''), rows: 1, reschedules }));
  const replaces = { importId: 'import-a', request: 1, portId: 'port-1' };
  const error = { kind: 'held', message: 'waits until the service has cancelled port port-1' };
  await rig.requests.plan([
    requestItemOf({ importId: 'import-b', state: 'planned', lines: '3', rowCount: 1, replaces, error }),
  ]);

  await report('import-b', reportParts(rig));
  const text = await rig.files.readText({ bucket: 'results', key: resultsKey('import-b') });
  expect(text.trimEnd().split('\r\n').slice(1)).toEqual([
    `${msisdnOf(2)},import-b,3,waiting,,,waits until the service has cancelled port port-1,No action needed: the row will be submitted,,,`,
  ]);
});
