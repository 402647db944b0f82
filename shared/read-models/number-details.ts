// What happened to one number: its current import, request and port, and the imports before.
import {
  blockingLinesOf,
  declinedResult,
  type Outcome,
  type RowResult,
  rowResult,
} from '#shared/domain/imports/outcome.ts';
import type { NumberItem } from '#shared/items/number.ts';
import type { PortRowState } from '#shared/items/port.ts';
import type { RequestItem } from '#shared/items/request.ts';
import { lookUpOnce } from '#shared/operations/kit/look-up-once.ts';
import { chunksOf } from '#shared/store/tables/backoff.ts';
import type { NumberDetails } from './answers.ts';
import { fileNameOf } from './file-name.ts';
import type { ReadSources } from './sources.ts';

/** A later claim with one of these outcomes changed nothing about a number that was ported before. */
const changesNothing: ReadonlySet<Outcome> = new Set(['declined', 'skipped', 'cancelled', 'not-sent']);

/** @param number E.164 digits. Returns undefined when no import has sent it. A later decline never hides a success. */
export async function readNumberDetails(sources: ReadSources, number: string): Promise<NumberDetails | undefined> {
  const claim = await sources.numbers.get(number);
  if (claim === undefined) return undefined;
  const [earlier, current] = await Promise.all([sources.numbers.history(number), readClaim(sources, claim)]);
  const { ported } = claim;
  const success = earlier.findLast(({ importId, line }) => importId === ported?.importId && line === ported.line);
  if (success === undefined || !changesNothing.has(current.outcome)) {
    return { ...current, earlierImports: earlier.map(claimOf), laterImports: [] };
  }
  const { outcome, message } = current;
  return {
    ...(await readClaim(sources, success)),
    earlierImports: earlier.filter(({ claimedAt }) => claimedAt < success.claimedAt).map(claimOf),
    laterImports: [{ ...claimOf(claim), outcome, message: message ?? '' }],
  };
}

const readAtOnce = 32;

/** The numbers that an import has sent. What several of them share is read once. */
export async function readManyNumbers(
  sources: ReadSources,
  numbers: readonly string[],
): Promise<Map<string, NumberDetails>> {
  const shared = { ...sources, ...readingOnce(sources) };
  const found = new Map<string, NumberDetails>();
  for (const chunk of chunksOf([...new Set(numbers)], readAtOnce)) {
    for (const details of await Promise.all(chunk.map((number) => readNumberDetails(shared, number)))) {
      if (details !== undefined) found.set(details.number, details);
    }
  }
  return found;
}

function readingOnce({ imports, requests, ports }: ReadSources): Pick<ReadSources, 'imports' | 'requests' | 'ports'> {
  return {
    imports: { ...imports, get: lookUpOnce((importId) => imports.get(importId)) },
    requests: { ...requests, get: lookUpOnce((importId, request) => requests.get(importId, request)) },
    ports: {
      ...ports,
      get: lookUpOnce((portId) => ports.get(portId)),
      rows: lookUpOnce((portId) => ports.rows(portId)),
      events: lookUpOnce((portId) => ports.events(portId)),
    },
  };
}

const claimOf = ({ importId, line, claimedAt }: NumberItem) => ({ importId, line, claimedAt });

async function readClaim(
  { imports, requests, ports }: ReadSources,
  claim: NumberItem,
): Promise<Omit<NumberDetails, 'earlierImports' | 'laterImports'>> {
  const { number, importId, line, claimedAt } = claim;
  const [item, request] = await Promise.all([imports.get(importId), requests.get(importId, claim.request)]);
  const { portId } = request ?? {};
  const [port, rows, events] =
    portId === undefined
      ? [undefined, [], []]
      : await Promise.all([ports.get(portId), ports.rows(portId), ports.events(portId)]);
  const result = request && resultOf(claim, request, rows ?? []);
  return {
    number,
    outcome: result?.outcome ?? 'waiting',
    status: result?.status || null,
    message: result?.message || null,
    whatToDo: result?.whatToDo || null,
    importId,
    line,
    request: claim.request,
    claimedAt,
    file: item === undefined ? null : fileNameOf(item.key),
    requestState: request?.state ?? null,
    submittedAt: (request?.state === 'planned' ? undefined : request?.submittedAt) ?? null,
    portId: port?.portId ?? portId ?? null,
    portStatus: port?.status ?? request?.portStatus ?? null,
    adoptedPort: item?.adoptedPort ?? null,
    history: events.map(({ at, status, was }) => ({ at, status, ...(was === undefined ? {} : { was }) })),
  };
}

/** As in results.csv. */
function resultOf({ number, line }: NumberItem, request: RequestItem, rows: readonly PortRowState[]): RowResult {
  const row = rows.find(({ msisdn }) => msisdn === number);
  return row === undefined ? declinedResult(request, line) : rowResult(request, row, blockingLinesOf(request, rows));
}
