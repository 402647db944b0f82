// One port: its rows, what blocks them, and its history.

import { blockedRows } from '#shared/domain/ports/blocked-rows.ts';
import type { PortItem } from '#shared/items/port.ts';
import { adviceForRow } from '#shared/outcome/row-result.ts';
import { shownRowStatus } from '#shared/port/port-status.ts';
import type { PortDetails } from '#shared/results/answers.ts';
import type { ResultSources } from './sources.ts';

export interface ReadPort {
  readonly item: PortItem;
  readonly details: PortDetails;
  /** Which rows block which; empty where none is blocked. */
  readonly blocked: string;
}

/** undefined: simporter created no such port. */
export async function readPortDetails({ ports }: ResultSources, id: string): Promise<ReadPort | undefined> {
  const [item, rows = [], events] = await Promise.all([ports.get(id), ports.rows(id), ports.events(id)]);
  if (item === undefined) return undefined;
  const { blocked, blocking, summary } = blockedRows(
    rows.map(({ msisdn, status }) => ({ msisdn, statusName: status })),
  );
  const { portId, name, status, importId, request, connectionDate, rowCount, readyRows, blockingRows } = item;
  const details = {
    portId,
    name,
    status,
    importId,
    request,
    connectionDate,
    rowCount,
    readyRows,
    blockingRows,
    ...(item.concern === undefined ? {} : { concern: item.concern }),
    ...(item.cancelBy === undefined ? {} : { cancelBy: item.cancelBy }),
    readAt: item.readAt,
    changedAt: item.changedAt,
    rows: rows.map((row) => ({
      ...row,
      status: shownRowStatus(row.status, status),
      whatToDo: adviceForRow(row.status),
      blockedBy: blocked.includes(row.msisdn) ? [...blocking] : [],
    })),
    events: events.map(({ at, status: to, was }) => ({ at, status: to, ...(was === undefined ? {} : { was }) })),
  };
  return { item, details, blocked: summary };
}
