// Correction files, which a person fills in and imports again.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { report } from '#functions/report/report.ts';
import type { CorrectionKind } from '#shared/domain/imports/outcome.ts';
import { packLines } from '#shared/domain/imports/packed-lines.ts';
import { correctionKey } from '#shared/store/files/object-keys.ts';
import { reportParts } from '../../support/report-parts.ts';
import { rig, services, useFreshRig } from '../../support/results-fresh.ts';
import { importItemOf, msisdnOf, plannedRowOf } from '../../support/results-rig.ts';
import { minute } from '../../support/simulator.ts';

useFreshRig();

const importId = 'import-a';
const call = () => report(importId, reportParts(rig));
const correction = (kind: CorrectionKind) =>
  rig.files.readText({ bucket: 'results', key: correctionKey(importId, kind) });
const exists = async (kind: CorrectionKind) =>
  (await rig.files.head({ bucket: 'results', key: correctionKey(importId, kind) })) !== undefined;

/** The PACs of lines 2 and 4 are valid, those of lines 3 and 5 are not. */
const mixed = ['ABC123456', 'INV123456', 'ABC123456', 'EXP123456'];

async function dropped(header: string, rowOf: (index: number, pac: string) => string, pacs = mixed) {
  const key = `create-port/${importId}.csv`;
  const Body = `${[header, ...pacs.map((pac, index) => rowOf(index + 1, pac))].join('\n')}\n`;
  const { ETag = '' } = await services.s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: key, Body }));
  await rig.imports.begin(
    importItemOf(importId, { key, etag: ETag.replaceAll('"', ''), rows: pacs.length, columnIndexes }),
  );
  const rows = pacs.map((pac, index) => plannedRowOf(index + 1, index + 2, pac));
  await rig.submit(await rig.planOne(importId, rows));
  await settle();
}

async function settle() {
  for (let step = 0; step < 5; step += 1) {
    rig.pass(30 * minute);
    await rig.sync();
  }
}

const header = 'Mobile,pac code,Your Reference';
const columnIndexes = { msisdn: 0, pac: 1, reference: 2 };
const row = (index: number, pac: string) => `+44 7700 900 ${String(index).padStart(3, '0')},${pac},=ref ${index}`;

describe('rows with an invalid PAC', () => {
  test('are in the update-port file with an empty pac, the reason and the reference', async () => {
    await dropped(header, row);
    const item = await call();
    const { portId } = await rig.request(importId);
    expect((await correction('update-port')).split('\r\n')).toEqual([
      '\uFEFFmsisdn,portId,pac,reason,importId,line,reference',
      `+44 7700 900 002,${portId},,PacInvalid: The PAC is not valid for this number.,import-a,3,'=ref 2`,
      `+44 7700 900 004,${portId},,PacInvalidDate: The PAC is not valid on the connection date.,import-a,5,'=ref 4`,
      '',
    ]);
    expect(item?.corrections).toEqual({ 'update-port': 2, 'create-port': 0 });
    expect(await exists('create-port')).toBe(false);
  });

  test('leave the file when they are fixed, so that no row is imported twice', async () => {
    await dropped(header, row);
    await call();
    const { portId = '' } = await rig.request(importId);
    const Rows = [2, 4].map((index) => ({
      Msisdn: `0${msisdnOf(index).slice(2)}`,
      Pac: 'ABC123456',
      PortRowStatus: 'Amended' as const,
    }));
    await rig.submitParts().client.updatePort(portId, { Rows });
    await settle();
    expect((await call())?.corrections).toEqual({ 'update-port': 0, 'create-port': 0 });
    expect(await correction('update-port')).toBe('\uFEFFmsisdn,portId,pac,reason,importId,line,reference\r\n');
  });
});

test('an import without an invalid PAC has no correction file', async () => {
  await dropped(header, row, ['ABC123456', 'ABC123456']);
  await call();
  expect(await exists('update-port')).toBe(false);
});

test('rows that were removed from their port are in the create-port file, whole but without the PAC, like in rejected.csv', async () => {
  await dropped(`${header},importId,line,errors`, (index, pac) => `${row(index, pac)},first,7,earlier`);
  const { portId = '' } = await rig.request(importId);
  const Rows = [{ Msisdn: `0${msisdnOf(2).slice(2)}`, PortRowStatus: 'CancellationRequested' as const }];
  await rig.submitParts().client.updatePort(portId, { Rows });
  await settle();
  const seen = await rig.request(importId);
  await rig.requests.replace(seen, { ...seen, removedRows: packLines([3]) });
  expect((await call())?.corrections).toEqual({ 'update-port': 1, 'create-port': 1 });
  expect((await correction('create-port')).split('\r\n')).toEqual([
    '\uFEFFMobile,pac code,Your Reference,importId,line,errors',
    expect.stringMatching(/^\+44 7700 900 002,,'=ref 2,import-a,7,Cancelled(: .*)?$/),
    '',
  ]);
});

test('a large import, whose files do not follow every change, gets the file when the rows have left their port', async () => {
  await dropped(header, row);
  await rig.imports.update(importId, { rows: 1_000_000 });
  const seen = await rig.request(importId);
  await rig.requests.replace(seen, { ...seen, removedRows: packLines([3, 5]) });
  const { portId = '' } = seen;
  const Rows = [2, 4].map((index) => ({
    Msisdn: `0${msisdnOf(index).slice(2)}`,
    PortRowStatus: 'CancellationRequested' as const,
  }));
  await rig.submitParts().client.updatePort(portId, { Rows });
  rig.pass(minute / 2);
  await rig.ports
    .get(portId)
    .then((port) => port && rig.ports.touch(port, { ...port, dueAt: new Date(0).toISOString() }));
  await rig.sync();
  expect((await call())?.corrections).toEqual({ 'update-port': 0, 'create-port': 0 });
  await settle();
  expect((await call())?.corrections).toEqual({ 'update-port': 0, 'create-port': 2 });
});
