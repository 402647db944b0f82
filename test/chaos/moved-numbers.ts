// A move takes every number along that was on its way in the port that it cancelled, whatever happened to it before.
import type { RequestItem } from '#shared/request/request.ts';
import type { Outcome } from './outcome.ts';

/** The service or a person decided it: a row was declined, or had left the port before. */
const decided = ['ROW_REFUSED', 'LINE_NOT_CHANGEABLE'];

/** A number that another request has taken meanwhile is in the port of that one. */
export function checkMovedNumbers({ items }: Pick<Outcome, 'items'>): string[] {
  const moves = items.filter(({ replaces }) => replaces !== undefined) as unknown as RequestItem[];
  return moves.flatMap(({ importId, request, replaces, excludedRows = [], endedAt }) => {
    if (replaces?.cancelledAt === undefined || endedAt === undefined) return [];
    const skipped = excludedRows.filter(({ code }) => !decided.includes(code));
    const own = [`${importId}/${request}`, `${replaces.importId}/${replaces.request}`];
    return skipped.flatMap(({ subject, code }) => {
      const claim = items.find(({ pk, sk }) => pk === `number#${subject}` && sk === 'current');
      const isTaken = claim !== undefined && !own.includes(`${claim.importId}/${claim.request}`);
      return isTaken ? [] : [`I3 request ${request} of ${importId} left ${subject} in no port: ${code}`];
    });
  });
}
