// The check of a porting authorisation code, as the donor network would make it.
import { rioKey } from '#shared/row/pac.ts';
import type { PortTypeName } from '#shared/service/contract.ts';
import { normalPac, pacOutcome } from './magic-values.ts';
import type { Row, RowStatus } from './port.ts';

export interface PacCheck {
  readonly status: Extract<RowStatus, 'PacValid' | 'PacInvalid' | 'PacInvalidDate'>;
  readonly message: string | null;
}

const ukPac = /^[A-Z]{3}\d{6}$/;
const frenchRio = /^[A-Z0-9]{2}[A-Z][A-Z0-9]{6}[A-Z0-9+]{3}$/;

/** The last three characters of a RIO are a key over the rest and the number. Only ten-digit numbers have one. */
const keyFits = (rio: string, number: string): boolean => {
  const national = `0${number.slice(2)}`;
  return national.length !== 10 || rio.slice(9) === rioKey(rio.slice(0, 9), national);
};

/** UK: three letters and six digits. France: a RIO whose key fits. Elsewhere either form (spec gap 19). */
function isValid(pac: string, number: string): boolean {
  if (number.startsWith('44')) return ukPac.test(pac);
  if (number.startsWith('33')) return frenchRio.test(pac) && (pacOutcome(pac) !== 'good' || keyFits(pac, number));
  return ukPac.test(pac) || frenchRio.test(pac);
}

/** A migration needs no PAC (spec gap 18); one that is given is still checked. */
export function checkPac({ pac, number }: Pick<Row, 'pac' | 'number'>, portType: PortTypeName): PacCheck {
  if (pac === null && portType !== 'Port') return { status: 'PacValid', message: null };
  const outcome = pacOutcome(pac);
  if (outcome === 'wrong-date') {
    return { status: 'PacInvalidDate', message: 'The PAC is not valid on the connection date.' };
  }
  if (pac === null || outcome === 'wrong-code' || !isValid(normalPac(pac), number)) {
    return { status: 'PacInvalid', message: 'The PAC is not valid for this number.' };
  }
  return { status: 'PacValid', message: null };
}
