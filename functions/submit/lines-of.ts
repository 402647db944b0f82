// The lines that a request holds, as the ledger keeps them.
import { packLines } from '#shared/domain/lines.ts';
import type { PlannedRequest } from '#shared/domain/plan.ts';

export const linesOf = ({ rows }: PlannedRequest): string => packLines(rows.map(({ line }) => line));
