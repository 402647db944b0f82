// A test of a client, against the porting simulator. Run it with: node --test client.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPortingClient } from 'simporter/client';
import { startSimulator } from 'simporter/simulator';

test('a locked port completes', async () => {
  const service = await startSimulator();
  const client = createPortingClient(service);
  await service.control('PUT', 'state', { ports: [{ status: 'Locked', rows: [{ msisdn: '07700900123' }] }] });
  const [{ id }] = (await client.listPorts(1)).data;
  assert.equal((await client.port(id)).statusName, 'Locked');
  await service.advanceClock(7 * 24 * 3_600_000);
  assert.equal((await client.port(id)).statusName, 'Complete');
  await service.stop();
});
