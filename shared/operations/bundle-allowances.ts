// The column `roamingBucketVolumes`: `EU=500;WORLD=100`, an allowance in megabytes for each zone.
import { error } from '#shared/domain/issue.ts';
import type { ConfigureBundleControlBody } from '#shared/porting/contract.ts';
import type { Cells } from './operation.ts';
import { listCell, type ShapeReport } from './shape-report.ts';

const column = 'roamingBucketVolumes';

/** As the call takes them, sorted by name; undefined where there are none. What is wrong is reported. */
export function readAllowances(cells: Cells, report: ShapeReport): ConfigureBundleControlBody[typeof column] {
  const volumes = new Map<string, number>();
  for (const part of listCell(cells(column))) {
    const [, name = '', megabytes = ''] = /^(.+?)\s*=\s*(\d{1,9})$/.exec(part) ?? [];
    if (name === '') {
      report.add(
        column,
        error('ALLOWANCE_SHAPE', `"${part}" is not of the form Name=megabytes, as in EU=500;WORLD=100`),
      );
    } else if (volumes.has(name)) {
      report.add(column, error('ALLOWANCE_SHAPE', `${name} is given an allowance twice`));
    }
    volumes.set(name, Number(megabytes));
  }
  if (volumes.size === 0) return undefined;
  return [...volumes]
    .map(([Name, AllowanceMB]) => ({ Name, AllowanceMB }))
    .sort((one, other) => (one.Name < other.Name ? -1 : 1));
}
