// What is wrong with a port as a whole, in words for `PortItem.concern`.
import type { PortItem, PortRowState } from '#shared/items/port.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { notInPort, rowStatus } from './port-status.ts';

/** Consecutive reads that the service must answer with 404 before the port counts as missing (spec gap 33). */
export const missingAfter = 3;
const missingReads = `${missingAfter} consecutive reads`;
export const missingConcern =
  `The service did not find this port in ${missingReads}: contact the service operator. ` +
  'If it is gone for good, abandon or resend its request';

/** The service has answered 404 often enough for a person to decide about the request. */
export const isMissing = ({ missingReads }: Pick<PortItem, 'missingReads'>): boolean => missingReads >= missingAfter;

/** Consecutive reads that must fail, and for how long, before action is required: a short outage needs no action. */
export const unreadableAfter = 3;
export const unreadableForMs = 3_600_000;
export const unreadableConcern =
  `This port could not be read ${unreadableAfter} times in a row: ` +
  'check it in the portal and contact the service operator';

const lateConcern =
  'The service created this port after its request had ended or was stopped, so another import may have its numbers';

/** Whether action is required because the service does not show the port: then only its detail proves otherwise. */
export const isReportedUnavailable = (port: PortItem): boolean =>
  isMissing(port) || port.concern?.includes(unreadableConcern) === true;

/** Numbers that differ from the submitted ones, and other ports of the request. `shown` are the port's numbers. */
export function portConcern(
  rows: readonly PortRowState[],
  shown: readonly string[],
  portId: string,
  request: RequestItem,
): string | undefined {
  const sent = new Set(rows.map(({ msisdn }) => msisdn));
  const missing = rows.filter(({ status }) => status === notInPort).map(({ msisdn }) => msisdn);
  const foreign = shown.filter((msisdn) => !sent.has(msisdn));
  const duplicates = request.portId === portId ? (request.duplicatePortIds ?? []) : [];
  const resolve = `resolve request ${request.importId}/${request.request} and keep`;
  const isLate = request.isLate && request.portId === portId && rows.some(({ status }) => !rowStatus(status).terminal);
  return joinConcerns([
    missing.length === 0 ? undefined : `The port does not contain ${firstOf(missing)}, ${wasOrWere(missing)} sent`,
    foreign.length === 0 ? undefined : `The port contains ${firstOf(foreign)}, ${wasOrWere(foreign)} not sent`,
    duplicates.length === 0
      ? undefined
      : `The same numbers are also in port ${duplicates.join(', ')}: ${resolve} one of the ports`,
    isLate ? `${lateConcern}: cancel it in the portal, or ${resolve} it` : undefined,
  ]);
}

export function joinConcerns(concerns: readonly (string | undefined)[]): string | undefined {
  const present = concerns.filter((concern) => concern !== undefined);
  return present.length === 0 ? undefined : present.join('. ');
}

const firstOf = (msisdns: readonly string[]): string =>
  msisdns.length <= 3 ? msisdns.join(', ') : `${msisdns.slice(0, 3).join(', ')} and ${msisdns.length - 3} more`;

const wasOrWere = ({ length }: readonly string[]): string => (length === 1 ? 'which was' : 'which were');
