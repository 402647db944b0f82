// The days of a plan that can no longer be booked, by the list of networks that sync writes each day.
import { passedDays } from '#shared/import/passed-days.ts';
import type { ResultFiles } from '#shared/store/account.ts';
import type { PlanGroup } from './answers.ts';
import { readReferenceTable } from './reference-data.ts';

/** The earliest first. The list has the first day that could be booked when it was written. */
export async function readPassedDays(groups: readonly PlanGroup[], reader: ResultFiles): Promise<readonly string[]> {
  const networks = await readReferenceTable('networks', reader);
  return passedDays(groups, networks ?? [], (network) => network?.earliestDate ?? '');
}
