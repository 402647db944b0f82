// A declined request whose answer names rows is sent again without them (spec gap 25).
import { describe, expect, test } from 'vitest';
import { Rejected } from '#shared/service/errors.ts';
import { minute } from '../../support/service/simulator.ts';
import { failing, posts } from '../../support/steps/create-port-calls.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { msisdnOf, plannedRowOf, quietMs } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3), plannedRowOf(3, 5)];
const call = 'POST /api/porting/1001';

describe('a declined request with named rows (spec gap 25)', () => {
  /** The service has this number already, and names it when it declines. */
  const former = plannedRowOf(990, 3);
  const mixed = [plannedRowOf(1, 2), former, plannedRowOf(3, 5)];
  const naming = (...msisdns: string[]) =>
    new Rejected({ message: 'not these', fieldErrors: [], msisdns }, { call, status: 422 });
  /** The port list shows twice that there is no port of the request, and so it believes the decline. */
  const believed = async () => {
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', unverified: { answer: 'decline' } });
    // A list without any port takes more searches.
    for (let searches = 0; searches < 4; searches += 1) {
      rig.pass(quietMs);
      await rig.sync();
    }
    return (await rig.request('import-a')).state;
  };

  test('excludes them with the message of the service, and sends the others again with a new message', async () => {
    const message = await rig.planOne('import-a', mixed);
    expect(await rig.submit(message)).toBe('unknown');
    expect(await believed()).toBe('planned');
    expect(posts()).toBe(1);
    expect(services.waiting('submit').map(({ body }) => body)).toEqual([message]);

    expect(await rig.submit(message)).toBe('created');
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ state: 'created', attempt: 2, lines: '2,5' });
    expect(request.excludedRows).toMatchObject([{ line: 3, subject: msisdnOf(990), code: 'ROW_REFUSED' }]);
    expect(request.excludedRows?.[0]?.message).toContain('already exists on the stock records');
    expect((await rig.ports.get(request.portId ?? ''))?.rowCount).toBe(2);
    expect((await rig.ports.get(request.portId ?? ''))?.concern).toBeUndefined();
  });

  test('is declined as a whole the second time', async () => {
    const message = await rig.planOne('import-a', rows);
    await rig.submit(message, { client: failing(naming('07700900002')) });
    expect(await believed()).toBe('planned');
    await rig.submit(message, { client: failing(naming('07700900003')) });
    expect(await believed()).toBe('declined');
    expect(await rig.request('import-a')).toMatchObject({
      error: { lines: [5], message: 'not these' },
      excludedRows: [{ line: 3, code: 'ROW_REFUSED' }],
    });
    expect(posts()).toBe(2);
  });

  test.each([
    ['none of the rows', []],
    ['a number that is not in the request', ['07700900777']],
  ])('is declined as a whole when the service names %s', async (_, msisdns) => {
    const message = await rig.planOne('import-a', rows);
    expect(await rig.submit(message, { client: failing(naming(...msisdns)) })).toBe('declined');
    expect(services.waiting('submit')).toEqual([]);
  });

  test('is declined as a whole when the service names all of the rows', async () => {
    const all = failing(naming('07700900001', '07700900002', '07700900003'));
    await rig.submit(await rig.planOne('import-a', rows), { client: all });
    expect(await believed()).toBe('declined');
    expect(services.waiting('submit')).toEqual([]);
    expect(rig.counts.requestsDeclined).toBe(1);
  });

  test('is declined as a whole when the setting requires it, and keeps the lines', async () => {
    const settings = { ...rig.submitParts().settings, retryWithoutDeclined: false };
    const message = await rig.planOne('import-a', rows);
    await rig.submit(message, { client: failing(naming('07700900002')), settings });
    expect(await believed()).toBe('declined');
    expect(await rig.request('import-a')).toMatchObject({ error: { lines: [3] } });
  });

  test('frees the number of the excluded row for another import while the rest is in progress', async () => {
    const message = await rig.planOne('import-a', rows);
    await rig.submit(message, { client: failing(naming('07700900002')) });
    await believed();
    await rig.submit(message);
    rig.pass(minute);
    expect(await rig.submit(await rig.planOne('import-b', [plannedRowOf(2, 9), plannedRowOf(1, 10)]))).toBe('created');
    expect((await rig.request('import-b')).excludedRows).toMatchObject([{ line: 10, code: 'MSISDN_IN_LIVE_IMPORT' }]);
  });
});

test('a request whose thousand rows are each declined with a long message ends after one call', async () => {
  const planned = Array.from({ length: 1_000 }, (_, index) => plannedRowOf(index + 1, index + 2));
  const message = await rig.planOne('import-a', planned);
  const fieldErrors = planned.map((_, index) => ({ field: `rows[${index}].serialNo`, message: '\u20ac'.repeat(450) }));
  const details = { message: 'x'.repeat(500_000), fieldErrors, msisdns: [] };
  const createPort = () => Promise.reject(new Rejected(details, { call: 'POST /api/porting/1001', status: 422 }));
  expect(await rig.submit(message, { client: { ...rig.submitParts().client, createPort } })).toBe('declined');
  const some = { ...details, fieldErrors: fieldErrors.slice(1) };
  const leavesOne = () => Promise.reject(new Rejected(some, { call: 'POST /api/porting/1001', status: 422 }));
  const other = await rig.planOne('import-b', planned);
  expect(await rig.submit(other, { client: { ...rig.submitParts().client, createPort: leavesOne } })).toBe('planned');
  expect((await rig.request('import-b')).excludedRows).toHaveLength(999);
});
