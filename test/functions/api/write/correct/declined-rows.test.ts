// Rows that the service declined are read, fixed and sent again like invalid ones.
import { GetObjectCommand } from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { createRequests } from '#shared/store/requests.ts';
import { settle } from '../../../../chaos/drive.ts';
import { buckets, queueUrl, table } from '../../../../chaos/pipeline.ts';
import { rowsFrom } from '../../../../chaos/scenario.ts';
import { announceUpload } from '../../../../support/api/corrections.ts';
import { type ApiWorld, startApiWorld } from '../../../../support/api/simulated-api.ts';

describe('declined rows', () => {
  const reason = 'The number is not with this network';

  /** An import of two numbers, whose request was declined; line 4 is invalid. */
  async function declinedImport(api: ApiWorld): Promise<string> {
    const importId = await api.send('july.csv', rowsFrom(0, ['ABC123456', 'ABC123457', 'AB1']));
    const requests = createRequests(api.world.table as unknown as DynamoDBDocumentClient, table);
    const seen = await requests.get(importId, 1);
    if (seen === undefined) throw new Error('nothing was sent');
    const error = { kind: 'declined', message: reason } as const;
    const { portId: _, portStatus: __, dueAt: ___, ...declined } = { ...seen, state: 'declined' as const, error };
    expect(await requests.replace(seen, { ...declined, endedAt: seen.changedAt })).toBeDefined();
    api.world.queue.add(queueUrl('report'), { importId }, 0);
    await settle(api.world);
    await api.pass(60_000);
    return importId;
  }

  const textOf = ({ world }: ApiWorld): string => {
    const stored = world.bucket.written(buckets.inbox).findLast(({ key }) => key.endsWith('-correction.csv'));
    return world.bucket.text(buckets.inbox, stored?.key ?? '');
  };

  test('a declined and an invalid row are sent again together, the declined one with the PAC that it was sent with', async () => {
    const api = startApiWorld();
    const importId = await declinedImport(api);
    const { body: page } = await api.call('GET', `/imports/${importId}/rows?outcome=rejected,declined`);
    expect(page.rows).toMatchObject([
      { line: 2, outcome: 'declined', correctedBy: 'create-port' },
      { line: 3, outcome: 'declined' },
      { line: 4, outcome: 'rejected' },
    ]);
    expect(page.rows[0].message).toContain(reason);
    expect(JSON.stringify(page)).not.toContain('ABC123456');
    const rows = [
      { line: 2, cells: { connectionDate: '2026-07-30' } },
      { line: 4, cells: { pac: 'XYZ654321' } },
    ];
    const { status, body } = await api.call('POST', `/imports/${importId}/corrections`, { body: { rows } });
    expect([status, body.rows]).toEqual([202, 2]);
    expect(textOf(api)).toContain('ABC123456');
    expect(textOf(api)).toContain('2026-07-30');
    expect(textOf(api)).not.toContain('ABC123457');
    await announceUpload(api);
    expect((await api.call('GET', `/imports/${body.importId}`)).body).toMatchObject({ state: 'planned', rows: 2 });
  });

  test.each([
    ['its upload has expired', buckets.inbox, Number.POSITIVE_INFINITY, [410, 'file-expired']],
    ['its results are replaced meanwhile', buckets.results, 1, [202, undefined]],
  ] as const)('a declined row is answered for where %s', async (_, bucketName, times, expected) => {
    const api = startApiWorld();
    const importId = await declinedImport(api);
    const { bucket } = api.world;
    const { send } = bucket;
    let left = times;
    bucket.send = async (command) => {
      const { input } = command as GetObjectCommand;
      const isHit =
        command instanceof GetObjectCommand && input.Bucket === bucketName && /\.csv$/.test(input.Key ?? '');
      if (!isHit || input.Key?.endsWith('rejected.csv') || left === 0) return send(command);
      left -= 1;
      return send(new GetObjectCommand({ Bucket: bucketName, Key: 'no such object' }));
    };
    const rows = [{ line: 2, cells: { connectionDate: '2026-07-30' } }];
    const { status, body } = await api.call('POST', `/imports/${importId}/corrections`, { body: { rows } });
    expect([status, body.code]).toEqual(expected);
  });

  test('a row in a port is neither declined nor invalid', async () => {
    const api = startApiWorld();
    const importId = await api.send('july.csv', rowsFrom(0, ['ABC123456']));
    const rows = [{ line: 2, cells: { pac: 'XYZ654321' } }];
    const { body } = await api.call('POST', `/imports/${importId}/corrections`, { body: { rows } });
    expect(body.code).toMatch(/state-changed|file-expired/);
  });
});
