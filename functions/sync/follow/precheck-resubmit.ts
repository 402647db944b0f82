// Checks, before a port is cancelled, that the request which is to replace it could still be sent.

import { dateInZone } from '#shared/domain/dates/calendar-date.ts';
import type { RequestError, RequestItem } from '#shared/domain/requests/ledger.ts';
import type { NetworksOffered } from '#shared/operations/kit/operation.ts';
import type { SyncDependencies } from '../dependencies.ts';

const planExpired = { kind: 'plan-expired', message: 'the plan of this import has expired' };

/** undefined: it could be sent today. @throws what the bucket and the service throw */
export async function precheckResubmit(
  item: RequestItem,
  offered: NetworksOffered,
  { plans, operationNamed, clocks, settings }: SyncDependencies,
): Promise<RequestError | undefined> {
  const planned = await plans.read(item);
  if (planned === undefined) return planExpired;
  const today = dateInZone(clocks.calendar(), settings.zone);
  const finding = await operationNamed(item.operation)?.submission.precheck?.(planned, today, offered);
  return finding && { kind: finding.code, message: finding.message };
}
