// How fast the screen of a large import opens: the answers that it needs, from the API over the emulator on this
// machine. `npx node bench/large-import.ts [rows]`
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf } from '../test/console/support/import-by-api.ts';
import { generateBlocks } from '../test/support/generate-rows.ts';
import { startEmulator } from './local-emulator.ts';
import { median } from './quantile.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
const rounds = 7;
const folder = await mkdtemp(join(tmpdir(), 'simporter-large-import-'));
const emulator = await startEmulator(folder);
const call = apiOf(emulator);

/** One row of a hundred is invalid. */
const file = Buffer.concat([...generateBlocks({ rows, combinations: 40, broken: 0.01 })]);

async function upload(): Promise<string> {
  const begun = await call('POST', '/uploads', {
    operation: 'create-port',
    fileName: 'large.csv',
    bytes: file.length,
  });
  const { uploadId, parts, partBytes } = begun;
  for (let part = 1; part <= parts; part += 1) {
    const { links } = await call('POST', `/uploads/${uploadId}/links`, { parts: [part] });
    await fetch(links[0].url, { method: 'PUT', body: file.subarray((part - 1) * partBytes, part * partBytes) });
  }
  return (await call('POST', `/uploads/${uploadId}/complete`)).importId;
}

async function untilTrue(check: () => Promise<boolean>): Promise<number> {
  const begun = performance.now();
  while (!(await check())) await sleep(500);
  return Math.round((performance.now() - begun) / 100) / 10;
}

const importId = await upload();
const planned = await untilTrue(async () => (await call('GET', `/imports/${importId}`)).state === 'planned');
/** Until report has written them, the rows of a plan are its invalid rows. */
const listed = await untilTrue(async () => {
  const { rows } = await call('GET', `/imports/${importId}/rows?limit=50`);
  return rows?.some(({ outcome }: { outcome: string }) => outcome !== 'rejected') === true;
});
console.log(
  `${rows} rows, ${(file.length / 1e6).toFixed(0)} MB: planned after ${planned} s, all rows written ${listed} s later`,
);

const middle = `Order ${Math.floor(rows / 2)}`;
const paths: Readonly<Record<string, string>> = {
  'the import': '',
  'its plan': '/plan',
  'its problems, in groups': '/problems',
  'the first 50 rows': '/rows?limit=50',
  'the first 50 invalid rows': '/rows?limit=50&outcome=rejected',
  '500 invalid rows, as the grid reads them': '/rows?limit=500&outcome=rejected',
  'search for a text of one row in the middle, first answer': `/rows?limit=50&text=${encodeURIComponent(middle)}`,
};
console.log('answer | median ms | most ms | KB');
for (const [name, path] of Object.entries(paths)) {
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    const answer = await call('GET', `/imports/${importId}${path}`);
    times.push(performance.now() - begun);
    bytes = JSON.stringify(answer).length;
  }
  const figures = [median(times), Math.max(...times), bytes / 1_000];
  console.log([name, ...figures.map((value) => value.toFixed(0))].join(' | '));
}

/** The page continues a search like this until an answer has a row. */
let [cursor, pages, found] = [undefined as string | undefined, 0, 0];
const begun = performance.now();
do {
  const next = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const body = await call(
    'GET',
    `/imports/${importId}${paths['search for a text of one row in the middle, first answer']}${next}`,
  );
  [cursor, pages, found] = [body.nextCursor ?? undefined, pages + 1, found + body.rows.length];
} while (cursor !== undefined && found === 0);
console.log(`the search found its row after ${pages} answers and ${(performance.now() - begun).toFixed(0)} ms`);
console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
await emulator.stop();
await rm(folder, { recursive: true, force: true });
