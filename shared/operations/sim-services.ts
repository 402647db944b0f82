// The current services of the SIMs of a list: each named by its serial, or by a number that simporter ported.
import { parseIccid } from '#shared/row/iccid.ts';
import { msisdnKey, parseMsisdn } from '#shared/row/msisdn.ts';
import { redactText } from '#shared/row/redact.ts';
import { isPortingFailure, NotFound } from '#shared/service/errors.ts';
import { inParallel } from '#shared/service/in-parallel.ts';
import type { Catalogue } from './catalogue.ts';

/** SIMs of one list: about 30 seconds at the usual rate. */
export const mostSims = 250;

export interface SimServices {
  /** As in the list, without porting codes. */
  readonly sim: string;
  /** null where it is not known. */
  readonly serialNumber: string | null;
  /** A value is null where the service has none. */
  readonly services: { group: string; name: string; type: string; value: string | null; isReadOnly: boolean }[];
  /** Why they could not be read; null where they were. */
  readonly problem: string | null;
}

export interface SimSource {
  readonly catalogue: Catalogue;
  readonly callingCode: string;
  readonly callsAtOnce: number;
  /** Whether no time is left: no further SIM is read. @default - never */
  readonly isOver?: () => boolean;
}

/** In the order of the list. A SIM that cannot be read does not stop the others. */
export async function readSimServices(sims: readonly string[], source: SimSource): Promise<SimServices[]> {
  const found = new Map<number, SimServices>();
  await inParallel(sims.entries(), source.callsAtOnce, async ([index, sim]) => {
    found.set(index, source.isOver?.() ? notRead(sim) : await readOne(sim, source));
  });
  return sims.map((_, index) => found.get(index) as SimServices);
}

const notRead = (sim: string): SimServices => ({
  sim: redactText(sim),
  serialNumber: null,
  services: [],
  problem: 'There was no time left to read this SIM: list it again',
});

class UnknownSim extends Error {
  override readonly name = 'UnknownSim';
}

async function readOne(listed: string, source: SimSource): Promise<SimServices> {
  const sim = redactText(listed);
  let serialNumber: string | null = null;
  try {
    serialNumber = await findSerial(listed, source);
    const groups = await source.catalogue.simServices(serialNumber);
    const services = groups.flatMap(({ groupName: group, services: each }) =>
      each.map(({ name, type, readOnly, optionValue }) => ({
        group,
        name,
        type,
        value: optionValue ?? null,
        isReadOnly: readOnly,
      })),
    );
    return { sim, serialNumber, services, problem: null };
  } catch (error) {
    return { sim, serialNumber, services: [], problem: problemOf(error) };
  }
}

function problemOf(error: unknown): string {
  if (error instanceof UnknownSim) return redactText(error.message);
  if (error instanceof NotFound) return 'The service does not know this SIM';
  if (isPortingFailure(error)) return redactText(error.message);
  throw error;
}

/** More digits than any mobile number has. */
const shortestSerial = 16;

/** @throws UnknownSim, and what the lookup of a port throws */
async function findSerial(sim: string, { catalogue, callingCode }: SimSource): Promise<string> {
  const isSerial = sim.replace(/\D/g, '').length >= shortestSerial;
  const parsed = isSerial ? parseIccid(sim) : parseMsisdn(sim, { callingCode });
  if (!parsed.ok) throw new UnknownSim(parsed.finding.message);
  if (isSerial) return parsed.value;
  const portId = await catalogue.findPortByNumber(parsed.value);
  const port = portId === undefined ? undefined : await catalogue.port(portId);
  const row = port?.rows.find(({ msisdn }) => msisdnKey(msisdn, callingCode) === parsed.value);
  if (row?.serialNo) return row.serialNo;
  throw new UnknownSim('No port of simporter shows the SIM of this number: list the serial of the SIM');
}
