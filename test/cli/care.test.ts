// The commands of whoever looks after a stage: what was put aside comes back, and a link lets a partner upload.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importsJson, redriveJson, uploadUrlJson } from '#cli/json-shapes.ts';
import { createDeadLetters } from '#shared/aws/dead-letters.ts';
import { type CommandLineEngine, startCommandLineEngine } from '../support/cli-engine.ts';
import { createPortFile } from '../support/cli-files.ts';

let engine: CommandLineEngine;
let sqs: SQSClient;
beforeAll(async () => {
  engine = await startCommandLineEngine(21_600);
  sqs = new SQSClient({ endpoint: engine.environment.AWS_ENDPOINT_URL_SQS ?? '' });
});
afterAll(async () => {
  sqs?.destroy();
  await engine?.stop();
});

const output = (name: string) => engine.outputs[name] ?? '';
const putAside = async (url: string) => {
  await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: '{"importId":"0000000000000000"}' }));
};
const redrive = async (...words: string[]) => {
  const { exitCode, stdout } = await engine.run('redrive', ...words, '--json');
  return { exitCode, queues: redriveJson.parse(JSON.parse(stdout)).queues };
};
const counts = (queues: { queue: string; putAside: number; givenBack: number }[]) =>
  Object.fromEntries(queues.map((one) => [one.queue, [one.putAside, one.givenBack]]));

describe('redrive [QUEUE]', () => {
  it('finds nothing put aside where all is well', async () => {
    const { exitCode, queues } = await redrive();
    expect(exitCode).toBe(0);
    expect(counts(queues)).toEqual({ ingest: [0, 0], submit: [0, 0], sync: [0, 0], report: [0, 0] });
  });

  it('shows what was put aside, touches nothing, and names the next command', async () => {
    await putAside(await createDeadLetters(sqs).of(output('ReportQueueUrl')));
    const { exitCode, stdout, stderr } = await engine.run('redrive');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^report +1 +0$/m);
    expect(stderr).toContain('npm run simporter -- redrive report');
  });

  it('gives the messages of one queue back', async () => {
    const { exitCode, queues } = await redrive('report');
    expect(exitCode).toBe(0);
    expect(counts(queues)).toMatchObject({ report: [0, 1] });
  });

  it('runs sync once for all missed runs, and clears their records', async () => {
    await putAside(output('SyncMissedRunsUrl'));
    await putAside(output('SyncMissedRunsUrl'));
    expect(counts((await redrive('sync')).queues)).toMatchObject({ sync: [0, 2] });
  });

  it('knows its queues', async () => {
    expect((await engine.run('redrive', 'inbox')).exitCode).toBe(2);
  });
});

describe('upload-url NAME', () => {
  it('answers a link by which anybody can upload that one file, until it expires', async () => {
    const { stdout } = await engine.run('upload-url', 'partner.csv', '--plan-only', '--minutes', '15', '--json');
    const { url, key } = uploadUrlJson.parse(JSON.parse(stdout));
    expect(key).toBe('plan/create-port/partner.csv');
    expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('900');
    const { ok } = await fetch(url, { method: 'PUT', body: createPortFile([{ msisdn: '07700900701' }]) });
    expect(ok).toBe(true);
    await expect
      .poll(async () => importsJson.parse(JSON.parse((await engine.run('imports', '--json')).stdout)).imports, {
        timeout: 30_000,
      })
      .toMatchObject([{ file: 'partner.csv', state: 'planned', accepted: 1 }]);
  });

  it('signs no checksum: the file is not there yet', async () => {
    const { stdout } = await engine.run('upload-url', 'partner.csv', '--json');
    const { searchParams } = new URL(uploadUrlJson.parse(JSON.parse(stdout)).url);
    expect([...searchParams.keys()].filter((name) => name.toLowerCase().includes('checksum'))).toEqual([]);
    expect(searchParams.get('X-Amz-SignedHeaders')).toBe('host');
  });

  it.each([
    ['a folder in the name', ['../july.csv']],
    ['a link for longer than S3 allows', ['july.csv', '--minutes', '10081']],
  ])('refuses %s', async (_what, words) => {
    expect((await engine.run('upload-url', ...words)).exitCode).toBe(2);
  });
});
