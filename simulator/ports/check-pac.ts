// The check of a porting authorisation code, as the donor network would make it.
import { rioKey } from '#shared/row/pac.ts';
import type { PortTypeName } from '#shared/service/contract.ts';
import type { Row, RowStatus } from './port.ts';

interface PacCheck {
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

// Values that make the simulator act in a chosen way, as the test cards of a payment provider do. Any other well-formed
// value works. docs/reference/simulator.md explains each.

/** The effect of a PAC. `wrong-code` and `wrong-date` fail the PAC check; the others act later. */
export type PacOutcome = 'good' | 'wrong-code' | 'wrong-date' | 'source-rejects' | 'slow' | 'error' | 'provider-error';

const outcomeByLetters: Readonly<Record<string, PacOutcome>> = {
  INV: 'wrong-code',
  EXP: 'wrong-date',
  REJ: 'source-rejects',
  SLO: 'slow',
  ERR: 'error',
  SWE: 'provider-error',
};

/** Spaces, hyphens and case do not count (spec gap 19). */
const normalPac = (pac: string): string => pac.replace(/[\s-]/g, '').toUpperCase();

/**
 * The magic outcome of a PAC: by its three letters (UK, `INV123456`) or by its operator and type (France, `INV...`).
 * It runs for every row at every read of a port, so the usual PAC, without separators, is handled first.
 */
export function pacOutcome(pac: string | null): PacOutcome {
  if (pac === null) return 'good';
  const letters = pac.slice(0, 3);
  const isPlain = !letters.includes(' ') && !letters.includes('-');
  return outcomeByLetters[isPlain ? letters.toUpperCase() : normalPac(pac).slice(0, 3)] ?? 'good';
}

/** The effect of a SIM: serial numbers of country code 999, which no issuer has. */
type SerialOutcome = 'good' | 'network-rejects' | 'serial-late' | 'settings-lost';

const outcomeBySerial: Readonly<Record<string, SerialOutcome>> = {
  '899901': 'network-rejects',
  '899902': 'serial-late',
  '899903': 'settings-lost',
};

/**
 * `899901...`: the network does not keep the SIM. `899902...`: the network needs hours to give the serial number.
 * `899903...`: Bar Service Config is accepted, and never carried out.
 */
export const serialOutcome = (serialNo: string | null): SerialOutcome =>
  outcomeBySerial[serialNo?.slice(0, 6) ?? ''] ?? 'good';

const formerNumber = /^(4477009009(9\d)|336399800(9\d))$/;

/** Numbers that were on the service and left: the last fictional ones, 07700 900990-900999 and 06 39 98 00 90-99. */
export const isFormerNumber = (msisdn: string): boolean => formerNumber.test(msisdn);
