// An import whose ports are rescheduled, with the results rig. `useFreshRig` is called by the test file.
import { expect } from 'vitest';
import { reschedule } from '#functions/ingest/commands/reschedule.ts';
import type { IngestPipeline } from '#functions/ingest/ingest-pipeline.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { type RescheduleMessage, submitMessage } from '#shared/request/messages.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { hour, minute } from '../service/simulator.ts';
import { rig, services } from './fresh-services.ts';
import { importItemOf, plannedRowOf } from './submit-and-sync.ts';

/** There is always enough time. */
export const ample = createDeadline(() => 900_000);

export const rescheduleDependencies = (): IngestPipeline =>
  rig.syncParts({ openCatalogue: () => createCatalogue(rig.porting) });
export const move = async (date: string, changes: Partial<RescheduleMessage> = {}): Promise<ImportItem> => {
  const item = await reschedule(
    { reschedule: 'import-a', date, ask: 'ask-1', ...changes },
    ample,
    rescheduleDependencies(),
  );
  if (item === undefined) throw new Error('there is no import to move');
  return item;
};

type PlannedRows = ReturnType<typeof plannedRowOf>[];

/** An import with one port for each list of rows, for Wednesday 8 July, read back and with checked PACs. */
export const ported = (...groups: PlannedRows[]): Promise<void> => portedAs({}, ...groups);
/** The same with other options. */
export async function portedAs(head: object, ...groups: PlannedRows[]): Promise<void> {
  await rig.imports.begin(importItemOf('import-a'));
  for (const message of await rig.plan('import-a', groups, { connectionDate: '2026-07-16' as never, ...head })) {
    await rig.submit(message);
  }
  rig.pass(hour);
  await rig.sync();
}
/** Handles the messages of the submit queue, as the function does. */
export async function submitWaiting(): Promise<void> {
  for (const { body } of services.waiting('submit')) await rig.submit(submitMessage.parse(body));
}
/** Syncs every minute until this many requests were released. `look` runs every minute. */
export async function syncUntilReleased(count: number, look = async () => {}): Promise<void> {
  let released = 0;
  for (let minutes = 0; minutes < 120 && released < count; minutes += 1) {
    rig.pass(minute);
    released += (await rig.sync()).released;
    await look();
  }
  expect(released).toBe(count);
}
/** Every port of the service with a number that is not cancelled. */
export async function livePortsOf(msisdn: string) {
  const { data } = await rig.porting.listPorts(1);
  const details = await Promise.all(data.map(({ id }) => rig.porting.port(id)));
  return details.filter(
    ({ statusName, rows }) =>
      statusName !== 'Cancelled' &&
      rows.some((row) => `44${row.msisdn.slice(1)}` === msisdn && row.statusName !== 'Cancelled'),
  );
}
export const both = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
