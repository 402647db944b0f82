// Values that make the service answer in a chosen way, as a payment provider's test cards do. Any other well-formed value
// simply works. docs/porting-service.md explains each; nothing else in the service knows them.

/** What a PAC makes happen. `wrong-code` and `wrong-date` fail the PAC check; the others act later in the port's life. */
export type PacOutcome = 'good' | 'wrong-code' | 'wrong-date' | 'source-rejects' | 'slow' | 'error' | 'provider-error';

const outcomeByLetters: Readonly<Record<string, PacOutcome>> = {
  INV: 'wrong-code',
  EXP: 'wrong-date',
  REJ: 'source-rejects',
  SLO: 'slow',
  ERR: 'error',
  SWE: 'provider-error',
};

/** Compares PACs as people write them: spaces and hyphens do not count, nor does case (decision 19). */
export const normalPac = (pac: string): string => pac.replace(/[\s-]/g, '').toUpperCase();

/**
 * The magic outcome of a PAC: by its three letters (UK, `INV123456`) or by its operator and type (France, `INV...`).
 * Asked of every row at every read of a port, so the usual PAC, without separators, takes the short way.
 */
export function pacOutcome(pac: string | null): PacOutcome {
  if (pac === null) return 'good';
  const letters = pac.slice(0, 3);
  const isPlain = !letters.includes(' ') && !letters.includes('-');
  return outcomeByLetters[isPlain ? letters.toUpperCase() : normalPac(pac).slice(0, 3)] ?? 'good';
}

/** What a SIM makes happen: serials of country code 999, which no issuer has. */
export type SerialOutcome = 'good' | 'network-rejects' | 'serial-late';

/** `899901...`: keeping the SIM is refused by the network. `899902...`: the network takes its time to give the serial. */
export function serialOutcome(serialNo: string | null): SerialOutcome {
  if (serialNo?.startsWith('899901')) return 'network-rejects';
  return serialNo?.startsWith('899902') ? 'serial-late' : 'good';
}

const formerNumber = /^(4477009009(9\d)|336399800(9\d))$/;

/** Numbers that were on the service and left: the last ten fictional ones, 07700 900990-900999 and 06 39 98 00 90-99. */
export const isFormerNumber = (msisdn: string): boolean => formerNumber.test(msisdn);
