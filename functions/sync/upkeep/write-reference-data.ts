// Once a day: writes what the catalogue offers into `catalogue/` of the results bucket, for people to copy names from.
// A day of the local emulator can take a second: there it is once a minute.
import { csvHeader, csvRow } from '#shared/csv/csv-row.ts';
import { addDays, dateInZone, instantOf } from '#shared/domain/dates/calendar-date.ts';
import type { Catalogue } from '#shared/operations/kit/catalogue.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { type Deadline, timeNeeded } from '#shared/runtime/deadline.ts';
import type { Files } from '#shared/store/files/files.ts';
import { referenceDataKey } from '#shared/store/files/object-keys.ts';
import type { Leases } from '#shared/store/tables/leases.ts';
import { referenceDataLongestMs, referenceDataPauseMs, referenceDataRetryMs, runLease } from '../intervals.ts';
import { type ReferenceTable, referenceTables } from './reference-data.ts';

export interface ReferenceDataDependencies {
  readonly leases: Leases;
  readonly files: Files;
  readonly openCatalogue: () => Catalogue;
  readonly resultsBucket: string;
  readonly zone: string;
  readonly calendar: Clock;
  readonly wall: Clock;
  readonly runId: string;
  readonly deadline: Deadline;
}

/** A lease that is never released: it lasts from the writing to the account's midnight, in calendar time. */
const leaseName = 'reference-data';
const pauseName = 'reference-data-pause';

/**
 * Answers whether the data was written. Nothing is written before every table was read, so the files of one day agree.
 * @throws what the lookups or the bucket throw; then a later run tries again
 */
export async function writeReferenceData(dependencies: ReferenceDataDependencies): Promise<boolean> {
  const { deadline, calendar, zone, openCatalogue } = dependencies;
  if (!deadline.hasTimeFor(timeNeeded.upkeep)) return false;
  const now = calendar();
  const today = dateInZone(now, zone);
  if (!(await takeUntil(now + referenceDataRetryMs, now, dependencies))) return false;
  if (!(await takeMinute(dependencies))) return false;
  const tables: ReferenceTable[] = [];
  for await (const table of referenceTables(openCatalogue(), today)) {
    if (!deadline.hasTimeFor(timeNeeded.upkeep)) return false;
    tables.push(table);
  }
  for (const table of tables) await write(table, dependencies);
  await takeUntil(instantOf(addDays(today, 1), 0, zone), now, dependencies);
  return true;
}

const takeUntil = (until: number, now: number, { leases, runId }: ReferenceDataDependencies): Promise<boolean> =>
  leases.take({ name: leaseName, holder: runId, now, until, latest: now + referenceDataLongestMs });

/** Also never released. Only a fast calendar finds it taken. */
function takeMinute({ wall, leases, runId }: ReferenceDataDependencies): Promise<boolean> {
  const now = wall();
  const until = now + referenceDataPauseMs;
  return leases.take({ name: pauseName, holder: runId, now, until, latest: until + runLease.furthestMs });
}

async function write(
  { name, columns, rows }: ReferenceTable,
  { files, resultsBucket }: ReferenceDataDependencies,
): Promise<void> {
  const writer = files.open(resultsBucket, referenceDataKey(name), 'text/csv; charset=utf-8');
  await writer.write(csvHeader(columns, ',') + rows.map((cells) => csvRow(cells)).join(''));
  await writer.close();
}
