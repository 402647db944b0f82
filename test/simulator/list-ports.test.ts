// GET /api/porting/{accountId} (spec "List Ports").
import { expect, test } from 'vitest';
import { createPort, minute, portRow, startTestSimulator, type TestSimulator } from '../support/service/simulator.ts';

const list = (service: TestSimulator, headers: Record<string, string> = {}) =>
  service.call('GET', `/api/porting/${service.accountId}`, { headers });

async function createPorts(service: TestSimulator, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.push(await createPort(service, { name: `port ${index}`, rows: [portRow(index)] }));
  }
  return ids;
}

test('an account without ports has no pages', async () => {
  const service = await startTestSimulator();
  expect((await list(service)).body).toEqual({ total: 0, totalPages: 0, data: [] });
});

test('a port is summed up with its date, type, row count and status', async () => {
  const service = await startTestSimulator();
  const id = await createPort(service, { rows: [portRow(1), portRow(2)] });
  service.pass(5 * minute);
  expect((await list(service)).body.data).toEqual([
    {
      id,
      name: 'A port',
      connectionDate: '2026-07-08T00:00:00',
      portType: 1,
      portTypeName: 'Port',
      rowCount: 2,
      status: 6,
      statusName: 'Submitted',
    },
  ]);
});

test('pages are asked for in the headers x-pagenumber, from 1, and x-pagesize', async () => {
  const service = await startTestSimulator();
  const ids = (await createPorts(service, 7)).reverse();
  const pages = await Promise.all(
    ['1', '2', '3', '4'].map((page) => list(service, { 'x-pagenumber': page, 'x-pagesize': '3' })),
  );
  expect(pages.map(({ body }) => body.data.map(({ id }: { id: string }) => id))).toEqual([
    ids.slice(0, 3),
    ids.slice(3, 6),
    ids.slice(6),
    [],
  ]);
  expect(pages[0]?.body).toMatchObject({ total: 7, totalPages: 3 });
});

test('without headers the first fifty ports are answered', async () => {
  const service = await startTestSimulator();
  await createPorts(service, 52);
  const { body } = await list(service);
  expect([body.total, body.totalPages, body.data.length]).toEqual([52, 2, 50]);
});

test.each([
  ['x-pagesize', '51'],
  ['x-pagesize', '0'],
  ['x-pagesize', 'many'],
  ['x-pagenumber', '0'],
])('%s %s is answered 400', async (name, value) => {
  const service = await startTestSimulator();
  const reply = await list(service, { [name]: value });
  expect(reply.status).toBe(400);
  expect(reply.body.errors[0].field).toBe(name);
});

test('the ports of another account are not in the list', async () => {
  const service = await startTestSimulator();
  await createPort(service);
  expect((await service.call('GET', '/api/porting/1002', { client: 1 })).body.total).toBe(0);
});
