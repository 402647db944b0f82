// No surface that a viewer can reach shows a PAC of a file, in whatever column it is (docs/decisions/0002). References
// with the form of a PAC stay readable.
import type { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { createFiles } from '#shared/store/files.ts';
import { put, settle } from '../../chaos/drive.ts';
import { buckets } from '../../chaos/pipeline.ts';
import { rowsFrom } from '../../chaos/scenario.ts';
import { readAgain } from '../../support/api/corrections.ts';
import { person, startApiWorld } from '../../support/api/simulated-api.ts';
import { announceUploads } from '../../support/api/uploads.ts';

const minute = 60_000;
const viewer = person('vera@example.com', 'viewer');
const uploader = person('uma@example.com', 'uploader');

/** A file with these cells, and the columns that every row shares. */
const fileOf = (rows: readonly Readonly<Record<string, string>>[]): string => {
  const shared = { portType: 'Port', targetNetwork: '11', sourceNetwork: '1', connectionDate: 'auto', tariff: '2001' };
  const full = rows.map((row) => ({ ...shared, ...row }));
  const columns = Object.keys(full[0] ?? {});
  return [columns, ...full.map((row) => columns.map((name) => row[name as keyof typeof row] ?? ''))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('');
};

const numbers = rowsFrom(
  0,
  Array.from({ length: 12 }, (_, index) => `QZA1002${String(index).padStart(2, '0')}`),
).map(({ msisdn, serialNo, pac }) => ({ msisdn, serialNo, pac }));

/**
 * Everything that a viewer reads of the newest import, and the preview of an uploader.
 * @param again the settings with which the file is read again, each time in place
 */
async function readEverything(
  file: string | Buffer,
  again: readonly object[] = [],
): Promise<{ readonly texts: readonly string[]; readonly results: string }> {
  const api = startApiWorld();
  const { world, call, pass } = api;
  await put('plan/create-port/july.csv', file, world);
  await announceUploads(api);
  const { importId } = (await call('GET', '/imports?limit=1')).body.imports[0];
  for (const settings of again) await readAgain(api, importId, { settings });
  const texts: string[] = [];
  const read = async (path: string, as = viewer) => {
    const reply = await call('GET', path, { as });
    texts.push(`${path}: ${reply.text}`);
    return reply;
  };
  const readImport = async () => {
    for (const path of ['', '/rows', '/problems', '/plan', '/requests', '/files', '/audit']) {
      await read(`/imports/${importId}${path}`);
    }
    for (const path of ['/imports', '/actions', '/events', ...numbers.map(({ msisdn }) => `/numbers/${msisdn}`)]) {
      await read(path);
    }
    const report = await read(`/reports/${importId}`);
    for (const column of report.body?.columns ?? [])
      await read(`/reports/${importId}?by=${encodeURIComponent(column)}`);
    await read(`/imports/${importId}/preview`, uploader);
  };
  await readImport();
  // What no answer shows cannot be searched for.
  for (const text of ['QZA1002', 'QZB100']) texts.push((await read(`/imports/${importId}/rows?text=${text}`)).text);
  const { body: plan } = await call('GET', `/imports/${importId}/plan`);
  await call('POST', `/imports/${importId}/approve`, { body: { planHash: plan.planHash } });
  await settle(world);
  await pass(60 * minute);
  await readImport();
  const files = createFiles(world.bucket as unknown as S3Client);
  let results = '';
  for (const { name } of (await read(`/imports/${importId}/files`)).body.files) {
    const text = await files.readText({ bucket: buckets.results, key: `imports/${importId}/${name}` });
    texts.push(`${name}: ${text}`);
    if (name === 'results.csv') results = text;
  }
  return { texts: [...texts, ...world.heard.spoken], results };
}

/** A mark in any form, as far as it is not masked. */
const marks = /QZ[A-Z][\s-]?1\d{2}[\s-]?\d{3}/i;

const reference = (index: number): string => `ORD${String(500_100 + index)}`;

describe('no surface shows a PAC', () => {
  test.each<[string, (row: (typeof numbers)[number], index: number) => Record<string, string>]>([
    ['in its own column', (row) => row],
    ['in a column of the user', (row, index) => ({ ...row, Notes: index % 3 === 0 ? `QZB1003${index + 10}` : '' })],
    ['in each cell of a column of the user', (row, index) => ({ ...row, Notes: `QZB1003${index + 10}` })],
    ['in a note', (row, index) => ({ ...row, Notes: `customer said QZB 100 3${index + 10} by phone` })],
    ['in a second column, repeated', (row) => ({ ...row, Copy: row.pac.toLowerCase() })],
    ['in a column that is named for it', (row, index) => ({ ...row, 'Old PAC': `QZB1003${index + 10}` })],
    ['in a column that is not recognised', ({ pac, ...row }) => ({ ...row, pac: '', Switching: pac })],
    ['in the reference', ({ pac, ...row }) => ({ ...row, pac: '', reference: pac })],
    ['in the place of the SIM', ({ pac, serialNo, msisdn }) => ({ msisdn, serialNo: pac, pac: serialNo })],
    ['in the place of the number', ({ pac, serialNo, msisdn }) => ({ msisdn: pac, serialNo, pac: msisdn })],
    [
      'swapped with the reference of one row',
      (row, index) =>
        index === 4 ? { ...row, pac: reference(index), reference: row.pac } : { ...row, reference: reference(index) },
    ],
    [
      'of another network than its neighbours, swapped with the reference',
      (row, index) => {
        const network = ['QZA', 'QZB', 'QZC', 'QZD'][index % 4];
        return { ...row, pac: reference(index), reference: `${network}1002${String(index).padStart(2, '0')}` };
      },
    ],
  ])('%s', async (_where, cellsOf) => {
    const { texts, results } = await readEverything(fileOf(numbers.map(cellsOf)));
    expect(results).not.toBe('');
    expectNoCode(texts);
  });

  const utf8 = fileOf(numbers);
  const withSpaces = utf8.replaceAll('QZA1002', 'QZA\u200d1002');
  const noForm = utf8.replaceAll('QZA1002', 'QZ1B20');
  test.each<[string, string | Buffer, readonly object[]]>([
    ['whose column is called a reference', utf8, [{ mapping: { pac: 'reference' } }]],
    ['whose column is called another one', utf8, [{ mapping: { pac: 'groupName' } }]],
    ['whose column is called nothing', utf8, [{ mapping: { pac: '' } }]],
    ['of no typical form whose column is called nothing', noForm, [{ mapping: { pac: '' } }]],
    ['below a header that is a row', noForm, [{ headerRow: 2, mapping: {} }]],
    [
      'below another header row and with another name',
      noForm.replace('pac', 'Key'),
      [{ mapping: { Key: 'pac' } }, { mapping: { Key: 'reference' } }, { headerRow: 2 }, { mapping: { Key: '' } }],
    ],
    ['with another separator', noForm, [{ separator: ';' }]],
    ['as UTF-16', utf8, [{ encoding: 'utf-16le' }]],
    ['as UTF-16 with the bytes swapped', utf8, [{ encoding: 'utf-16be' }]],
    ['of UTF-16 as Windows-1252', Buffer.from(`\uFEFF${utf8}`, 'utf16le'), [{ encoding: 'windows-1252' }]],
    ['of UTF-16 as the other UTF-16', Buffer.from(`\uFEFF${utf8}`, 'utf16le'), [{ encoding: 'utf-16be' }]],
    ['with invisible characters', withSpaces.replace('pac', 'Notes'), []],
    ['with invisible characters, as Windows-1252', withSpaces.replace('pac', 'N'), [{ encoding: 'windows-1252' }]],
    ['in letters of full width', utf8.replaceAll('QZA', '\uff31\uff3a\uff21').replace('pac', 'Notes'), []],
  ])('of a file that is read again: %s', async (_how, file, again) => {
    const { texts } = await readEverything(file, again);
    expectNoCode(texts);
    const hasEnds = texts.some((text) => /1002\d\d|Z1B20\d/.test(text.normalize('NFKC').replace(/[^\x20-\x7e]/g, '')));
    expect(hasEnds).toBe(false);
  });
});

/** Whatever is between the characters of a code, and however they were decoded. */
function expectNoCode(texts: readonly string[]): void {
  const readings = (text: string) => [
    text,
    text.replace(/\0|\\u0000|[^\x20-\x7e]/g, ''),
    Buffer.from(text, 'utf16le').toString(),
  ];
  const found = texts.filter((text) => readings(text).some((reading) => marks.test(reading)));
  expect(found.map((text) => text.slice(0, 2_000))).toEqual([]);
}

test('references with the form of a PAC stay as they are, also of invalid rows', async () => {
  const csv = fileOf(
    numbers.map((row, index) => ({ ...row, ...(index === 2 && { pac: 'QZA10' }), reference: reference(index) })),
  );
  const { results } = await readEverything(csv);
  for (const [index] of numbers.entries()) expect(results).toContain(reference(index));
});
