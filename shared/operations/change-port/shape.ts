// The group of a change: rows that request the same change of the same port share a request.

import { oneLine, truncate } from '#shared/domain/text/truncate.ts';
import type { ChangeHead } from '#shared/operations/change-port.ts';
import type { CellReader } from '#shared/operations/columns/cell-reader.ts';
import type { Shape } from '#shared/operations/operation.ts';
import { checkPortCancel } from '#shared/port/port-change.ts';
import type { ChangeTarget } from './target.ts';

const verbs: Readonly<Record<ChangeHead['action'], string>> = { amend: 'Amend', cancel: 'Cancel' };
const longestName = 80;

/** undefined: the port can no longer be cancelled, which is reported. Single rows are checked just before the call. */
export function changeShape(
  { action, whole }: Omit<ChangeHead, 'portId'>,
  { port }: ChangeTarget,
  cells: CellReader,
): Shape | undefined {
  const check = action === 'cancel' ? checkPortCancel(port.statusName) : 'due';
  if (typeof check === 'object') {
    return cells.error(whole ? 'portId' : 'msisdn', 'PORT_NOT_CHANGEABLE', check.impossible);
  }
  const head: ChangeHead = { portId: port.id, action, whole };
  const label = `${verbs[action]} ${whole ? '' : 'rows of '}${truncate(oneLine(port.name), longestName)}`;
  return { label, head: JSON.stringify(head) };
}
