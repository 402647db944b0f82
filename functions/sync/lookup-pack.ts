// Once a day: writes what the catalogue offers into `catalogue/` of the results bucket, for people to copy names from.
import type { Files } from '#shared/aws/files.ts';
import type { Leases } from '#shared/aws/leases.ts';
import { csvRow } from '#shared/csv/writer.ts';
import { addDays, dateInZone, instantOf } from '#shared/domain/calendar-date.ts';
import type { Catalogue } from '#shared/operations/catalogue.ts';
import { type LookupTable, lookupTables } from '#shared/operations/lookup-pack.ts';
import type { Clock } from '#shared/runtime/clock.ts';

export interface LookupPackParts {
  readonly leases: Pick<Leases, 'take'>;
  readonly files: Pick<Files, 'open'>;
  /** A catalogue that nobody has asked yet. */
  readonly openCatalogue: () => Catalogue;
  readonly resultsBucket: string;
  /** The account's. */
  readonly zone: string;
  readonly calendar: Clock;
  readonly runId: string;
  readonly remainingMs: () => number;
}

/** A lease is the marker of what was written last: it runs from the writing to the account's midnight, by the calendar. */
const marker = 'lookup-pack';
/** While it is being written, and after it could not be: as long as nobody tries again. */
const patienceMs = 15 * 60_000;
/** Following ports goes before: with less time left than this the pack waits for a run that has more. */
const neededMs = 20_000;

export const lookupKey = (name: LookupTable['name']): string => `catalogue/${name}.csv`;

/**
 * Answers whether the pack was written. Nothing is written before every table was read, so the files of one day agree.
 * @throws what the lookups or the bucket throw; then it is tried again after a while, whatever run comes
 */
export async function writeLookupPack(parts: LookupPackParts): Promise<boolean> {
  if (parts.remainingMs() < neededMs) return false;
  const now = parts.calendar();
  const today = dateInZone(now, parts.zone);
  if (!(await takeUntil(now + patienceMs, now, parts))) return false;
  const tables: LookupTable[] = [];
  for await (const table of lookupTables(parts.openCatalogue(), today)) {
    if (parts.remainingMs() < neededMs) return false;
    tables.push(table);
  }
  for (const table of tables) await write(table, parts);
  await takeUntil(instantOf(addDays(today, 1), 0, parts.zone), now, parts);
  return true;
}

const takeUntil = (until: number, now: number, { leases, runId }: LookupPackParts): Promise<boolean> =>
  leases.take(marker, runId, new Date(now).toISOString(), new Date(until).toISOString());

async function write({ name, columns, rows }: LookupTable, { files, resultsBucket }: LookupPackParts): Promise<void> {
  const writer = files.open(resultsBucket, lookupKey(name), 'text/csv; charset=utf-8');
  await writer.write([columns, ...rows].map(csvRow).join(''));
  await writer.close();
}
