// The upload of a first import is gone, or is to be erased, while a correction of it is still under way.
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { forget } from '#cli/commands/forget.ts';
import type { Target } from '#cli/target/target.ts';
import { report } from '#functions/report/report.ts';
import { partItemOf } from '#shared/import/part.ts';
import { readNumberDetails } from '#shared/results/numbers.ts';
import { readRootProgress, storedProgress } from '#shared/results/progress.ts';
import { readResults } from '#shared/results/results.ts';
import { Rejected } from '#shared/service/errors.ts';
import { double } from '../../support/double.ts';
import { startResultsServices } from '../../support/embedded/services.ts';
import { day, hour } from '../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { reportParts } from '../../support/steps/report.ts';
import { importItemOf, msisdnOf, plannedRowOf } from '../../support/steps/submit-and-sync.ts';

useFreshRig(startResultsServices);

/** Answers its etag. */
async function put(key: string, Body: string): Promise<string> {
  const bucket = services.buckets.inbox;
  await services.s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body }));
  return (await rig.files.head({ bucket, key }))?.etag ?? '';
}
const national = (index: number) => `0${msisdnOf(index).slice(2)}`;
const layout = { headerLine: 1, delimiter: ',' as const, encoding: 'utf-8' as const };

/** Row 2 is ported. Row 3 was declined, and its correction is in a port that is still moving. */
async function correctedImport() {
  const etag = await put('create-port/numbers.csv', `msisdn\r\n${national(1)}\r\n${national(2)}\r\n`);
  const counts = { rows: 2, accepted: 2, etag, layout };
  await rig.imports.begin(importItemOf('import-a', { ...counts, requestCount: 2 }));
  const [first, second] = await rig.plan('import-a', [[plannedRowOf(1, 2)], [plannedRowOf(2, 3)]]);
  if (first === undefined || second === undefined) throw new Error('nothing is planned');
  await rig.submit(first);
  const client = rig.submitParts().client;
  const createPort = async () => {
    throw new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, { call: 'POST', status: 400 });
  };
  await rig.submit(second, { client: { ...client, createPort } });
  for (let step = 0; step < 12; step += 1) {
    rig.pass(day);
    await rig.sync();
  }
  await report('import-a', reportParts(rig));
  const etagOfAgain = await put('create-port/again.csv', `msisdn,importId,line\r\n${national(2)},import-a,3\r\n`);
  const part = importItemOf('import-c', {
    key: 'create-port/again.csv',
    etag: etagOfAgain,
    columnIndexes: { msisdn: 0 },
    layout,
    rows: 1,
    accepted: 1,
    partOf: { importId: 'import-a', kind: 'correction' },
    receivedAt: '2026-07-18T10:00:00.000Z',
  });
  const root = await rig.imports.get('import-a');
  if (root === undefined) throw new Error('no import');
  await rig.imports.begin(part);
  await rig.imports.addPart(partItemOf(part, 'import-a'), root);
  const row = { ...plannedRowOf(2, 2), correctedRow: 'import-a/3' };
  const [message] = await rig.plan('import-c', [[row]], { connectionDate: '2026-07-28' as never });
  if (message === undefined) throw new Error('nothing is planned');
  await rig.submit(message);
  rig.pass(hour);
  await rig.sync();
  await reportBoth();
  expect(await shown()).toMatchObject({ rows: ['complete', 'in-progress'], number: 'in-progress' });
}

async function reportBoth() {
  await report('import-c', reportParts(rig));
  await report('import-a', reportParts(rig));
}

const reader = () => ({ ...rig.syncParts(), rateLimiter: {} }) as never;

async function shown() {
  const item = await rig.imports.get('import-a');
  if (item === undefined) throw new Error('no import');
  const rows = await Array.fromAsync(readResults(reader(), item));
  return {
    rows: rows.map(({ outcome }) => outcome),
    number: (await readNumberDetails(reader(), msisdnOf(2)))?.outcome,
    cli: (await readRootProgress(reader(), item)).progress.outcomes,
    api: storedProgress(item).outcomes,
  };
}

async function end() {
  for (let step = 0; step < 20; step += 1) {
    rig.pass(day);
    await rig.sync();
  }
  await reportBoth();
}

const target = () =>
  double<Target>({
    s3: services.s3,
    table: services.table,
    imports: rig.imports,
    resources: double<Target['resources']>({ ...rig.syncParts().resources, resultsTable: rig.table }),
  });

test('the upload expired: each surface counts what became of the correction', async () => {
  await correctedImport();
  await services.s3.send(new DeleteObjectCommand({ Bucket: services.buckets.inbox, Key: 'create-port/numbers.csv' }));
  await end();
  const { number, cli, api } = await shown();
  expect({ number, cli, api }).toEqual({ number: 'complete', cli: { complete: 2 }, api: { complete: 2 } });
});

test('forget erases nothing of an import whose correction still needs its file', async () => {
  await correctedImport();
  await expect(forget(target(), msisdnOf(1), { dryRun: false })).rejects.toThrow(/in progress, or .*: import-c\./);
  await end();
  expect(await shown()).toEqual({
    rows: ['complete', 'complete'],
    number: 'complete',
    cli: { complete: 2 },
    api: { complete: 2 },
  });
});
