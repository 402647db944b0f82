// Which rows of a first file were answered, by its import or by one of its parts. Only the requests of the rows that are
// asked about are read: the index of the plan names them. So few rows of a large import cost little.
import * as z from 'zod/mini';
import type { ImportItem } from '#shared/import/import.ts';
import type { Outcome } from '#shared/outcome/outcome.ts';
import { collectResults } from '#shared/outcome/rows-of-requests.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import { placeOfRequest, type RequestItem } from '#shared/request/request.ts';
import type { ResultsReader } from '#shared/store/account.ts';
import { readJsonLines } from '#shared/store/files.ts';
import { isObjectGone, planIndexKey } from '#shared/store/object-keys.ts';
import type { Requests } from '#shared/store/requests.ts';
import { partNumber, type RequestNumber } from '#shared/text/identity.ts';
import { openOutcomes, readFileHead } from './file-rows.ts';
import { foldWithPart, keepCellsFor, type PartRow, readPartRows, readRowParts } from './parts.ts';

export interface AnsweredRow {
  readonly importId: string;
  /** The row was sent as a part has it, and not with the cells of the first file. */
  readonly isChanged: boolean;
}

export interface AnsweredRows {
  /** Whether an import may have answered the row. What it answers is read by `of`. */
  mayHave(line: number): boolean;
  /** Those of these rows that are answered, by line. */
  of(lines: Iterable<number>): Promise<ReadonlyMap<number, AnsweredRow>>;
  /** The rows that parts have sent with cells of their own, in the columns of the first file. */
  changed(): Iterable<readonly [line: number, cells: readonly string[]]>;
}

interface Reader extends ResultsReader {
  readonly requests: Requests;
  readonly resources: { readonly resultsBucket: string; readonly workBucket: string };
}

/**
 * @param isAnswer whether a row with this outcome is answered
 * @param except the import that is being planned
 */
export async function openAnsweredRows(
  first: ImportItem,
  reader: Reader,
  isAnswer: (outcome: Outcome) => boolean,
  except: string,
): Promise<AnsweredRows> {
  const keepCells = keepCellsFor(await readFileHead(first, reader.files));
  const parts = await readPartRows(first, await readRowParts(first, reader.imports, except), reader, keepCells);
  const own = await openOwnAnswers(first, reader, isAnswer);
  const isAnswerOf = (part: PartRow | undefined): part is PartRow =>
    part !== undefined && part.isNote !== true && isAnswer(part.result.outcome);

  const answerOf = (line: number, outcome: Outcome | undefined): AnsweredRow | undefined => {
    const part = parts.get(line);
    // A row of which the import itself knows nothing was not sent by it.
    const ofImport = { outcome: outcome ?? 'rejected' };
    const shown = foldWithPart<{ readonly outcome: Outcome }>(ofImport, part);
    if (!isAnswer(shown.outcome)) return undefined;
    if (shown === ofImport || part === undefined) return { importId: first.importId, isChanged: false };
    return { importId: part.importId, isChanged: part.cells !== undefined };
  };

  return {
    mayHave: (line) => own.mayHave(line) || isAnswerOf(parts.get(line)),
    of: async (lines) => {
      const asked = [...new Set(lines)];
      const outcomes = await own.of(asked.filter(own.mayHave));
      return new Map(
        asked.flatMap((line) => {
          const answer = answerOf(line, outcomes(line));
          return answer === undefined ? [] : [[line, answer] as const];
        }),
      );
    },
    changed: function* () {
      for (const [line, part] of parts)
        if (isAnswerOf(part) && part.cells !== undefined) yield [line, JSON.parse(part.cells)];
    },
  };
}

/** What the requests of the import itself say. */
interface OwnAnswers {
  mayHave(line: number): boolean;
  /** Finds the outcome of one of these rows; undefined: the import has not sent it, and will not. */
  of(lines: readonly number[]): Promise<(line: number) => Outcome | undefined>;
}

async function openOwnAnswers(
  first: ImportItem,
  reader: Reader,
  isAnswer: (outcome: Outcome) => boolean,
): Promise<OwnAnswers> {
  const requestOf = first.state === 'rejected' ? undefined : await readRequestsByLine(first, reader);
  if (requestOf === undefined) return readAllOutcomes(first, reader, isAnswer);
  const { importId } = first;
  return {
    mayHave: (line) => requestOf(line) !== undefined,
    of: async (lines) => {
      const numbers = new Set(lines.flatMap((line) => requestOf(line) ?? []));
      const requests = await readRequests(
        [...numbers].map((request) => ({ importId, request })),
        reader.requests,
      );
      const results = await collectResults(inOrder(requests), reader.ports, reader.comparisons.ofImport(importId));
      const states = new Map(requests.map(({ request, state }) => [request, state]));
      return (line) => {
        const request = requestOf(line);
        if (request === undefined) return undefined;
        // A request that was never attempted does not know its lines: its rows wait, or their plan has expired.
        return results.of(line)?.outcome ?? (states.get(request) === 'declined' ? 'declined' : 'waiting');
      };
    },
  };
}

/** The index of the plan is gone, or nothing of the plan was sent: every row is read. */
async function readAllOutcomes(
  first: ImportItem,
  reader: Reader,
  isAnswer: (outcome: Outcome) => boolean,
): Promise<OwnAnswers> {
  const answered = new Map<number, Outcome>();
  const { batches } = await openOutcomes(first, reader);
  for await (const batch of batches)
    for (const { line, result } of batch) if (isAnswer(result.outcome)) answered.set(line, result.outcome);
  return { mayHave: (line) => answered.has(line), of: async () => (line) => answered.get(line) };
}

const plannedLines = z.object({ request: z.int().check(z.positive()), lines: z.string() });

/** Finds the request of a row by its line. undefined: there is no index. */
async function readRequestsByLine(
  first: ImportItem,
  { files, resources }: Reader,
): Promise<((line: number) => number | undefined) | undefined> {
  let requests = new Uint32Array(1024);
  const index = { bucket: resources.workBucket, key: planIndexKey(first) };
  try {
    for await (const { request, lines } of readJsonLines(files, index, plannedLines)) {
      for (const line of unpackLines(lines)) {
        if (line >= requests.length) requests = grown(requests, line);
        requests[line] = request;
      }
    }
  } catch (error) {
    if (isObjectGone(error)) return undefined;
    throw error;
  }
  return (line) => requests[line] || undefined;
}

function grown(numbers: Uint32Array<ArrayBuffer>, index: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(index + 1, numbers.length * 2));
  larger.set(numbers);
  return larger;
}

/** The requests, and those into which they were divided. */
async function readRequests(wanted: readonly RequestNumber[], requests: Requests): Promise<RequestItem[]> {
  const found: RequestItem[] = [];
  for (let next = wanted; next.length > 0; ) {
    const find = await requests.getMany(next);
    const items = next.flatMap((one) => find(one) ?? []);
    found.push(...items);
    next = items.flatMap(({ importId, request, parts = [] }) =>
      parts.map((_, index) => ({ importId, request: partNumber(request, index + 1) })),
    );
  }
  return found;
}

/** In that of the plan, in which a request is in front of its parts. */
async function* inOrder(requests: readonly RequestItem[]): AsyncIterable<RequestItem> {
  const placed = requests.map((item) => ({ item, place: placeOfRequest(item.request) }));
  placed.sort((one, other) => (one.place < other.place ? -1 : 1));
  for (const { item } of placed) yield item;
}
