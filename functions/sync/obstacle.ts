// Why a request that waits for a port to be cancelled could not be sent any more: judged as submit will, before it is too late.
import { dateInZone } from '#shared/domain/calendar-date.ts';
import type { RequestError, RequestItem } from '#shared/domain/ledger.ts';
import type { NetworksOffered } from '#shared/operations/operation.ts';
import type { SyncParts } from './parts.ts';

const planExpired = { kind: 'plan-expired', message: 'the plan of this import has expired' };

/** undefined: nothing speaks against it today. @throws what the bucket and the service throw */
export async function obstacleTo(
  item: RequestItem,
  offered: NetworksOffered,
  { plans, operationNamed, clocks, settings }: SyncParts,
): Promise<RequestError | undefined> {
  const planned = await plans.read(item);
  if (planned === undefined) return planExpired;
  const today = dateInZone(clocks.calendar(), settings.zone);
  const finding = await operationNamed(item.operation)?.submission.obstacle?.(planned, today, offered);
  return finding && { kind: finding.code, message: finding.message };
}
