// A move of a port to another day meets what happened to its numbers before, or while it waits.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { report } from '#functions/report/report.ts';
import { applyAnswer } from '#shared/request/request-state.ts';
import { resultsKey } from '#shared/store/object-keys.ts';
import { hour, minute } from '../../../support/service/simulator.ts';
import { adoptPort, makeElsewhere } from '../../../support/steps/adopting.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import { reportParts } from '../../../support/steps/report.ts';
import {
  both,
  livePortsOf,
  move,
  ported,
  submitWaiting,
  syncUntilReleased,
} from '../../../support/steps/rescheduling.ts';
import { importItemOf, msisdnOf } from '../../../support/steps/submit-and-sync.ts';

useFreshRig();

const resultsOf = async (importId: string): Promise<string> => {
  await report(importId, reportParts(rig));
  return rig.files.readText({ bucket: 'results', key: resultsKey(importId) });
};

test('a number that simporter ported years ago is in the port of the move', async () => {
  await rig.imports.begin(importItemOf('import-old', { state: 'finished' }));
  const latest = { portId: 'old', status: 'Complete', readAt: '2024-07-09T09:00:00.000Z', ended: true };
  const about = { importId: 'import-old', request: 1, line: 2, claimedAt: '2024-07-06T09:00:00.000Z' };
  await rig.numbers.claim([{ number: msisdnOf(1), ...about, latest, expiresAt: 1_850_000_000 }]);
  // It left since, and a person ports it in again in the portal.
  const { importId } = await adoptPort(await makeElsewhere('Field team', [1, 2], { pac: 'XYZ987654' }));
  const moved = await move('2026-07-20', { reschedule: importId });
  rig.pass(hour);
  await rig.sync();
  await syncUntilReleased(1);
  await submitWaiting();
  await report(moved.importId, reportParts(rig));
  expect(await resultsOf(importId)).not.toContain(',cancelled,');
  for (const index of [1, 2]) expect(await livePortsOf(msisdnOf(index))).toHaveLength(1);
});

test('a port is not cancelled while its request has a second port, which was found after the move was planned', async () => {
  await ported(both);
  const moved = await move('2026-07-20');
  const item = await rig.request('import-a');
  const answer = { kind: 'created', portId: 'second-port' } as const;
  const late = applyAnswer(item, item.attempt, answer, { now: rig.service.now(), quietMs: 0 });
  await rig.requests.replace(item, late ?? item);
  rig.calls.length = 0;
  for (let minutes = 0; minutes < 30; minutes += 1) {
    rig.pass(minute);
    await rig.sync();
  }
  expect(rig.calls).not.toContain('cancelPort');
  expect(await rig.request(moved.importId)).toMatchObject({
    state: 'declined',
    error: { kind: 'port-not-cancelled', message: expect.stringContaining('its numbers are in more than one port') },
  });
  expect(await rig.request('import-a')).toMatchObject({ state: 'created', duplicatePortIds: ['second-port'] });
});

test('a second move of a port says nothing about the rows that the first one took along', async () => {
  const { bucket, key } = { bucket: services.buckets.inbox, key: 'create-port/numbers.csv' };
  const Body = ['msisdn', ...[1, 2].map((index) => `0${msisdnOf(index).slice(2)}`), ''].join('\r\n');
  await services.s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body }));
  const etag = (await rig.files.head({ bucket, key }))?.etag ?? '';
  const layout = { headerLine: 1, delimiter: ',', encoding: 'utf-8' } as const;
  await rig.imports.begin(importItemOf('import-a', { etag, layout, rows: 2, accepted: 2 }));
  await ported(both);
  const first = await move('2026-07-20');
  const second = await move('2026-07-22', { ask: 'ask-2' });
  await syncUntilReleased(1);
  await submitWaiting();
  await rig.sync();
  for (const { importId } of [first, second]) await report(importId, reportParts(rig));
  const results = await resultsOf('import-a');
  expect(results.match(/,in-progress,/g)).toHaveLength(2);
  expect(results).not.toContain('ports none of its numbers');
});
