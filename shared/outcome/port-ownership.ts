// Whether a port belongs to a request: by the token in its name, or else by its numbers.
import { msisdnKey } from '#shared/row/msisdn.ts';
import { tokenOfPortName } from '#shared/text/identity.ts';
import type { PortReading } from './port-snapshot.ts';

/** The port has all of these numbers (E.164 digits) and no others. */
export function hasExactly(numbers: readonly string[], { rows }: PortReading, callingCode: string): boolean {
  const inPort = new Set(rows.map(({ msisdn }) => msisdnKey(msisdn, callingCode)));
  return numbers.length > 0 && inPort.size === numbers.length && numbers.every((number) => inPort.has(number));
}

/** @param sent the numbers of the request; undefined where its plan has expired */
export function isPortOf(
  token: string,
  port: PortReading,
  sent: readonly string[] | undefined,
  callingCode: string,
): boolean {
  const named = tokenOfPortName(port.name);
  return named === undefined ? sent === undefined || hasExactly(sent, port, callingCode) : named === token;
}
