// Nobody but the people who upload and correct a file sees the porting code of a row: whatever stands beside it in a
// cell, in a title or in the name of the file, with any separators between its characters and in any case.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { announcementOf, readChange } from '#functions/announce/handler.ts';
import { createPortColumns } from '#shared/operations/create-port/row.ts';
import { fileNameOf } from '#shared/results/results.ts';
import { redactName } from '#shared/row/redact.ts';
import { put, settle } from '../chaos/drive.ts';
import { buckets } from '../chaos/pipeline.ts';
import { csvTextOf, rowsFrom } from '../chaos/scenario.ts';
import { type ApiWorld, person, startApiWorld } from '../support/api/simulated-api.ts';
import { announceUploads, uploadFile } from '../support/api/uploads.ts';
import { importRecord } from '../support/infra/stream-records.ts';
import { importItemOf } from '../support/steps/submit-and-sync.ts';

const viewer = person('vera@example.com', 'viewer');
const uploader = person('anna@example.com', 'uploader');

const pacs = ['KLM493817', 'QRS572946', 'TUV618305'] as const;
const [title = '', ...lines] = csvTextOf(rowsFrom(0, pacs)).trim().split('\n');
const valid = title.split(',');
const optional = createPortColumns.map(({ name }) => name).filter((name) => !valid.includes(name));

/** As a reader who leaves everything out but letters and digits sees it. */
const plain = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '').toUpperCase();
const codesIn = (text: string): string[] => pacs.filter((pac) => plain(text).includes(pac));

/** The code with separators between its characters. */
const writtenAs = (pac: string, gaps: readonly string[], isLower: boolean): string =>
  [...(isLower ? pac.toLowerCase() : pac)]
    .map((one, at) => one + (at < pac.length - 1 ? (gaps[at] ?? '') : ''))
    .join('');

/** The code in a cell of its row. */
interface Drawn {
  readonly before: string;
  readonly behind: string;
  readonly gaps: readonly string[];
  readonly isLower: boolean;
  readonly column: string;
}

const beside = fc.constantFrom('', 'NUMBER', 'SIM', 'Smith', 'PAC: ', 'x', '7', '"', ' - ', '_', '|');
const drawn: fc.Arbitrary<Drawn> = fc.record({
  before: beside,
  behind: beside,
  gaps: fc.array(fc.constantFrom('', '', '', ' ', '.', '-', '_', '/', '|', ':', '\u00a0', ' - ', '    '), {
    maxLength: 8,
  }),
  isLower: fc.boolean(),
  // Rows with such a text in the other columns are mostly invalid.
  column: fc.oneof(
    fc.constantFrom('Key', 'Notes', 'Old PAC', ...optional),
    fc.constantFrom(...valid.filter((name) => name !== 'pac')),
  ),
});

function fileWith({ before, behind, gaps, isLower, column }: Drawn): Buffer {
  const header = valid.includes(column) ? valid : [...valid, column];
  const place = header.indexOf(column);
  const rows = lines.map((line, index) => {
    const cells = line.split(',');
    const fill = (text: string) => text.replace('NUMBER', cells[0] ?? '').replace('SIM', cells[1] ?? '');
    const cell = fill(before) + writtenAs(pacs[index] ?? '', gaps, isLower) + fill(behind);
    return header.map((_, at) => (at === place ? `"${cell.replaceAll('"', '""')}"` : (cells[at] ?? ''))).join(',');
  });
  return Buffer.from([header.join(','), ...rows].join('\n'));
}

/** Everything but the upload, its plan, the files to correct and the preview of its author, each by its place. */
async function surfaces(api: ApiWorld, importId: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const paths = ['', '/rows', '/problems', '/plan', '/history', '/files'].map((path) => `/imports/${importId}${path}`);
  for (const path of ['/imports', '/actions', '/ports', '/numbers/07700900000', ...paths]) {
    found.set(path, (await api.call('GET', path, { as: viewer })).text);
  }
  found.set('preview', (await api.call('GET', `/imports/${importId}/preview`, { as: uploader })).text);
  const { bucket, heard, table } = api.world;
  for (const place of bucket.places()) {
    const [name = '', key = ''] = place.split(/\/(.*)/s);
    if (name === buckets.results && !/\/(?:rejected|correct-[a-z-]+)\.csv$/.test(key)) {
      found.set(place, bucket.text(name, key));
    }
  }
  for (const item of table.items()) found.set(`${item.pk} ${item.sk}`, JSON.stringify(item));
  for (const [at, said] of heard.spoken.entries()) found.set(`log or message ${at}`, said);
  found.set('the log of the API', JSON.stringify(api.logged));
  return found;
}

