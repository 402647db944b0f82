// The list of every port, as sync reads it for people.
import { expect, test } from 'vitest';
import { findPorts, type ListedPort, openPortList, type PortFilter, toListedPort } from '#shared/results/ports.ts';
import { Unavailable } from '#shared/service/errors.ts';
import { hour } from '../../support/service/simulator.ts';
import { adoptPort, makeElsewhere, readPortList } from '../../support/steps/adopting.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { ported } from '../../support/steps/rescheduling.ts';
import { msisdnOf, plannedRowOf, portSummaryOf } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

const listOf = () =>
  openPortList({ files: rig.files, resources: { account: '1001@service', resultsBucket: services.buckets.results } });
async function found(filter: PortFilter = {}): Promise<ListedPort[]> {
  const list = await listOf();
  return list === undefined ? [] : (await Array.fromAsync(findPorts(list, filter, rig.ports))).map(toListedPort);
}
const pageOf = (ids: readonly string[]) => ({
  total: ids.length,
  totalPages: 1,
  data: ids.map((id) => portSummaryOf(id)),
});

test('own and foreign ports are listed with their numbers, and a port that is adopted since then has its import', async () => {
  await ported([plannedRowOf(1, 2)]);
  const foreign = await makeElsewhere('Field team ABC123456', [2, 3]);
  expect(await listOf()).toBeUndefined();
  expect(await readPortList()).toEqual({ ports: 2, isComplete: true });
  const own = (await rig.request('import-a')).portId;
  const [list, ports] = [await listOf(), await found()];
  expect(list).toMatchObject({ readAt: new Date(rig.service.now()).toISOString(), isComplete: true });
  const about = { connectionDate: '2026-07-16', readAt: list?.readAt };
  expect(ports).toHaveLength(2);
  expect(ports).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...about, portId: own, rowCount: 1, numbers: [msisdnOf(1)], importId: 'import-a' }),
      // Nothing that looks like a PAC is stored.
      expect.objectContaining({
        ...about,
        portId: foreign,
        name: 'Field team [redacted]',
        importId: null,
        rowCount: 2,
      }),
    ]),
  );
  expect((await found({ origin: 'foreign' })).map(({ portId }) => portId)).toEqual([foreign]);
  expect((await found({ origin: 'own' })).map(({ portId }) => portId)).toEqual([own]);
  expect((await found({ number: msisdnOf(3) })).map(({ portId }) => portId)).toEqual([foreign]);
  expect(await found({ status: 'complete' })).toEqual([]);
  const [first] = ports;
  expect(await found({ after: first })).toEqual(ports.slice(1));

  const { importId } = await adoptPort(foreign);
  expect(await found({ origin: 'foreign' })).toEqual([]);
  expect(await found({ number: msisdnOf(2) })).toMatchObject([{ portId: foreign, importId }]);
});

test('an account without a port has an empty list', async () => {
  expect(await readPortList()).toEqual({ ports: 0, isComplete: true });
  expect(await listOf()).toMatchObject({ isComplete: true });
  expect(await found()).toEqual([]);
});

test('the numbers of a port are read once, and its status with each reading', async () => {
  const portId = await makeElsewhere('Field team', [1]);
  await readPortList();
  const before = rig.calls.filter((name) => name === 'port').length;
  await rig.porting.cancelPort(portId);
  rig.pass(hour);
  await readPortList();
  expect(rig.calls.filter((name) => name === 'port')).toHaveLength(before);
  expect(await found()).toMatchObject([{ status: 'Cancelled', numbers: [msisdnOf(1)] }]);
});

test('a reading that does not reach the end keeps what an earlier one showed, and is marked', async () => {
  const port: typeof rig.porting.port = async (id) => ({ ...portSummaryOf(id), rows: [] }) as never;
  const listing = (ids: readonly string[], total = ids.length) =>
    readPortList({ client: { ...rig.porting, port, listPorts: async () => ({ ...pageOf(ids), total }) } });
  await listing(['a', 'b']);
  rig.pass(hour);
  expect(await listing(['b', 'c'], 3)).toEqual({ ports: 3, isComplete: false });
  const ports = await found();
  expect(ports.map(({ portId }) => portId)).toEqual(['a', 'b', 'c']);
  expect(new Set(ports.map(({ readAt }) => readAt)).size).toBe(2);
  expect(await listOf()).toMatchObject({ isComplete: false });
  expect(await listing(['b'])).toEqual({ ports: 1, isComplete: true });
});

test('an outage keeps the list that is there, and names its cause', async () => {
  await makeElsewhere('Field team', [1]);
  await readPortList();
  const list = await found();
  rig.pass(hour);
  const down = () => Promise.reject(new Unavailable('the service answered 503', { call: 'GET', status: 503 }));
  const answer = await readPortList({ client: { ...rig.porting, listPorts: down } });
  expect(answer).toEqual({ ports: 1, isComplete: false, failure: 'GET: the service answered 503' });
  expect(await found()).toEqual(list);
});

test('a port that the service always fails to show keeps no other port without its numbers', async () => {
  const ids = [await makeElsewhere('One', [1]), await makeElsewhere('Two', [2]), await makeElsewhere('Three', [3])];
  const broke = new Unavailable('answered 500', { call: 'GET /port', status: 500 });
  for (const bad of ids) {
    const port: typeof rig.porting.port = (id) => (id === bad ? Promise.reject(broke) : rig.porting.port(id));
    const settings = { ...rig.syncParts().settings, callsAtOnce: 1 };
    expect(await readPortList({ client: { ...rig.porting, port }, settings })).toEqual({ ports: 3, isComplete: true });
    if (bad === ids[0]) expect((await found()).filter(({ numbers }) => numbers === null)).toHaveLength(1);
  }
  expect((await found()).filter(({ numbers }) => numbers === null)).toHaveLength(0);
});
