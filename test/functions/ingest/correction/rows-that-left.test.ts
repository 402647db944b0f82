// Rows that were taken out of their port are imported again: the whole pipeline on virtual time.
import { describe, expect, test } from 'vitest';
import { notify, put, settle } from '../../../chaos/drive.ts';
import { buckets } from '../../../chaos/pipeline.ts';
import { csvTextOf, rowsFrom } from '../../../chaos/scenario.ts';
import { importOfObject, startApiWorld } from '../../../support/api/simulated-api.ts';

describe('rows that left their port', () => {
  const hour = 3_600_000;

  test('a row that was taken out of its port is imported with a new PAC, and no other row of the port is', async () => {
    const api = startApiWorld({ removeBlockingAfterMs: hour });
    const three = rowsFrom(0, ['ABC123456', 'INV123456', 'ABC123457']);
    const importId = await api.send('july.csv', three);
    for (let hours = 0; hours < 6; hours += 1) await api.pass(hour);
    expect((await api.call('GET', `/imports/${importId}`)).body.outcomes).toEqual({ 'in-progress': 2, cancelled: 1 });
    const returned = api.world.bucket.text(buckets.results, `imports/${importId}/correct-create-port.csv`);
    expect(returned).toContain(`,${importId},3,`);
    const [header, ...fixed] = csvTextOf(three.map((row) => ({ ...row, pac: 'ABC123458' })))
      .trim()
      .split('\n');
    const marked = fixed.map((row, index) => `${row},${importId},${index + 2}`);
    notify(
      await put('create-port/fixed.csv', [`${header},importId,line`, ...marked].join('\n'), api.world),
      0,
      api.world,
    );
    await settle(api.world);
    await api.pass(hour);
    const correction = importOfObject(api.world, 'create-port/fixed.csv');
    const { rows } = (await api.call('GET', `/imports/${correction}/rows?outcome=rejected`)).body;
    expect(rows.map(({ line }: { line: number }) => line)).toEqual([2, 4]);
    expect((await api.call('GET', `/imports/${importId}`)).body.outcomes).toEqual({ 'in-progress': 3 });
  });
});
