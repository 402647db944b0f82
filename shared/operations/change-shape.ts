// The group of a change: rows about one port that want the same of it are one request.
import { clip, oneLine } from '#shared/domain/clip.ts';
import { error } from '#shared/domain/issue.ts';
import { judgePortCancel } from '#shared/domain/port-change.ts';
import type { ChangeHead } from './change-submission.ts';
import type { ChangeTarget } from './change-target.ts';
import type { Shape } from './operation.ts';
import type { ShapeReport } from './shape-report.ts';

const verbs: Readonly<Record<ChangeHead['action'], string>> = { amend: 'Amend', cancel: 'Cancel' };
const longestName = 80;

/** undefined: nothing of the port can be cancelled any more, which is reported. Single lines are judged by the call. */
export function changeShape(
  { action, whole }: Omit<ChangeHead, 'portId'>,
  { port }: ChangeTarget,
  report: ShapeReport,
): Shape | undefined {
  const verdict = action === 'cancel' ? judgePortCancel(port.statusName) : 'due';
  if (typeof verdict === 'object') {
    report.add(whole ? 'portId' : 'msisdn', error('PORT_NOT_CHANGEABLE', verdict.never));
    return undefined;
  }
  const head: ChangeHead = { portId: port.id, action, whole };
  const label = `${verbs[action]} ${whole ? '' : 'lines of '}${clip(oneLine(port.name), longestName)}`;
  return { label, head: JSON.stringify(head) };
}
