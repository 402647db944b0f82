// Which numbers of a request belong to another port or SIM, of whichever account, and which have been released.
import type { Account } from '../catalogue/catalogue.ts';
import type { Dependencies } from '../dependencies.ts';
import type { FieldError } from '../http/problem.ts';
import { type Holder, ownerKey } from '../store/store.ts';
import { isLiveRow, type Port, type Row } from './port.ts';
import { currentPort } from './read-ports.ts';
import { onStockRecords } from './validate-port.ts';

/** A number as the request writes it, and its E.164 digits if it is one. */
interface RequestedNumber {
  readonly msisdn: string;
  readonly number: string | null;
}

interface NumberOwners {
  /** `index` is the place of the number in the request. */
  readonly conflicts: readonly { readonly index: number; readonly error: FieldError }[];
  readonly released: ReadonlyMap<string, string>;
}

/** What a port that claimed a number means for a new request; null if it has released the number. */
function portConflict(port: Port, row: Row | undefined, account: Account, msisdn: string): FieldError | null {
  if (row === undefined || !isLiveRow(row)) return null;
  if (port.status === 'Complete') return onStockRecords(msisdn, 'msisdn');
  const which = port.accountId === account.accountId ? ` (${port.id})` : '';
  const hasInvalidPac = row.status === 'PacInvalid' || row.status === 'PacInvalidDate';
  const message = hasInvalidPac
    ? `MSISDN ${msisdn} already has a port with an invalid PAC${which}: cancel that port first.`
    : `MSISDN ${msisdn} is already in a port that is not finished${which}.`;
  return { field: 'msisdn', message, conflict: true };
}

/** The ports that claimed the numbers, as they are now, with their rows by number. */
async function readOwningPorts(dependencies: Dependencies, holders: Iterable<Holder>) {
  const portIds = new Set([...holders].flatMap(({ owner }) => ('portId' in owner ? owner.portId : [])));
  const stored = await Promise.all([...portIds].map((id) => dependencies.store.port(id)));
  const ports = stored.flatMap((port) => (port ? currentPort(dependencies, port) : []));
  return new Map(ports.map((port) => [port.id, { port, rows: new Map(port.rows.map((row) => [row.number, row])) }]));
}

type OwningPorts = Awaited<ReturnType<typeof readOwningPorts>>;

/** What the owner of a number means for a new request: a conflict, a number to take over, or neither. */
function checkOwner(
  { owner, isOld }: Holder,
  { number, msisdn }: { readonly number: string; readonly msisdn: string },
  account: Account,
  ports: OwningPorts,
): { readonly conflict: FieldError | null; readonly isReleased: boolean } {
  if ('serialNumber' in owner) return { conflict: onStockRecords(msisdn, 'msisdn'), isReleased: false };
  const held = ports.get(owner.portId);
  // A recent claim without a port belongs to a request in progress, so the store rejects this one.
  if (held === undefined) return { conflict: null, isReleased: isOld };
  const conflict = portConflict(held.port, held.rows.get(number), account, msisdn);
  return { conflict, isReleased: conflict === null };
}

export async function checkNumberOwners(
  dependencies: Dependencies,
  account: Account,
  requested: readonly RequestedNumber[],
): Promise<NumberOwners> {
  const holders = await dependencies.store.holders(requested.flatMap(({ number }) => number ?? []));
  const ports = await readOwningPorts(dependencies, holders.values());
  const conflicts: { index: number; error: FieldError }[] = [];
  const released = new Map<string, string>();
  for (const [index, { msisdn, number }] of requested.entries()) {
    const holder = number === null ? undefined : holders.get(number);
    if (number === null || holder === undefined) continue;
    const { conflict, isReleased } = checkOwner(holder, { number, msisdn }, account, ports);
    if (conflict) conflicts.push({ index, error: conflict });
    if (isReleased) released.set(number, ownerKey(holder.owner));
  }
  return { conflicts, released };
}
