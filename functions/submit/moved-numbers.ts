// A change of a port is made only while the request that holds the number has this port: otherwise a cancellation of a
// port that was moved would be reported as done, and the number would be ported with the new port (decision 10).

import { firstImportOf } from '#shared/import/part.ts';
import { lookUpOnce } from '#shared/operations/catalogue.ts';
import { changeHead } from '#shared/operations/change-port.ts';
import type { Pipeline } from '#shared/pipeline/pipeline.ts';
import { type NumberItem, predictNumber } from '#shared/request/number-claim.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import type { ExcludedRow, RequestItem } from '#shared/request/request.ts';
import { isSameRequest } from '#shared/text/identity.ts';
import type { Attempt, FindMove, Move, Step, SubmitPipeline } from './attempt.ts';

/**
 * Reads the parts of an import, and the requests of its moves, once: create one for each batch. All reads are
 * consistent.
 */
export function createFindMove(pipeline: Pipeline): FindMove {
  const movesOf = lookUpOnce((importId: string) => readMoves(importId, pipeline));
  return async (request) => {
    const moves = await movesOf(request.importId);
    const found = moves.find(({ replaces }) => replaces !== undefined && isSameRequest(replaces, request));
    if (found === undefined) return undefined;
    const isUnderWay = found.replaces?.cancelRequestedAt !== undefined || found.state !== 'planned';
    const left = new Set((found.excludedRows ?? []).map(({ line }) => line));
    const lines = unpackLines(found.lines ?? '').filter((line) => !left.has(line));
    return { importId: found.importId, isUnderWay, lines };
  };
}

async function readMoves(importId: string, { imports, requests }: Pipeline): Promise<readonly RequestItem[]> {
  const item = await imports.get(importId);
  const first = item?.partOf === undefined ? item : await imports.get(firstImportOf(item));
  const parts = first === undefined ? [] : await imports.parts(first);
  const items = await Promise.all(parts.map(({ partId }) => imports.get(partId)));
  const moves = items.filter((part) => part?.partOf?.kind === 'move');
  const found = await Promise.all(moves.map((part) => Array.fromAsync(requests.ofImport(part?.importId ?? ''))));
  return found.flat().filter(isMove);
}

/** One that was declined or skipped moves nothing. */
const isMove = ({ state }: RequestItem): boolean => state !== 'declined' && state !== 'skipped';

/** Leaves out the rows whose numbers are in another port, or about to be. Makes no call. */
export async function excludeMoved(attempt: Attempt, pipeline: SubmitPipeline): Promise<Step> {
  if (attempt.submission.makes !== 'change') return attempt;
  const excluded = await findMovedRows(attempt, pipeline, () => true);
  if (excluded.length === 0) return attempt;
  const lines = new Set(excluded.map(({ line }) => line));
  const rows = attempt.send.rows.filter(({ line }) => !lines.has(line));
  const excludedRows = [...attempt.excludedRows, ...excluded];
  return rows.length === 0
    ? { how: 'skipped', excludedRows }
    : { ...attempt, send: { ...attempt.send, rows }, excludedRows };
}

/**
 * Rows that a move took along while the change was being made. Sync reads a port again before it cancels it, so only a
 * move that had begun to cancel it by then may have missed the change.
 */
export const findOvertakenRows = (attempt: Attempt, pipeline: SubmitPipeline): Promise<ExcludedRow[]> =>
  findMovedRows(attempt, { ...pipeline, findMove: createFindMove(pipeline) }, ({ isUnderWay }) => isUnderWay);

async function findMovedRows(
  { planned, send }: Attempt,
  pipeline: SubmitPipeline,
  counts: (move: Move) => boolean,
): Promise<ExcludedRow[]> {
  const { portId, whole } = changeHead.parse(planned.head);
  const places = await readPlaces(portId, whole ? undefined : send.rows.map(({ subject }) => subject), pipeline);
  const excluded: ExcludedRow[] = [];
  for (const { line, subject } of send.rows) {
    const message = await describePlace(places.get(whole ? portId : subject), portId, counts, pipeline);
    if (message !== undefined) excluded.push({ line, subject, code: 'LINE_NOT_CHANGEABLE', message });
  }
  return excluded;
}

/** Who has a number now. */
interface Place {
  readonly holder: RequestItem;
  /** Absent for a whole port, which its own request holds. */
  readonly claim?: NumberItem;
}

/** By number, or by the port where all of its numbers are meant. A port that was made elsewhere is not among them. */
async function readPlaces(
  portId: string,
  numbers: readonly string[] | undefined,
  { ports, requests, numbers: claims }: SubmitPipeline,
): Promise<ReadonlyMap<string, Place>> {
  const places = new Map<string, Place>();
  if (numbers === undefined) {
    const port = await ports.get(portId);
    const holder = port && (await requests.get(port.importId, port.request));
    if (holder !== undefined) places.set(portId, { holder });
    return places;
  }
  const found = await claims.getMany(numbers);
  const holderOf = await requests.getMany(found);
  for (const claim of found) {
    const holder = holderOf(claim);
    if (holder !== undefined) places.set(claim.number, { holder, claim });
  }
  return places;
}

/** undefined: the port is that of the number, or nobody holds the number any more. */
async function describePlace(
  place: Place | undefined,
  portId: string,
  counts: (move: Move) => boolean,
  { findMove }: SubmitPipeline,
): Promise<string | undefined> {
  if (place === undefined) return undefined;
  const { holder, claim } = place;
  if (holder.portId === portId || holder.duplicatePortIds?.includes(portId)) {
    const move = await findMove(holder);
    if (move === undefined || !counts(move)) return undefined;
    // It had left the port before the move began.
    if (claim !== undefined && move.isUnderWay && !move.lines.includes(claim.line)) return undefined;
    return `The import ${move.importId} moves the port to another day: import the row again once it has done so`;
  }
  const prediction = claim && predictNumber(claim, holder);
  if (prediction === undefined || prediction.kind === 'cancelled') return undefined;
  const { importId, line, number } = claim ?? {};
  const where = holder.portId === undefined ? 'is about to be in another port' : `is in port ${holder.portId} now`;
  return `${number} ${where} (line ${line} of import ${importId}): change it there`;
}
