// Declines the change of a port that is being moved to another day. Its new port is created as it was planned, so it
// would not have the change: a number that is cancelled would be ported all the same.
import { error, type Finding } from '#shared/domain/imports/issue.ts';
import type { PlannedRequest } from '#shared/domain/imports/plan.ts';
import { changeHead } from '#shared/operations/change-port/submission.ts';
import type { Submission } from '#shared/operations/kit/operation.ts';
import type { FindMove } from '#shared/store/tables/find-move.ts';

/** undefined: the request changes no port, or one that is not being moved. */
export async function checkMove(
  { head }: PlannedRequest,
  { makes }: Submission,
  findMove: FindMove,
): Promise<Finding | undefined> {
  if (makes !== 'change') return undefined;
  const move = await findMove(changeHead.parse(head).portId);
  if (move === undefined) return undefined;
  const message = `The import ${move} moves the port to another day: import the row again once it has done so`;
  return error('PORT_NOT_CHANGEABLE', message);
}
