// The files of a plan are written in an order in which a crash leaves nothing that misleads the release, and the hash
// of their content depends on nothing but what is sent.
import { expect, test } from 'vitest';
import { PlanWriter } from '#functions/ingest/plan/plan-files.ts';
import type { Files } from '#shared/store/files.ts';
import { double } from '../../../support/double.ts';

test('the index names a plan only once the plan is there, so a killed delivery cannot replace the index of another', async () => {
  const closed: string[] = [];
  const files = double<Files>({
    open: (_bucket: string, key: string) => ({
      write: async () => undefined,
      abort: async () => undefined,
      close: async () => {
        if (key.endsWith('-plan.ndjson')) throw new Error('the delivery was killed');
        closed.push(key);
      },
    }),
  });
  const plan = new PlanWriter(files, 'work', { importId: 'import-a', operation: 'create-port', attemptId: 'second' });
  await expect(plan.close()).rejects.toThrow('killed');
  expect(closed).toEqual([]);
});

type Row = readonly [line: number, msisdn: string, pac: string | null, expiry: string];

/** The hash of one request with these rows after the other. */
function contentOf(...requests: readonly (readonly Row[])[]): string {
  const writer = { write: async () => undefined, abort: async () => undefined, close: async () => undefined };
  const plan = new PlanWriter(double<Files>({ open: () => writer }), 'work', {
    importId: 'import-a',
    operation: 'create-port',
  });
  for (const rows of requests) {
    const json = rows.map(([line, msisdn, pac, pacExpiry]) =>
      JSON.stringify({ line, subject: msisdn, wire: { msisdn, pac, esim: false, pacExpiry } }),
    );
    plan.add({ label: 'July', head: '{"tariff":1}' }, Buffer.from(json.join(',')), rows.length);
  }
  return plan.contentHash;
}

test('the same rows have one content hash on other lines, in another order, in other requests and with other PACs', () => {
  const one: Row = [2, '07700900001', 'ABC123456', '2026-07-01'];
  const other: Row = [3, '07700900002', null, '2026-07-02'];
  const third: Row = [4, '07700900003', 'DEF123456', '2026-07-03'];
  const content = contentOf([one, other, third]);
  expect(contentOf([third, one], [other])).toBe(content);
  expect(contentOf([[12, '07700900001', 'XYZ999999', '2026-07-01'], other, third])).toBe(content);
});

test('a changed character in front of the PAC or behind it, or a row more, is another content', () => {
  const row: Row = [2, '07700900001', 'ABC123456', '2026-07-01'];
  const contents = [
    contentOf([row]),
    contentOf([row, row]),
    contentOf([[2, '07700900011', 'ABC123456', '2026-07-01']]),
    contentOf([[2, '07700900001', 'ABC123456', '2026-07-11']]),
    contentOf([[2, '07700900001', null, '2026-07-01']]),
  ];
  expect(new Set(contents).size).toBe(contents.length);
});
