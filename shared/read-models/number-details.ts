// What happened to one number: its current import, request and port, and the imports before.
import { blockingLinesOf, declinedResult, type RowResult, rowResult } from '#shared/domain/imports/outcome.ts';
import type { NumberItem, PortRowState, RequestItem } from '#shared/domain/requests/ledger.ts';
import type { NumberDetails } from './answers.ts';
import { fileNameOf } from './file-name.ts';
import type { ReadSources } from './sources.ts';

/** @param number E.164 digits. Answers undefined when no import has sent it. */
export async function readNumberDetails(
  { numbers, imports, requests, ports }: Pick<ReadSources, 'numbers' | 'imports' | 'requests' | 'ports'>,
  number: string,
): Promise<NumberDetails | undefined> {
  const claim = await numbers.get(number);
  if (claim === undefined) return undefined;
  const { importId, line, claimedAt } = claim;
  const [earlierClaims, item, request] = await Promise.all([
    numbers.history(number),
    imports.get(importId),
    requests.get(importId, claim.request),
  ]);
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
    ...{ importId, line, request: claim.request, claimedAt },
    file: item === undefined ? null : fileNameOf(item.key),
    requestState: request?.state ?? null,
    portId: port?.portId ?? portId ?? null,
    portStatus: port?.status ?? request?.portStatus ?? null,
    history: events.map(({ at, status, was }) => ({ at, status, ...(was === undefined ? {} : { was }) })),
    earlierImports: earlierClaims.map((one) => ({ importId: one.importId, line: one.line, claimedAt: one.claimedAt })),
  };
}

/** As in results.csv. */
function resultOf({ number, line }: NumberItem, request: RequestItem, rows: readonly PortRowState[]): RowResult {
  const row = rows.find(({ msisdn }) => msisdn === number);
  return row === undefined ? declinedResult(request, line) : rowResult(request, row, blockingLinesOf(request, rows));
}
