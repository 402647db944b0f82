// After `simporter forget`, no byte that the pipeline keeps names the number: every item and every version of every
// file is searched.

import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetJson } from '#cli/json-shapes.ts';
import { mentionsOf, recordsWithoutMentions, withoutMentions } from '#shared/domain/numbers/number-mentions.ts';
import { type CliEmulator, startCliEmulator } from '../support/cli-emulator.ts';
import { createPortFile } from '../support/cli-files.ts';

describe('a mention', () => {
  const mentions = mentionsOf('447700900123', '44');

  test.each([
    '447700900123',
    '+44 7700 900123',
    '+44 (0)7700 900-123',
    '07700 900123',
    '0044 7700900123',
    '7700900123',
  ])('is %s', (text) => expect(mentions.removeFrom(`a ${text}, b`)).toBe('a [number], b'));

  test.each(['4477009001234', '17700900123', '8944770090012312345'])('is not %s', (text) => {
    expect(mentions.isIn(text)).toBe(false);
  });

  test('takes entries out of lists, and itself out of texts', () => {
    const item = {
      rows: [{ msisdn: '447700900123', line: 2 }, { msisdn: '447700900124' }],
      concern: 'lacks 07700900123',
    };
    expect(withoutMentions(item, mentions)).toEqual({ rows: [{ msisdn: '447700900124' }], concern: 'lacks [number]' });
  });

  test('takes whole records out of a CSV, also those with line breaks', () => {
    const csv = 'a,b\r\n07700900123,"x\r\ny"\r\n07700900124,"say ""hi"""\r\n';
    expect(recordsWithoutMentions(csv, mentions)).toBe('a,b\r\n07700900124,"say ""hi"""\r\n');
  });
});

describe('after forget', () => {
  let emulator: CliEmulator;
  const national = '7700900701';

  beforeAll(async () => {
    emulator = await startCliEmulator(21_600);
    await emulator.write(
      'two.csv',
      createPortFile([
        { msisdn: `0${national}` },
        { msisdn: '07700900702' },
        { msisdn: `0${national}`, reference: 'again' },
      ]),
    );
    await emulator.run('import', 'two.csv', '--watch');
  }, 180_000);
  afterAll(() => emulator.stop());

  async function bytes(): Promise<{ place: string; text: string }[]> {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const { outputs, environment } = emulator;
    const s3 = new S3Client({ credentials, endpoint: environment.AWS_ENDPOINT_URL_S3 ?? '', forcePathStyle: true });
    const table = new DynamoDBClient({ credentials, endpoint: environment.AWS_ENDPOINT_URL_DYNAMODB ?? '' });
    const found: { place: string; text: string }[] = [];
    for (const Bucket of [outputs.InboxBucket, outputs.WorkBucket, outputs.ResultsBucket]) {
      const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
      for (const { Key = '', VersionId } of Versions) {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key, VersionId }));
        found.push({ place: `${Bucket}/${Key}`, text: (await Body?.transformToString()) ?? '' });
      }
    }
    const { Items = [] } = await table.send(new ScanCommand({ TableName: outputs.ResultsTable }));
    for (const item of Items) found.push({ place: `${item.pk?.S} ${item.sk?.S}`, text: JSON.stringify(item) });
    return found;
  }
  const holding = async (number: string) =>
    (await bytes()).filter(({ text }) => text.includes(number)).map(({ place }) => place);

  test('no byte names the number, and the other rows are still there', async () => {
    expect((await holding(national)).length).toBeGreaterThan(5);
    const trial = forgetJson.parse(
      JSON.parse((await emulator.run('forget', `0${national}`, '--dry-run', '--json')).stdout),
    );
    expect(trial.erased.length).toBeGreaterThan(5);
    expect((await holding(national)).length).toBeGreaterThan(5);
    expect(await emulator.run('forget', `0${national}`)).toMatchObject({ exitCode: 0 });
    expect(await holding(national)).toEqual([]);
    expect((await holding('7700900702')).some((place) => place.endsWith('results.csv'))).toBe(true);
  });
});
