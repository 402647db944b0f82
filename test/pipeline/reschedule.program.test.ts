// Ports are moved to another date, and all processes are killed between the cancel and the new ports. A number never
// has two live ports at the service, and in the end each has one, on the new date.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect } from 'vitest';
import { findRunningEmulator } from '#local/data-folder.ts';
import { addDays, type CalendarDate } from '#shared/row/calendar-date.ts';
import type { PortDetail } from '#shared/service/contract.ts';
import { documentClient } from '#shared/store/clients.ts';
import { leaseKey } from '#shared/store/leases.ts';
import { createCalendar } from '#simulator/calendar.ts';
import { runInFolder } from '../support/cli/emulator.ts';
import { createPortFile } from '../support/cli/files.ts';
import { importJson } from '../support/cli/json-shapes.ts';
import { startEmulatorProcess, until } from '../support/emulator/start-process.ts';
import { notOn } from '../support/not-on.ts';
import { numbersPortedTwice, portsAtTheService } from '../support/service/ports-after-run.ts';

/** A day in forty seconds: a cancel takes effect within one. */
const speed = 2160;
const numbers = ['07700900720', '07700900721', '07700900722', '07700900723'];
const calendar = createCalendar('uk', 'Europe/London');
/** The first working day from so many days on: far enough not to be locked, near enough to be booked. */
const workingDayIn = (days: number): CalendarDate => {
  const date = addDays(calendar.today(Date.now()), days);
  return calendar.isWorkingDay(date) ? date : workingDayIn(days + 1);
};
const booked = workingDayIn(12);
const requested = workingDayIn(19);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-reschedule-'));
  const rows = numbers.map((msisdn, index) => ({ msisdn, tariff: index < 2 ? '2001' : '2002' }));
  await writeFile(join(folder, 'numbers.csv'), createPortFile(rows).replaceAll(',auto,', `,${booked},`));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const isLive = ({ statusName }: PortDetail): boolean => statusName !== 'Cancelled';

const run = async (...words: string[]) => {
  const { stdout, stderr } = await runInFolder(folder, ['--json', ...words]);
  if (stdout === '') throw new Error(stderr);
  return importJson.parse(JSON.parse(stdout));
};

/** The ports of the service now; it never has a number in two live ports. */
async function readPorts(emulator: Parameters<typeof portsAtTheService>[0]): Promise<PortDetail[]> {
  const ports = await portsAtTheService(emulator);
  expect(numbersPortedTwice(ports.filter(isLive))).toEqual([]);
  return ports;
}

notOn(['Windows'], 'the processes of the machine are listed by ps')(
  'killed between cancel and create, every number ends in one live port, on the new date',
  async () => {
    const directory = join(folder, '.local');
    const before = await startEmulatorProcess(directory, speed);
    await runInFolder(folder, ['import', 'numbers.csv']);
    const old = await until('both ports were created', async () => {
      const status = await run('status', 'numbers.csv');
      return status.requests.created === 2 ? status : undefined;
    });
    const moved = await run('reschedule', old.importId, '--date', requested);
    expect(moved).toMatchObject({ state: 'submitting', rows: 4, reschedules: { importId: old.importId } });
    await until('a cancel is in progress', async () => {
      const ports = await readPorts(before);
      return ports.some((port) => !isLive(port) || isBeingCancelled(port)) || undefined;
    });
    await before.killAll();

    const after = await startEmulatorProcess(directory, speed);
    await endLease(directory);
    const end = await until('every new port was created', async () => {
      await readPorts(after);
      const status = await run('status', moved.importId);
      return status.state === 'submitting' ? undefined : status;
    });
    const ports = await readPorts(after);
    await after.interrupt();

    expect(end.requests).toEqual({ created: 2 });
    const live = ports.filter(isLive);
    expect(live.flatMap(({ rows }) => rows.map(({ msisdn }) => msisdn)).toSorted()).toEqual(numbers);
    expect(live.map(({ connectionDate }) => connectionDate.slice(0, 10))).toEqual([requested, requested]);
    expect(ports.filter((port) => !isLive(port))).toHaveLength(2);
  },
);

/** A killed run of sync keeps its lease until its time-out, and this test does not wait for that. */
async function endLease(directory: string): Promise<void> {
  const emulator = await findRunningEmulator(directory);
  if (emulator === undefined) throw new Error('no emulator is running');
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const wire = { region: 'eu-west-2', endpoint: emulator.endpoints.dynamodb, credentials };
  const table = documentClient(new DynamoDBClient(wire));
  await table.send(new DeleteCommand({ TableName: emulator.outputs.ResultsTable, Key: { ...leaseKey('sync') } }));
  table.destroy();
}

const isBeingCancelled = ({ rows }: PortDetail): boolean =>
  rows.some(({ statusName }) => statusName === 'CancellationRequested');
