// Whether a number was ported before, from its item in the table.

import { isPortStatus } from '#shared/port/port-status.ts';
import type { NumberItem, PortedNumber } from '../../items/number.ts';

/** The latest successful port of the number. A later import that claims the number keeps it with its claim. */
export function portedNumberOf({ importId, line, latest, ported }: NumberItem): PortedNumber | undefined {
  if (latest?.ended !== true || !isPortStatus(latest.status, 'Complete')) return ported;
  return { importId, line, at: latest.readAt };
}

/** `447700900123 was already ported on 2026-07-02 by import 0123456789abcdef (line 4)` */
export const describePorted = (number: string, { at, importId, line }: PortedNumber): string =>
  `${number} was already ported on ${at.slice(0, 10)} by import ${importId} (line ${line})`;
