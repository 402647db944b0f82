// Uploads of files and of their corrections to the API: sent by S3, read back, and planned.
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { settle } from '../../chaos/drive.ts';
import { buckets } from '../../chaos/pipeline.ts';
import { rowsFrom } from '../../chaos/scenario.ts';
import { numberAt, simAt } from '../ingest/valid-rows.ts';
import { type ApiWorld, importOfObject } from './simulated-api.ts';

/** The second PAC is a STAC, the third too short. */
export const rows = rowsFrom(0, ['ABC123456', '123456ABC', 'AB1']);

/** Dates as people write them, no column targetNetwork, and groups that are empty where they are the usual one. */
export const british = [
  'msisdn,serialNo,pac,boltOns,portType,sourceNetwork,connectionDate,tariff,provisioningOrder',
  `${numberAt(1)},${simAt(1)},ABC123456,,Port,Source Mobile One,14/07/2026,2001,5001`,
  `${numberAt(2)},${simAt(2)},ABC123457,999,Port,Source Mobile One,14/07/2026,,5001`,
].join('\n');

function newestUpload({ world }: ApiWorld) {
  const order = ({ versionId }: { versionId: string }) => Number(versionId.split('-')[1]);
  const [stored] = world.bucket.written(buckets.inbox).sort((one, other) => order(other) - order(one));
  return stored;
}

/** The event of S3 for the newest object. */
function notifyNewest(api: ApiWorld): void {
  const stored = newestUpload(api);
  const object = { key: encodeURIComponent(stored?.key ?? ''), eTag: 'e', versionId: stored?.versionId };
  const Records = [{ s3: { bucket: { name: 'inbox' }, object } }];
  api.world.queue.add('https://sqs.example/ingest', { Records }, 0);
}

export async function announceUpload(api: ApiWorld): Promise<void> {
  notifyNewest(api);
  await settle(api.world);
}

export async function readNewest(api: ApiWorld): Promise<string> {
  const command = new GetObjectCommand({ Bucket: buckets.inbox, Key: newestUpload(api)?.key });
  const { Body } = (await api.world.bucket.send(command)) as { Body: AsyncIterable<Uint8Array> };
  const chunks: Uint8Array[] = [];
  for await (const chunk of Body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Uploads text below plan/FOLDER, and answers the id of its import once it is planned. */
export async function planText(
  api: ApiWorld,
  text: string,
  Metadata: Record<string, string> = {},
  folder = 'create-port',
): Promise<string> {
  const Key = `plan/${folder}/text-${api.world.bucket.written(buckets.inbox).length}.csv`;
  await api.world.bucket.send(new PutObjectCommand({ Bucket: buckets.inbox, Key, Body: text, Metadata }));
  await announceUpload(api);
  return importOfObject(api.world, Key);
}

/** Reads the file of a draft again. @returns the answer of the API, once the new plan is made */
export async function readAgain(
  api: ApiWorld,
  importId: string,
  changes: object,
  options: Pick<NonNullable<Parameters<ApiWorld['call']>[2]>, 'as'> = {},
) {
  const { reading } = (await api.call('GET', `/imports/${importId}`)).body;
  const body = { reading, ...changes };
  const answer = await api.call('POST', `/imports/${importId}/readings`, { ...options, body });
  await settle(api.world);
  return answer;
}

/** Corrects rows of an import, and answers the id of the correction once it is planned. */
export async function correct(api: ApiWorld, importId: string, fixes: readonly object[]): Promise<string> {
  const { body } = await api.call('POST', `/imports/${importId}/corrections`, { body: { rows: fixes } });
  await announceUpload(api);
  return body.importId;
}
