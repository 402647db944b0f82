// The example files, ingested against the porting simulator: their comments must be true.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { createPortingClient } from '#shared/service/client.ts';
import { type RunningSimulator, startSimulator } from '#simulator/start-simulator.ts';
import { demoFile } from '../support/files/example-files.ts';
import { type IngestBench, ingestBench } from '../support/ingest/ingest.ts';

let server: RunningSimulator;
beforeAll(async () => {
  server = await startSimulator();
});
afterAll(() => server.stop());

const example = (name: string): string => readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8');

function benchWithService(): IngestBench {
  const [client] = server.clients;
  if (client === undefined) throw new Error('the service has no client');
  const { baseUrl, authUrl } = server;
  const { accountId } = client;
  const porting = createPortingClient({ baseUrl, authUrl, accountId, credentials: async () => client });
  return ingestBench({ openCatalogue: () => createCatalogue(porting), clocks: { wall: Date.now, calendar: Date.now } });
}

describe('examples/create-port.csv', () => {
  test('is rejected in exactly the rows that announce it, with the announced errors', async () => {
    const bench = benchWithService();
    const text = example('create-port.csv');
    const item = await bench.upload(text);
    const documented = text.split('\n').flatMap((line, index) => (line.includes('Rejected: ') ? [index + 1] : []));
    const errors = bench.issues(item).filter(({ severity }) => severity === 'error');
    expect([...new Set(errors.map(({ line }) => line))]).toEqual(documented);
    expect(errors.map(({ code }) => code)).toEqual([
      'MSISDN_EXCEL_SCIENTIFIC',
      'MSISDN_DUPLICATE_IN_FILE',
      'PAC_IS_STAC',
      'TARGET_NETWORK_UNKNOWN',
      'TARIFF_NEEDS_DATA_BOLT_ON',
      'BOLT_ON_NOT_AVAILABLE',
      'PROVISIONING_ORDER_NOT_AVAILABLE',
    ]);
    const remarks = bench.issues(item).filter(({ severity }) => severity !== 'error');
    expect(remarks.map(({ code }) => code)).toEqual(['MSISDN_LEADING_ZERO_RESTORED', 'TARIFF_LEGACY']);
    expect(item).toMatchObject({ state: 'submitting', rows: 30, accepted: 24, rejected: 6 });
  });
});

describe('examples/demo.csv', () => {
  test('is the file that the generator writes', () => {
    expect(example('demo.csv')).toBe(demoFile());
  });

  test('has both types of network, several kinds of rejected rows, and invalid PACs', async () => {
    const bench = benchWithService();
    const item = await bench.upload(example('demo.csv'));
    const heads = bench.plan(item).map(({ head }) => head as { networkNumber: number });
    expect(item).toMatchObject({ state: 'submitting', rows: 320 });
    expect(item?.rejected).toBeGreaterThan(5);
    expect(new Set(bench.issues(item).map(({ code }) => code)).size).toBeGreaterThan(3);
    expect(new Set(heads.map(({ networkNumber }) => networkNumber))).toEqual(new Set([101, 302]));
    const codes = bench
      .plan(item)
      .flatMap(({ rows }) => rows.map(({ wire }) => (wire as { pac: string }).pac.slice(0, 3)));
    expect(codes).toEqual(expect.arrayContaining(['INV', 'EXP', 'REJ']));
  });
});
