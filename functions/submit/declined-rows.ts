// Which rows of a call the service names when it declines the call.
import type { ExcludedRow, PlannedRequest } from '#shared/request/request.ts';
import { msisdnKey } from '#shared/row/msisdn.ts';
import type { DeclineDetails } from '#shared/service/errors.ts';
import { longestRowMessage, truncate } from '#shared/text/wording.ts';

/** The line of a number, or of a SIM, as the service writes it. */
export function lineFinder(sent: PlannedRequest, callingCode: string): (subject: string) => number | undefined {
  const lines = new Map(sent.rows.map(({ line, subject }) => [subject, line]));
  return (subject) => lines.get(subject) ?? lines.get(msisdnKey(subject, callingCode));
}

/**
 * A row is named by its number or its SIM in a message, or by its place in the `field` of an error: `rows[3].msisdn`,
 * `stock[0].serialNumber`, `serialNumbers[2]`.
 * @param lineOf finds the line of a number or a SIM as the service writes it
 */
export function declinedRowsOf(
  details: DeclineDetails,
  sent: PlannedRequest,
  lineOf: (subject: string) => number | undefined,
): ExcludedRow[] {
  const reasons = new Map<number, string>();
  const name = (line: number | undefined, reason: string): void => {
    if (line !== undefined && !reasons.has(line)) reasons.set(line, reason);
  };
  for (const subject of [...details.msisdns, ...(details.serialNumbers ?? [])])
    name(lineOf(subject), reasonFor(subject, details));
  for (const { field, message } of details.fieldErrors) name(sent.rows[placeIn(field)]?.line, message);
  return sent.rows.flatMap(({ line, subject }) => {
    const message = reasons.get(line);
    if (message === undefined) return [];
    return [{ line, subject, code: 'ROW_REFUSED', message: truncate(message, longestRowMessage(sent.rows.length)) }];
  });
}

/** The index of a row in the body of the call, which has the rows in their order; -1 where the field has none. */
const placeIn = (field: string): number =>
  Number(/(?:^|\.)(?:rows|stock|serialNumbers)\[(\d+)\]/i.exec(field)?.[1] ?? -1);

/** The field errors that contain the number or SIM, or else the message of the whole answer. */
function reasonFor(subject: string, { message, fieldErrors }: DeclineDetails): string {
  const about = fieldErrors.map((error) => error.message).filter((text) => text.includes(subject));
  return about.length === 0 ? message : about.join('; ');
}
