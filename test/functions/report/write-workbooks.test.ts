// The workbooks that report writes after the CSV files, over an embedded S3.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { writeWorkbooks } from '#functions/report/write-workbooks.ts';
import { openUpload } from '#shared/files/open-upload.ts';
import { openArchive } from '#shared/files/workbook/open-archive.ts';
import { findImportFile } from '#shared/results/import-files.ts';
import { referenceTableNames } from '#shared/results/reference-data.ts';
import { createDeadline, DeadlineExceeded } from '#shared/runtime/clock.ts';
import { importFileKey, referenceDataKey } from '#shared/store/object-keys.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';

useFreshRig();

const importId = 'abcdefgh12345678';
const item = { importId, operation: 'create-port', rows: 3 } as const;
const resources = { resultsBucket: 'results' };
const inTime = createDeadline(() => 900_000);
const put = (key: string, Body: string) =>
  services.s3.send(new PutObjectCommand({ Bucket: 'results', Key: key, Body }));
const putFile = (name: string, text: string) => put(importFileKey(importId, name), text);
const find = (name: string) => findImportFile({ files: rig.files, resources }, importId, name);

async function bytesOf(name: string): Promise<Buffer> {
  const source = await rig.files.read({ bucket: 'results', key: importFileKey(importId, name) });
  return Buffer.concat(await Array.fromAsync(source));
}

async function rowsOf(name: string): Promise<string[][]> {
  const opened = await openUpload(oneChunk(await bytesOf(name)));
  if (!opened.ok) throw new Error(opened.issue.message);
  const rows = [[...opened.value.header]];
  for await (const { lines, cellsOf } of opened.value.batches) {
    for (const row of lines.keys()) rows.push([...cellsOf(row)]);
  }
  return rows;
}

async function* oneChunk(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

test('each CSV gets a workbook with its rows, whose guarded formulas and leading zeros are as the user wrote them', async () => {
  await putFile(
    'results.csv',
    '\uFEFFmsisdn;note;outcome\r\n07700900001;\'=1+1;complete\r\n07700900002;"a;b";declined\r\n',
  );
  await putFile('correct-update-port.csv', '\uFEFFmsisdn;portId;pac\r\n07700900002;p1;\r\n');
  await writeWorkbooks({ ...item, layout: { delimiter: ';', headerLine: 4 } }, inTime, rig.syncParts());
  expect(await rowsOf('results.xlsx')).toEqual([
    ['msisdn', 'note', 'outcome'],
    ['07700900001', '=1+1', 'complete'],
    ['07700900002', 'a;b', 'declined'],
  ]);
  expect(await rowsOf('correct-update-port.xlsx')).toEqual([
    ['msisdn', 'portId', 'pac'],
    ['07700900002', 'p1', ''],
  ]);
  expect(await find('correct-create-port.xlsx')).toBeUndefined();
});

test('the networks of a correction can be chosen from lists', async () => {
  for (const table of referenceTableNames) await put(referenceDataKey(table), 'targetNetwork\r\nUK Mobile A\r\n');
  await putFile('correct-create-port.csv', 'msisdn,targetNetwork\r\n07700900002,UK Mobile A\r\n');
  await writeWorkbooks(item, inTime, rig.syncParts());
  const archive = await openArchive(oneChunk(await bytesOf('correct-create-port.xlsx')));
  const sheet = Buffer.concat(await Array.fromAsync(archive.read('xl/worksheets/sheet1.xml', 1e6))).toString();
  archive.close();
  expect(sheet).toContain('sqref="B2:B2"');
});

test('a workbook counts only while its CSV has the same rows, and is then written again', async () => {
  await putFile('results.csv', 'msisdn,outcome\r\n07700900001,in-progress\r\n');
  await writeWorkbooks(item, inTime, rig.syncParts());
  const first = await find('results.xlsx');
  await writeWorkbooks(item, inTime, rig.syncParts());
  expect(await find('results.xlsx')).toEqual(first);
  await putFile('results.csv', 'msisdn,outcome\r\n07700900001,complete\r\n');
  expect(await find('results.xlsx')).toHaveProperty('csv');
  await writeWorkbooks(item, inTime, rig.syncParts());
  expect((await rowsOf('results.xlsx'))[1]).toEqual(['07700900001', 'complete']);
});

test('a CSV that is replaced while its workbook is written gets the workbook of its new rows', async () => {
  await putFile('results.csv', 'msisdn,outcome\r\n07700900001,in-progress\r\n');
  let reads = 0;
  const read: typeof rig.files.read = async (ref) => {
    const source = await rig.files.read(ref);
    reads += 1;
    if (reads === 1) await putFile('results.csv', 'msisdn,outcome\r\n07700900001,complete\r\n');
    return source;
  };
  await writeWorkbooks(item, inTime, rig.syncParts({ files: { ...rig.files, read } }));
  expect((await rowsOf('results.xlsx'))[1]).toEqual(['07700900001', 'complete']);
});

test('more rows than a sheet has, or a longer text than a cell has, get no workbook, and nothing fails', async () => {
  await putFile('results.csv', 'msisdn,outcome\r\n07700900001,complete\r\n');
  await writeWorkbooks({ ...item, rows: 1_048_576 }, inTime, rig.syncParts());
  expect(await find('results.xlsx')).toHaveProperty('csv');
  await putFile('results.csv', `msisdn,note\r\n07700900001,${'x'.repeat(32_768)}\r\n`);
  await writeWorkbooks(item, inTime, rig.syncParts());
  expect(await find('results.xlsx')).toHaveProperty('csv');
});

test('without time nothing is written, and the message is delivered again', async () => {
  await putFile('results.csv', 'msisdn,outcome\r\n07700900001,complete\r\n');
  await expect(
    writeWorkbooks(
      item,
      createDeadline(() => 1_000),
      rig.syncParts(),
    ),
  ).rejects.toThrow(DeadlineExceeded);
  expect(await find('results.xlsx')).toHaveProperty('csv');
});
