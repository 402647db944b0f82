// The one run of the whole pipeline in `npm test`: a file through the AWS SDK into the inbox, a port that completes, a
// row that is rejected, and the corrected file. Every other run is in `npm run test:all`.
import { GetObjectCommand, ListObjectsV2Command, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Pipeline, startPipeline } from '#cli/local-pipeline/local-pipeline.ts';
import { createPortFile } from '../support/cli/files.ts';
import { connectionTo } from '../support/emulator/emulator.ts';
import { until } from '../support/emulator/start-process.ts';
import { portsAtTheService } from '../support/service/ports-after-run.ts';

/** A calendar day in a second. */
const speed = 86_400;
/** With one digit too many. */
const wrongNumber = '077009001029';
let pipeline: Pipeline;
let s3: S3Client;

beforeAll(async () => {
  pipeline = await startPipeline({ memory: true, sandbox: true, speed });
  s3 = new S3Client({ ...connectionTo(pipeline.endpoints.s3, pipeline.environment), forcePathStyle: true });
}, 300_000);
afterAll(async () => {
  s3?.destroy();
  await pipeline?.stop();
});

const upload = async (name: string, text: string): Promise<void> => {
  await s3.send(new PutObjectCommand({ Bucket: pipeline.outputs.InboxBucket, Key: `create-port/${name}`, Body: text }));
};

/** The file of an import with this name whose text is as wanted, once there is one. */
const resultsFile = (name: string, isWanted: (text: string) => boolean): Promise<string> =>
  until(`${name} is written`, async () => {
    const Bucket = pipeline.outputs.ResultsBucket;
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    for (const { Key } of Contents.filter(({ Key = '' }) => Key.endsWith(`/${name}`))) {
      const text = await s3.send(new GetObjectCommand({ Bucket, Key })).then(
        ({ Body }) => Body?.transformToString(),
        (error: unknown) => {
          if (error instanceof NoSuchKey) return undefined;
          throw error;
        },
      );
      if (text !== undefined && isWanted(text)) return text;
    }
    return undefined;
  });

const isComplete = (text: string, rows: number): boolean => (text.match(/,complete,/g) ?? []).length === rows;

test('a file is ported, its invalid row is rejected, and the corrected row is ported, too', async () => {
  await upload('two.csv', createPortFile([{ msisdn: '07700900101' }, { msisdn: wrongNumber }]));

  const rejected = await resultsFile('rejected.csv', (text) => text.includes(wrongNumber));
  expect(rejected).toContain('has 11 digits after +44. Use 10 digits');
  await resultsFile('results.csv', (text) => isComplete(text, 1));
  await upload('fixed.csv', rejected.replace(wrongNumber, '07700900102'));
  await resultsFile('results.csv', (text) => isComplete(text, 2));

  const ports = await portsAtTheService({ emulator: pipeline });
  expect(ports.flatMap(({ rows }) => rows.map(({ msisdn }) => msisdn)).sort()).toEqual(['07700900101', '07700900102']);
}, 300_000);
