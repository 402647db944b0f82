// The column `roamingBucketVolumes`: `EU=500;WORLD=100`, an allowance in megabytes for each zone.
import type { ConfigureBundleControlBody } from '#shared/porting/submission-contract.ts';
import type { CellReader } from '../kit/cell-reader.ts';
import { semicolonHint } from '../kit/choice.ts';

const column = 'roamingBucketVolumes';
/** As of the other names of the spec. */
const longestName = 255;

/** As the call takes them, sorted by name; undefined where there are none. */
export function readAllowances(cells: CellReader): ConfigureBundleControlBody[typeof column] {
  const volumes = new Map<string, number>();
  for (const part of cells.list(column)) {
    const equals = part.lastIndexOf('=');
    const name = part.slice(0, Math.max(0, equals)).trim();
    const megabytes = part.slice(equals + 1).trim();
    if (name === '' || name.includes(',') || name.length > longestName || !/^\d{1,9}$/.test(megabytes)) {
      const message = `"${part}" is not in the format Name=megabytes, for example EU=500;WORLD=100`;
      cells.error(column, 'ALLOWANCE_SHAPE', message + semicolonHint(part, 'allowances'));
    } else if (volumes.has(name)) {
      cells.error(column, 'ALLOWANCE_SHAPE', `${name} has two allowances. Keep one`);
    }
    volumes.set(name, Number(megabytes));
  }
  if (volumes.size === 0) return undefined;
  return [...volumes]
    .map(([Name, AllowanceMB]) => ({ Name, AllowanceMB }))
    .sort((one, other) => (one.Name < other.Name ? -1 : 1));
}
