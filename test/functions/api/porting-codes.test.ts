// A viewer reads no porting code: neither in its column nor in another one, before and after the first report.
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { buckets } from '../../chaos/pipeline.ts';
import { planText, readNewest } from '../../support/api/corrections.ts';
import { type ApiWorld, person, startApiWorld } from '../../support/api/simulated-api.ts';
import { numberAt, simAt } from '../../support/ingest/valid-rows.ts';

const viewer = person('vera@example.com', 'viewer');
const codes = ['ABC123456', 'QWE765432', 'RTY111222', 'UIO333444', 'PLM555666', 'OKN777888'] as const;
const [own, noted, asSim, asReference, former, inText] = codes;
const header =
  'msisdn,serialNo,pac,portType,targetNetwork,sourceNetwork,connectionDate,tariff,provisioningOrder,reference';
const rest = 'Port,UK Mobile A,Source Mobile One,2026-07-14,2001,5001';
const file = [
  `${header},Notes,Old PAC`,
  `${numberAt(1)},${simAt(1)},${own},${rest},ORD123456,${noted},${former}`,
  `${numberAt(2)},${asSim},${simAt(2)},${rest},,,`,
  `${numberAt(3)},${simAt(3)},,${rest},${asReference},use ${inText} please,`,
].join('\n');

/** What a viewer can fetch of an import: every answer about it, and every file that has a link. */
async function readAll(api: ApiWorld, importId: string): Promise<Map<string, string>> {
  const paths = ['', '/audit', '/files', '/plan', '/requests', '/rows', '/problems'].map(
    (path) => `/imports/${importId}${path}`,
  );
  const searches = codes.map((code) => `/imports/${importId}/rows?text=${code.slice(0, 5)}`);
  const more = [`/numbers/${numberAt(1)}`, '/actions', '/events', '/imports', `/reports/${importId}?by=Notes`];
  const read = new Map<string, string>();
  for (const path of [...paths, ...searches, ...more]) {
    read.set(path, (await api.call('GET', path, { as: viewer })).text);
  }
  const { files } = JSON.parse(read.get(`/imports/${importId}/files`) ?? '{}') as { files: { name: string }[] };
  for (const { name } of files.filter((each) => !each.name.endsWith('.xlsx'))) {
    const object = new GetObjectCommand({ Bucket: buckets.results, Key: `imports/${importId}/${name}` });
    const { Body } = (await api.world.bucket.send(object)) as { Body: AsyncIterable<Uint8Array> };
    read.set(name, Buffer.concat(await Array.fromAsync(Body)).toString());
  }
  return read;
}

const withCodes = (read: ReadonlyMap<string, string>) =>
  [...read].flatMap(([path, text]) => codes.filter((code) => text.includes(code)).map((code) => `${path}: ${code}`));

test('no answer and no file for viewers has a code', async () => {
  const api = startApiWorld();
  const importId = await planText(api, file);
  const planned = await readAll(api, importId);
  expect(withCodes(planned)).toEqual([]);
  expect(planned.get(`/imports/${importId}/rows`)).toContain('***');
  const { body } = await api.call('GET', `/imports/${importId}/preview`);
  expect(withCodes(new Map([['preview', JSON.stringify(body)]]))).toEqual([]);

  await api.approve(importId);
  await api.pass(10 * 60_000);
  const sent = await readAll(api, importId);
  expect(withCodes(sent)).toEqual([]);
  expect(sent.get('results.csv')).toContain('ORD123456');
  expect(await readNewest(api)).toContain(noted);
});
