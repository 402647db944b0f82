// The requests of a plan, grouped by what their rows share.

import type { PlanGroup } from '#shared/results/answers.ts';
import { readPlanIndex } from '#shared/store/files/plan-index.ts';
import { planIndexKey } from '#shared/store/object-keys.ts';
import type { ReadSources } from './sources.ts';

/** The groups with the most rows first; empty when the plan has expired, or never existed. */
export async function readPlanGroups(
  { resources: { workBucket }, files }: ReadSources,
  importId: string,
): Promise<PlanGroup[]> {
  if ((await files.head({ bucket: workBucket, key: planIndexKey(importId) })) === undefined) return [];
  const groups = new Map<string, PlanGroup>();
  for await (const { label, why = null, rowCount } of readPlanIndex(files, workBucket, importId)) {
    const group = groups.get(label) ?? { group: label, dateReason: why, rows: 0, requestRows: [] };
    group.dateReason ??= why;
    group.rows += rowCount;
    group.requestRows.push(rowCount);
    groups.set(label, group);
  }
  return [...groups.values()].sort((one, other) => other.rows - one.rows);
}
