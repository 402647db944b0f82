// The same rows in another file: texts are sent once, unless a person approves that they are sent again.
import { describe, expect, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import { csvOf, type IngestBench, ingestBench } from '../../../support/ingest/ingest.ts';

const sim = (index: number): string => ['89440030110010000704', '89440030110010000803'][index] ?? '';
const texts = `serialNumber,network,message\n${sim(0)},232,STATUS?\n${sim(1)},232,STATUS?\n`;
const put = (bench: IngestBench, name: string, body = texts): Promise<ImportItem | undefined> =>
  bench.upload(body, { key: `send-sms/${name}.csv` });
const warningOf = (item: ImportItem | undefined) => item?.issues.find(({ code }) => code === 'FILE_SAME_CONTENT');

describe('a file of texts', () => {
  test('that is uploaded under another name waits for approval, and names the first import', async () => {
    const bench = ingestBench();
    const first = await put(bench, 'july');
    expect(first).toMatchObject({ state: 'submitting', contentHash: expect.any(String) });
    const second = await put(bench, 'july (2)');
    expect(second).toMatchObject({ state: 'planned', planOnly: true, contentHash: first?.contentHash });
    expect(warningOf(second)).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining(`${first?.importId}`),
    });
    expect(bench.messages).toHaveLength(1);
    expect(bench.issues(second)).toMatchObject([{ code: 'FILE_SAME_CONTENT' }]);
  });

  test('with the same rows in another notation is the same content', async () => {
    const bench = ingestBench();
    await put(bench, 'july');
    const other = `Network;Notes;ICCID;Message\n232;a;${sim(0)};STATUS?\n\n232;b;${sim(1)};STATUS?\n`;
    expect(await put(bench, 'export', other)).toMatchObject({ state: 'planned' });
  });

  test('with another text is another content', async () => {
    const bench = ingestBench();
    await put(bench, 'july');
    expect(await put(bench, 'august', texts.replaceAll('STATUS?', 'RESET'))).toMatchObject({ state: 'submitting' });
  });

  const sims = `serialNumber\n${sim(0)}\n${sim(1)}\n`;
  test.each([
    ['the values in another order', sims, { 'set-message': 'STATUS%3F', 'set-network': '232' }, 'planned'],
    ['the values in the file', texts, {}, 'planned'],
    ['the values in the file, and others for its empty cells', texts, { 'set-network': '233' }, 'planned'],
    ['another value', sims, { 'set-network': '233', 'set-message': 'STATUS%3F' }, 'submitting'],
  ])('that has values for all rows, and then %s', async (_, body, metadata, state) => {
    const bench = ingestBench();
    const values = { 'set-network': '232', 'set-message': 'STATUS%3F' };
    const first = await bench.upload(sims, { key: 'send-sms/july.csv', metadata: values });
    expect(first).toMatchObject({ state: 'submitting', rejected: 0 });
    expect(await bench.upload(body, { key: 'send-sms/again.csv', metadata })).toMatchObject({ state, rejected: 0 });
  });

  test('of which two uploads are read at the same time is sent once', async () => {
    const bench = ingestBench();
    const items = await Promise.all([put(bench, 'a'), put(bench, 'b'), put(bench, 'c')]);
    expect(items.map((item) => item?.state).sort()).toEqual(['planned', 'planned', 'submitting']);
    expect(bench.messages).toHaveLength(1);
  });

  test('that was only validated or rejected before does not wait', async () => {
    const bench = ingestBench();
    await bench.upload(texts, { key: 'send-sms/check.csv', metadata: { validation: 'true', 'plan-only': 'true' } });
    expect(await put(bench, 'july')).toMatchObject({ state: 'submitting' });
  });

  test('that is delivered twice is one import, and does not wait for itself', async () => {
    const bench = ingestBench();
    await put(bench, 'july');
    expect(await put(bench, 'july')).toMatchObject({ state: 'submitting' });
  });
});

test('a file of ports with the rows of another import is sent with a notice: numbers are claimed', async () => {
  const bench = ingestBench();
  await bench.upload(csvOf([{}, {}]), { key: 'create-port/july.csv' });
  const again = await bench.upload(csvOf([{}, {}]), { key: 'create-port/july (2).csv' });
  expect(again).toMatchObject({ state: 'submitting' });
  expect(warningOf(again)).toMatchObject({ severity: 'notice' });
});
