// The rows that the service names when it declines a request: the others can be sent again without them (decision 25).
import type { PlannedRequest } from '#shared/domain/imports/plan.ts';
import { msisdnKey } from '#shared/domain/numbers/msisdn.ts';
import type { ExcludedRow } from '#shared/domain/requests/ledger.ts';
import type { DeclineDetails } from '#shared/porting/errors.ts';

/** The line of a number, or of a SIM, as the service writes it. */
export function lineFinder(sent: PlannedRequest, callingCode: string): (subject: string) => number | undefined {
  const lines = new Map(sent.rows.map(({ line, subject }) => [subject, line]));
  return (subject) => lines.get(subject) ?? lines.get(msisdnKey(subject, callingCode));
}

/** @param lineOf finds the line of a number as the service writes it */
export function declinedRowsOf(
  details: DeclineDetails,
  sent: PlannedRequest,
  lineOf: (subject: string) => number | undefined,
): ExcludedRow[] {
  const reasons = new Map<number, string>();
  for (const msisdn of details.msisdns) {
    const line = lineOf(msisdn);
    if (line !== undefined && !reasons.has(line)) reasons.set(line, reasonFor(msisdn, details));
  }
  return sent.rows.flatMap(({ line, subject }) => {
    const message = reasons.get(line);
    return message === undefined ? [] : [{ line, subject, code: 'ROW_REFUSED', message }];
  });
}

/** The field errors that contain the number, or else the message of the whole answer. */
function reasonFor(msisdn: string, { message, fieldErrors }: DeclineDetails): string {
  const about = fieldErrors.map((error) => error.message).filter((text) => text.includes(msisdn));
  return about.length === 0 ? message : about.join('; ');
}
