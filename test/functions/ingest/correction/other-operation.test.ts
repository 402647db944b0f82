// A corrected file that is imported with another operation than the first file.
import { describe, expect, test } from 'vitest';
import { findOtherOperation } from '#functions/ingest/correction.ts';
import { createPort } from '#shared/operations/create-port/create-port.ts';
import { operations } from '#shared/operations/registry.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { streamCorrectionCsv } from '#shared/results/correction-rows.ts';
import { readResults, streamResultsCsv } from '#shared/results/results.ts';
import { correct, current, progressOf, sourcesOf, uploadFirst } from '../../../support/ingest/corrections.ts';
import { type IngestBench, inbox, ingestBench } from '../../../support/ingest/ingest.ts';
import { simAt } from '../../../support/ingest/valid-rows.ts';

describe('the rows of the first file', () => {
  test('a correction that is imported with another operation is rejected and names the right one', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench);
    const asSms = await bench.upload(rejected, { key: 'send-sms/rejected.csv' });
    expect(asSms).toMatchObject({ state: 'rejected', rows: 0 });
    expect(asSms?.issues.map(({ code }) => code)).toEqual(['CORRECTION_OPERATION']);
    expect(asSms?.issues[0]?.message).toBe(
      'the columns are those of create-port, not of send-sms: import the file with --operation create-port',
    );
    const pacs = `msisdn,portId,pac,reason,importId,line\n07700900100,,ABC123456,PacInvalid,${item?.importId},2\n`;
    const asPorts = await correct(bench, pacs, 'correct');
    expect(asPorts?.issues.map(({ message }) => message)).toEqual([
      'the columns are those of update-port, not of create-port: import the file with --operation update-port',
    ]);
    // No text corrects a port.
    const texts = `serialNumber,network,message,importId,line\n8944110068123456787,232,hello,${item?.importId},2\n`;
    const asPort = await correct(bench, texts, 'texts');
    expect(asPort?.issues.map(({ code }) => code)).toContain('HEADER_MISSING_COLUMN');
    expect(asPort?.issues.map(({ code }) => code)).not.toContain('CORRECTION_OPERATION');
  });

  test('rows of another operation are not those of the first file, and are sent though it has expired', async () => {
    const bench = ingestBench();
    const { item } = await uploadFirst(bench);
    bench.files.remove(inbox, 'create-port/file.csv');
    const text = `serialNumber,network,message,importId,line\n${simAt(0)},232,hello,${item?.importId},2\n`;
    const sent = await bench.upload(text, { key: 'send-sms/file.csv' });
    expect(sent).toMatchObject({ accepted: 1, correctionOf: item?.importId });
    expect(bench.plan(sent)[0]?.rows[0]).not.toHaveProperty('correctedRow');
  });
});

// The rows of such an import are those of its own file, although they name lines of the first one.
describe('the corrections of an import whose rows are from another operation', () => {
  const header = 'serialNumber,network,message,importId,line';
  const ended = { attempt: 1, endedAt: '2026-06-29T11:00:00.000Z' };

  /** Texts to the SIMs of rows 3 and 5 of ports: lines 2 and 3 of their file. */
  async function importTexts(bench: IngestBench, network = '232') {
    const { item: ports } = await uploadFirst(bench);
    const texts = [
      `${simAt(3)},232,hello 3,${ports?.importId},3`,
      `${simAt(5)},${network},hello 5,${ports?.importId},5`,
    ];
    return bench.upload(`${header}\n${texts.join('\n')}\n`, { key: 'send-sms/texts.csv' });
  }

  /** The first text was accepted, and the second one declined. */
  async function sendTexts(bench: IngestBench) {
    const item = await importTexts(bench);
    const end = (request: number, changes: Partial<RequestItem>) => {
      const key = `${item?.importId}/${request}`;
      bench.ledger.planned.set(key, { ...(bench.ledger.planned.get(key) as RequestItem), ...ended, ...changes });
    };
    end(1, { state: 'accepted', ticket: 'done', lines: '2' });
    end(2, { state: 'declined', error: { kind: 'rejected', message: 'no' }, lines: '3' });
    return current(bench, item);
  }
  const csv = async (pieces: AsyncIterable<string>) => (await Array.fromAsync(pieces)).join('');

  test('send the row that was declined', async () => {
    const bench = ingestBench();
    const file = await csv(streamCorrectionCsv(sourcesOf(bench), await sendTexts(bench), 'send-sms'));
    expect(file).toContain('hello 5');
    const again = await bench.upload(file, { key: 'send-sms/again.csv' });
    expect(bench.issues(again)).toEqual([]);
    expect(again).toMatchObject({ accepted: 1, rejected: 0 });
  });

  test('do not send the row that was accepted', async () => {
    const bench = ingestBench();
    const file = await csv(streamResultsCsv(sourcesOf(bench), await sendTexts(bench)));
    const metadata = { 'tolerated-failure-percentage': '100' };
    const again = await bench.upload(file, { key: 'send-sms/again.csv', metadata });
    expect(bench.plan(again).map(({ head }) => head)).toMatchObject([{ message: 'hello 5' }]);
  });

  test('send the row that was invalid, which the results show', async () => {
    const bench = ingestBench();
    const item = await importTexts(bench, '999');
    expect(item).toMatchObject({ accepted: 1, rejected: 1 });
    const again = await bench.upload(bench.rejected(item).replace(',999,', ',232,'), { key: 'send-sms/again.csv' });
    expect(bench.issues(again)).toEqual([]);
    expect(again).toMatchObject({ accepted: 1, partOf: { importId: item?.importId, kind: 'correction' } });
    const results = await Array.fromAsync(readResults(sourcesOf(bench), current(bench, item)));
    expect(results.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, 'waiting'],
      [3, 'waiting'],
    ]);
    expect(await progressOf(bench, item)).toEqual({ rows: 2, waiting: 2 });
  });
});

