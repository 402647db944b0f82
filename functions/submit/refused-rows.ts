// Decision 25: where a refusal names some of the rows, the others need not fall with them.
import type { WithdrawnRow } from '#shared/domain/ledger.ts';
import type { PlannedRequest } from '#shared/domain/plan.ts';
import type { Refusal } from '#shared/porting/errors.ts';

/** Each row that the refusal names, with what it says of it. `lineOf` finds the line of a number as the service writes it. */
export function rowsNamedBy(
  refusal: Refusal,
  sent: PlannedRequest,
  lineOf: (subject: string) => number | undefined,
): WithdrawnRow[] {
  const reasons = new Map<number, string>();
  for (const msisdn of refusal.msisdns) {
    const line = lineOf(msisdn);
    if (line !== undefined && !reasons.has(line)) reasons.set(line, reasonFor(msisdn, refusal));
  }
  return sent.rows.flatMap(({ line, subject }) => {
    const message = reasons.get(line);
    return message === undefined ? [] : [{ line, subject, code: 'ROW_REFUSED', message }];
  });
}

function reasonFor(msisdn: string, { message, fieldErrors }: Refusal): string {
  const own = fieldErrors.map((error) => error.message).filter((text) => text.includes(msisdn));
  return own.length === 0 ? message : own.join('; ');
}
