// The services of a list of SIMs, each read by itself.
import { expect, test } from 'vitest';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { readSimServices } from '#shared/operations/sim-services.ts';
import type { PortDetail } from '#shared/service/contract.ts';
import { CallDeferred, NotFound } from '#shared/service/errors.ts';
import { sampleCatalogue } from '../../support/ingest/sample-catalogue.ts';
import { simAt } from '../../support/ingest/valid-rows.ts';

const roaming = { name: 'Roaming', type: 'Service', readOnly: false, availableOptions: ['true', 'false'] };
const declined = new NotFound({ message: 'no SIM', fieldErrors: [], msisdns: [] }, { call: 'GET services of a SIM' });

async function read(sims: readonly string[], failures: ReadonlyMap<string, Error> = new Map()) {
  const ported = { rows: [{ msisdn: '07700900123', serialNo: simAt(7) }] } as unknown as PortDetail;
  const catalogue = createCatalogue(
    {
      ...sampleCatalogue,
      port: async () => ported,
      simServices: async (serial) => {
        const failure = failures.get(serial);
        if (failure !== undefined) throw failure;
        return [{ groupName: 'Roaming', services: [{ ...roaming, optionValue: 'true' }] }];
      },
    },
    {
      numbers: {
        findPortByNumber: async (number) => (number === '447700900123' ? 'port-1' : undefined),
        findScheduled: async () => undefined,
      },
    },
  );
  return readSimServices(sims, { catalogue, callingCode: '44', callsAtOnce: 2 });
}

test('are read by serial, and by a number that was ported', async () => {
  const services = [{ group: 'Roaming', name: 'Roaming', type: 'Service', value: 'true', isReadOnly: false }];
  expect(await read([simAt(1), '07700 900123'])).toEqual([
    { sim: simAt(1), serialNumber: simAt(1), services, problem: null },
    { sim: '07700 900123', serialNumber: simAt(7), services, problem: null },
  ]);
});

test('have a reason where they cannot be read, and do not stop the others', async () => {
  const outage = new CallDeferred('an outage', 1_000, { call: 'GET services of a SIM' });
  const failures = new Map<string, Error>([
    [simAt(1), declined],
    [simAt(2), outage],
  ]);
  const found = await read([simAt(1), simAt(2), '07700900999', 'x', '12345678901234567890', simAt(3)], failures);
  expect(found.map(({ problem }) => problem)).toEqual([
    'The service does not know this SIM',
    expect.stringContaining('an outage'),
    expect.stringContaining('list the serial of the SIM'),
    expect.any(String),
    expect.any(String),
    null,
  ]);
});

test('are not read once the time is over, and their answer is the reason', async () => {
  let now = 0;
  const catalogue = createCatalogue({
    ...sampleCatalogue,
    simServices: async () => {
      now += 10_000;
      return [];
    },
  });
  const source = { catalogue, callingCode: '44', callsAtOnce: 1, isOver: () => now > 15_000 };
  const found = await readSimServices([simAt(1), simAt(2), simAt(3)], source);
  expect(found.map(({ problem }) => problem)).toEqual([null, null, expect.stringContaining('list it again')]);
});

test('that are none may be porting codes: these are not in the answer', async () => {
  const [code, reference] = await read(['ABC123456', 'PAC ABC123457']);
  expect(JSON.stringify([code, reference])).not.toMatch(/ABC12345/);
  expect(code).toMatchObject({ sim: '[redacted]', serialNumber: null });
});

test('an error of the program is none of a SIM', async () => {
  await expect(read([simAt(1)], new Map([[simAt(1), new TypeError('a mistake')]]))).rejects.toThrow('a mistake');
});
