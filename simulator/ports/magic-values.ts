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
export const normalPac = (pac: string): string => pac.replace(/[\s-]/g, '').toUpperCase();

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
export type SerialOutcome = 'good' | 'network-rejects' | 'serial-late' | 'settings-lost';

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
