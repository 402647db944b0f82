// Which request replaces a port on another day, or why the port cannot be rescheduled.
import type { CalendarDate } from '#shared/domain/dates/calendar-date.ts';
import { error, type Finding } from '#shared/domain/imports/issue.ts';
import type { RescheduleMessage } from '#shared/domain/imports/plan.ts';
import { checkPortCancel } from '#shared/domain/ports/port-change.ts';
import { portStatus } from '#shared/domain/ports/port-status.ts';
import type { RequestItem } from '#shared/domain/requests/ledger.ts';
import type { Operation, Rescheduled, ValidationContext } from '#shared/operations/kit/operation.ts';
import type { Plans } from '#shared/store/files/plans.ts';

export function nothingToReschedule({ requests }: RescheduleMessage): Finding {
  const where = requests === undefined ? 'the import' : `request ${requests.join(', ')}`;
  return error('PORT_NOT_CHANGEABLE', `${where} has no port in progress: there is nothing to reschedule`);
}

const notChangeable = (message: string): { readonly rejection: Finding } => ({
  rejection: error('PORT_NOT_CHANGEABLE', message),
});

/** undefined: the request has no port that could be rescheduled, and will have none. */
export async function planReplacement(
  request: RequestItem,
  { date }: RescheduleMessage,
  context: ValidationContext,
  { plans, operations }: { readonly plans: Plans; readonly operations: ReadonlyMap<string, Operation> },
): Promise<Rescheduled | undefined> {
  if (request.endedAt !== undefined) return undefined;
  if (request.state !== 'created' || request.portId === undefined) {
    return notChangeable(`it is ${request.state}, so it is not known yet which port to reschedule`);
  }
  if (request.duplicatePortIds !== undefined) {
    return notChangeable('its numbers are in more than one port: cancel the others');
  }
  const plan = operations.get(request.operation)?.submission.reschedule;
  if (plan === undefined) return notChangeable(`${request.operation} creates nothing that has a date`);
  const port = await context.catalogue.port(request.portId, 'fresh');
  if (port === undefined) return notChangeable('the service no longer knows it');
  if (portStatus(port.statusName).terminal) return undefined;
  const cancel = checkPortCancel(port.statusName);
  if (typeof cancel === 'object') return notChangeable(cancel.impossible);
  const planned = await plans.read(request);
  if (planned === undefined) return notChangeable('its plan has expired: cancel it, and import its rows again');
  return plan(planned, port, date as CalendarDate | 'auto', context);
}