const leaks = (found: ReadonlyMap<string, string>): string[] =>
  [...found].filter(([, text]) => codesIn(text).length > 0).map(([place, text]) => `${place}: ${text.slice(0, 2_000)}`);

test('no surface shows the code of a row, whatever stands beside it, before and after the file was sent', async () => {
  let places = 0;
  /** Files of which rows of the plan were shown. */
  let shownRows = 0;
  await fc.assert(
    fc.asyncProperty(drawn, async (cell) => {
      const api = startApiWorld();
      const file = fileWith(cell);
      expect(codesIn(file.toString())).toEqual(pacs);
      const importId = await uploadFile(api, file, uploader);
      await announceUploads(api);
      const planned = await surfaces(api, importId);
      shownRows += Number(planned.get(`/imports/${importId}/rows`)?.includes('"planned":{'));
      const { planHash } = (await api.call('GET', `/imports/${importId}/plan`)).body;
      if (planHash) await api.call('POST', `/imports/${importId}/approve`, { body: { planHash } });
      await settle(api.world);
      await api.pass(600_000);
      const sent = await surfaces(api, importId);
      places = Math.max(places, sent.size);
      expect([...leaks(planned), ...leaks(sent)]).toEqual([]);
    }),
    { numRuns: 25 },
  );
  expect(places).toBeGreaterThan(30);
  expect(shownRows).toBeGreaterThan(0);
}, 120_000);

describe('the name of a file', () => {
  const word = fc.constantFrom(
    '',
    'Smith',
    'smith',
    'SMITH',
    'O2',
    'Jul ',
    '07700900000',
    'a_',
    'order ',
    'batchJones',
  );
  const gap = fc.constantFrom('', '', '.', '-', '_', ' ', '/', '|');
  const middle = fc.constantFrom('', '', '.', '-', ' ');

  test('shows no code, whatever stands beside it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...pacs),
        word,
        gap,
        middle,
        fc.constantFrom('', ' ok', '_x', '-2'),
        (pac, ...drawn) => {
          const [before, between, inside, behind] = drawn;
          const written = before + pac.slice(0, 3) + between + pac.slice(3, 6) + inside + pac.slice(6);
          for (const name of [`${written}${behind}.csv`, `${written.toLowerCase()}${behind}.csv`]) {
            const key = `create-port/${name.replaceAll('/', '|')}`;
            const planned = { ...importItemOf('import-1'), key, state: 'planned' } as const;
            const change = readChange(importRecord([{ ...planned, state: 'planning' }, planned]));
            const shown = [redactName(name), fileNameOf(key), JSON.stringify(change && announcementOf(change)?.detail)];
            expect([name, shown.flatMap(codesIn)]).toEqual([name, []]);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('is published without a code by its events, and shown without one, where it was dropped into the bucket', async () => {
    const api = startApiWorld();
    await put('create-port/SmithKLM493817.csv', csvTextOf(rowsFrom(0, pacs)), api.world).then(({ key, version = '' }) =>
      announceUploads(api, [{ key, versionId: version }]),
    );
    const { body, text } = await api.call('GET', '/imports', { as: viewer });
    expect([body.imports[0].file, codesIn(text)]).toEqual(['Smithcode.csv', []]);
  });

  test.each([
    'ports202607.csv',
    'Ports_202607.csv',
    'export-260701.csv',
    'batch123456.csv',
    'Order 100234.csv',
    'week_202601.xlsx',
  ])('%s stays', (name) => expect(redactName(name)).toBe(name));
});
