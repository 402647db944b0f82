// Commands for operators: redrive dead-lettered messages, and create a link for an upload.

import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { createDeadLetters } from '#shared/store/dead-letters.ts';
import { createPortFile } from '../../support/cli/files.ts';
import { importsJson, redriveJson, uploadUrlJson } from '../../support/cli/json-shapes.ts';
import { engine } from '../../support/cli/shared-emulator.ts';

export function testUpkeep(): void {
  describe('upkeep', () => {
    let sqs: SQSClient;
    beforeAll(async () => {
      sqs = new SQSClient({ endpoint: engine.environment.AWS_ENDPOINT_URL_SQS ?? '' });
    });
    afterAll(() => sqs?.destroy());

    const output = (name: string) => engine.outputs[name] ?? '';
    const send = async (url: string) => {
      await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: '{"importId":"0000000000000000"}' }));
    };
    /** SQS redrives only messages that it dead-lettered itself, so one fails in another source of the same queue. */
    const deadLetter = async (deadLetterQueue: string) => {
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: deadLetterQueue, AttributeNames: ['QueueArn'] }),
      );
      const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: Attributes.QueueArn, maxReceiveCount: 1 });
      const source = await sqs.send(new CreateQueueCommand({ QueueName: 'failing', Attributes: { RedrivePolicy } }));
      const QueueUrl = source.QueueUrl ?? '';
      await send(QueueUrl);
      for (const _receive of [1, 2]) await sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0 }));
    };
    const redrive = async (...words: string[]) => {
      const { exitCode, stdout } = await engine.run('redrive', ...words, '--json');
      return { exitCode, queues: redriveJson.parse(JSON.parse(stdout)).queues };
    };
    const counts = (queues: z.infer<typeof redriveJson>['queues']) =>
      Object.fromEntries(queues.map((one) => [one.queue, [one.deadLettered, one.redriven]]));

    describe('redrive [QUEUE]', () => {
      it('finds no dead-lettered message in a healthy pipeline', async () => {
        const { exitCode, queues } = await redrive();
        expect(exitCode).toBe(0);
        expect(counts(queues)).toEqual({
          ingest: [0, 0],
          command: [0, 0],
          submit: [0, 0],
          sync: [0, 0],
          report: [0, 0],
          announce: [0, 0],
          events: [0, 0],
        });
      });

      it('counts dead-lettered messages, changes nothing, and names the next command', async () => {
        await deadLetter(await createDeadLetters(sqs).of(output('ReportQueueUrl')));
        const { exitCode, stdout, stderr } = await engine.run('redrive');
        expect(exitCode).toBe(1);
        expect(stdout).toMatch(/^report +1 +0$/m);
        expect(stderr).toContain('npm run simporter -- redrive report');
      });

      it('redrives the messages of one queue', async () => {
        const { exitCode, queues } = await redrive('report');
        expect(exitCode).toBe(0);
        expect(counts(queues)).toMatchObject({ report: [0, 1] });
      });

      it('takes commands as another name of command', async () => {
        const { exitCode, queues } = await redrive('commands');
        expect([exitCode, counts(queues).command]).toEqual([0, [0, 0]]);
        expect((await redrive('command')).queues).toEqual(queues);
      });

      it('runs sync once for all missed runs, and deletes their records', async () => {
        await send(output('SyncMissedRunsUrl'));
        await send(output('SyncMissedRunsUrl'));
        // A run of the schedule may be in progress, so that this one does nothing.
        await expect.poll(async () => counts((await redrive('sync')).queues)).toMatchObject({ sync: [0, 2] });
      });

      it('rejects an unknown queue', async () => {
        expect((await engine.run('redrive', 'inbox')).exitCode).toBe(2);
      });
    });

    describe('upload-url NAME', () => {
      const link = async (...words: string[]) =>
        uploadUrlJson.parse(JSON.parse((await engine.run('upload-url', ...words, '--json')).stdout));
      const body = createPortFile([{ msisdn: '07700900703' }]);

      it('answers a link that uploads one file, which waits for approval', async () => {
        const { url, key, headers, expiresAt } = await link('partner.csv', '--minutes', '15');
        expect(key).toMatch(/^plan\/create-port\/[0-9a-f]{16}\/partner\.csv$/);
        expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('900');
        expect(Math.abs(Date.parse(expiresAt) - Date.now() - 900_000)).toBeLessThan(60_000);
        expect(await fetch(url, { method: 'PUT', body, headers })).toMatchObject({ ok: true });
        await expect
          .poll(async () => {
            const { imports } = importsJson.parse(JSON.parse((await engine.run('imports', '--json')).stdout));
            return imports.find(({ file }) => file === 'partner.csv');
          })
          .toMatchObject({ state: 'planned', accepted: 1 });
      });

      it('shows a person until when the link is valid, to the minute', async () => {
        const { stderr } = await engine.run('upload-url', 'partner.csv');
        expect(stderr).toMatch(
          /^Until \d{4}-\d\d-\d\d \d\d:\d\d UTC, anyone with this link can upload partner\.csv once:$/m,
        );
      });

      it('answers a link that works once, and only with the header that makes it so', async () => {
        const { url, headers } = await link('once.csv');
        expect(await fetch(url, { method: 'PUT', body })).toMatchObject({ status: 403 });
        expect(await fetch(url, { method: 'PUT', body, headers })).toMatchObject({ status: 200 });
        expect(await fetch(url, { method: 'PUT', body: 'other', headers })).toMatchObject({ status: 412 });
      });

      it('signs the size that S3 must insist on, and no checksum, because the file does not exist yet', async () => {
        const { searchParams } = new URL((await link('partner.csv', '--bytes', '120', '--send-at-once')).url);
        expect([...searchParams.keys()].filter((name) => name.toLowerCase().includes('checksum'))).toEqual([]);
        expect(searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;host;if-none-match');
        expect((await link('partner.csv', '--send-at-once')).key).toMatch(/^create-port\/[0-9a-f]{16}\/partner\.csv$/);
      });

      it.each([
        ['a folder in the name', ['../july.csv']],
        ['a name that ingest would not read', ['july.pdf']],
        ['a link that is valid for longer than S3 allows', ['july.csv', '--minutes', '10081']],
      ])('rejects %s', async (_what, words) => {
        expect((await engine.run('upload-url', ...words)).exitCode).toBe(2);
      });
    });
  });
}
