// The items of a port, its rows and its events: schemas and keys, and what is wrong with a port as a whole.
import * as z from 'zod/mini';
import { redactName } from '#shared/row/redact.ts';
import { guid } from '#shared/text/identity.ts';
import {
  count,
  expiresAt,
  type ItemKey,
  instant,
  optionalCount,
  optionalInstant,
  optionalText,
  ordinal,
  shardOf,
  text,
} from '#shared/text/stored-values.ts';
import { isoTime } from '#shared/text/wording.ts';

// The items of a port as it was read: the port, its rows and its history.

export const portRowState = z.object({
  line: ordinal,
  msisdn: text,
  status: text,
  message: optionalText,
  firstLine: z.optional(ordinal),
});
/**
 * One row of a port as last read; `line` is its line in the CSV, `msisdn` is E.164 digits. `firstLine`: the line in the
 * first file, of a row that a correction sent.
 */
export type PortRowState = z.infer<typeof portRowState>;

export const portItem = z.object({
  portId: text,
  account: text,
  importId: text,
  request: ordinal,
  name: text,
  /** `statusName` exactly as the service wrote it. */
  status: text,
  connectionDate: text,
  rowCount: count,
  /** Rows that are ready, and rows that block them (spec: "only when all lines are PacValid or Cancelled"). */
  readyRows: count,
  blockingRows: count,
  /** Rows that need action. */
  actionRequired: count,
  /**
   * Calendar time from which the service may lock the port at any time: until then it can be cancelled. Absent once the
   * port can no longer be cancelled.
   */
  cancelBy: optionalInstant,
  /** What is wrong with the port as a whole, in words. */
  concern: optionalText,
  /** Other ports with the same numbers: a person must choose which port stays. */
  duplicatePortIds: z.optional(z.array(text)),
  /** Consecutive reads that the service declined, such as with 404 (spec gap 33). */
  missingReads: count,
  /** Consecutive failed reads while the service answered other calls. */
  failedReads: optionalCount,
  /** Calendar time at which the last successful read began: the answer of an earlier read never overwrites it. */
  readAt: instant,
  /** Calendar time at which the rows were last read: the list does not show them. */
  rowsReadAt: optionalInstant,
  /** Calendar time of the next read; absent once the port has ended. */
  dueAt: optionalInstant,
  changedAt: instant,
  expiresAt,
});
export type PortItem = z.infer<typeof portItem>;

/** What the index of days has of a port: none of the times at which it is read. */
export const portOfDay = z.pick(portItem, {
  portId: true,
  importId: true,
  request: true,
  name: true,
  status: true,
  connectionDate: true,
  rowCount: true,
  readyRows: true,
  blockingRows: true,
  actionRequired: true,
  cancelBy: true,
  concern: true,
  changedAt: true,
});
export type PortOfDay = z.infer<typeof portOfDay>;

export const portEvent = z.object({
  portId: text,
  at: instant,
  status: text,
  was: optionalText,
  /** The owner of the port, for announce, which reads only this item. */
  importId: text,
  request: ordinal,
  expiresAt,
});
export type PortEvent = z.infer<typeof portEvent>;

/** A number or a code that a person typed in the place of a port is neither stored nor repeated. */
export const mayBePortId = (text: string): boolean => guid.test(text) || redactName(text) === text;

// A port as the service shows it.

/** The part of Port Detail that a snapshot needs, as the service writes it. */
export interface PortReading {
  readonly id: string;
  readonly name: string;
  readonly statusName: string;
  readonly connectionDate: string;
  readonly rowCount: number;
  readonly rows: readonly {
    readonly msisdn: string;
    readonly statusName: string;
    readonly message?: string | null | undefined;
  }[];
}

// What is wrong with a port as a whole, in words for `PortItem.concern`.

/** Consecutive reads that the service must decline before the port counts as missing (spec gap 33). */
export const missingAfter = 3;

/** The service has declined to show it often enough for a person to decide about the request. */
export const isMissing = ({ missingReads }: PortItem): boolean => missingReads >= missingAfter;

export const missingConcern = (port: PortItem): string | undefined =>
  isMissing(port)
    ? `The service did not find this port in ${missingAfter} consecutive reads: contact the service operator. ` +
      'If it is gone for good, abandon or resend its request'
    : undefined;

/** A person has decided so. */
export const isLeftUnread = (port: PortItem): boolean => isMissing(port) && port.dueAt === undefined;

/** A person decided about the request of a missing port: the port is not read again, and requires no action. */
export const leaveUnread = (port: PortItem, now: number): PortItem => ({
  ...port,
  concern: undefined,
  actionRequired: 0,
  dueAt: undefined,
  changedAt: isoTime(now),
});

/** Consecutive reads that must fail, and for how long, before action is required: a short outage needs no action. */
export const unreadableAfter = 3;
export const unreadableForMs = 3_600_000;
export const unreadableConcern =
  `This port could not be read ${unreadableAfter} times in a row: ` +
  'check it in the portal and contact the service operator';

export const lateConcern =
  'The service created this port after its request had ended or was stopped, so another import may have its numbers';

export function joinConcerns(concerns: readonly (string | undefined)[]): string | undefined {
  const present = concerns.filter((concern) => concern !== undefined);
  return present.length === 0 ? undefined : present.join('. ');
}

/** Whether action is required because the service does not show the port: then only its detail proves otherwise. */
export const isReportedUnavailable = (port: PortItem): boolean =>
  isMissing(port) || port.concern?.includes(unreadableConcern) === true;

export const firstOf = (msisdns: readonly string[]): string =>
  msisdns.length <= 3 ? msisdns.join(', ') : `${msisdns.slice(0, 3).join(', ')} and ${msisdns.length - 3} more`;

export const wasOrWere = ({ length }: readonly string[]): string => (length === 1 ? 'which was' : 'which were');

/** The day on which its numbers move (YYYY-MM-DD). The service writes it with a time. */
export const dayOfPort = ({ connectionDate }: Pick<PortItem, 'connectionDate'>): string => connectionDate.slice(0, 10);

const portPk = (portId: string): string => `port#${portId}`;
export const portKey = (portId: string): ItemKey => ({ pk: portPk(portId), sk: 'port' });
export const portRowsKey = (portId: string): ItemKey => ({ pk: portPk(portId), sk: 'rows' });
/** With the status, so that the same change can be written twice. */
export const portEventPrefix = 'event#';
export const portEventKey = (portId: string, at: string, status: string): ItemKey => ({
  pk: portPk(portId),
  sk: `${portEventPrefix}${at}#${status}`,
});
export const portQueue = (account: string, shard: number): string => `ports#${account}#${shard}`;
export const portQueueOf = ({ account, portId }: PortItem): string => portQueue(account, shardOf(portId));
/** Ports that require action. */
export const actionsListed = 'action-required';
