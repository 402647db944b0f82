// Ports that were made elsewhere, with the results rig. `useFreshRig` is called by the test file.
import { adopt } from '#functions/ingest/commands/adopt.ts';
import { listPorts } from '#functions/sync/list-ports.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { CreatePortRow } from '#shared/service/contract.ts';
import { rig } from './fresh-services.ts';
import { bodyElsewhere } from './port-elsewhere.ts';
import { plannedRowOf } from './submit-and-sync.ts';

/** A person creates a port in the portal. Answers its id. */
export function makeElsewhere(
  name: string,
  indexes: readonly number[],
  { pac, rowChanges = {} }: { readonly pac?: string; readonly rowChanges?: Partial<CreatePortRow> } = {},
): Promise<string> {
  const rows = indexes.map((index) => plannedRowOf(index, index, pac));
  const body = bodyElsewhere(name, rows);
  const [first, ...others] = body.rows;
  return rig.porting.createPort({ ...body, rows: first === undefined ? [] : [{ ...first, ...rowChanges }, ...others] });
}

export async function adoptPort(portId: string): Promise<ImportItem> {
  const item = await adopt({ adopt: portId, by: 'Sam', because: 'made in the portal' }, rig.syncParts());
  if (item === undefined) throw new Error('there is no import');
  return item;
}

export const readPortList = (changes: Parameters<typeof rig.syncParts>[0] = {}) => listPorts(rig.syncParts(changes));