// A correction that is imported with another operation than its own is recognised by its columns.
describe('another operation', () => {
  const updatePort = operations.get('update-port') ?? createPort;
  const sendSms = operations.get('send-sms') ?? createPort;
  const kinds = [createPort, updatePort];
  const marks = ['importId', 'line', 'errors'];
  const ports = createPort.columns.filter(({ required }) => required).map(({ name }) => name);
  const settings = { defaults: {}, mapping: {} };
  const asWritten = () => settings;

  test('rows of create-port with all columns are for create-port', () => {
    const file = { header: [...ports, 'pac', ...marks], operation: sendSms.name, columns: sendSms.columns };
    expect(findOtherOperation(file, kinds, asWritten)?.name).toBe('create-port');
  });

  test('new PACs are for update-port', () => {
    const file = {
      header: ['msisdn', 'portId', 'pac', ...marks],
      operation: createPort.name,
      columns: createPort.columns,
    };
    expect(findOtherOperation(file, kinds, asWritten)?.name).toBe('update-port');
  });

  test('an operation whose columns are all there is right, although the file has more', () => {
    const file = { header: [...ports, 'pac', ...marks], operation: updatePort.name, columns: updatePort.columns };
    expect(findOtherOperation(file, kinds, asWritten)).toBeUndefined();
  });

  test('a file of create-port that misses a column is for no other operation', () => {
    const header = [...ports.filter((name) => name !== 'tariff'), 'pac', ...marks];
    expect(
      findOtherOperation({ header, operation: createPort.name, columns: createPort.columns }, kinds, asWritten),
    ).toBeUndefined();
  });

  test('with as many known columns in both, the operation stays', () => {
    const file = { header: ['msisdn', 'pac', ...marks], operation: createPort.name, columns: createPort.columns };
    expect(findOtherOperation(file, kinds, asWritten)).toBeUndefined();
  });

  test('a column may have the name that the user gave it', () => {
    const header = ['Rufnummer', 'portId', 'pac', ...marks];
    const named = { ...settings, mapping: { Rufnummer: 'msisdn' } };
    const file = { header, operation: createPort.name, columns: createPort.columns };
    expect(findOtherOperation(file, kinds, () => named)?.name).toBe('update-port');
  });

  test('a column that the file has twice is another problem', () => {
    const file = {
      header: ['msisdn', 'portId', 'pac', 'PAC', ...marks],
      operation: createPort.name,
      columns: createPort.columns,
    };
    expect(findOtherOperation(file, kinds, asWritten)?.name).toBe('update-port');
  });

  test('a file without known columns is for no operation', () => {
    expect(
      findOtherOperation({ header: marks, operation: sendSms.name, columns: sendSms.columns }, kinds, asWritten),
    ).toBeUndefined();
  });
});
