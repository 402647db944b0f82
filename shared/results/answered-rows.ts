// What the corrections of an import did with its rows: each correction names the rows of the first file.
import { mayBeSent } from '#shared/domain/imports/may-be-sent.ts';
import { type Outcome, type RowResult, sendableAgain } from '#shared/domain/imports/outcome.ts';
import type { ComparisonItem } from '#shared/domain/ports/service-mismatch.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import type { Files } from '#shared/store/files/files.ts';
import type { Imports } from '#shared/store/tables/imports.ts';
import type { Requests } from '#shared/store/tables/requests.ts';
import type { PortSource } from './results-by-line.ts';
import { type FileOutcomes, openOutcomes } from './row-outcomes.ts';

export interface CorrectionSources {
  readonly files: Pick<Files, 'head' | 'read'>;
  readonly imports: Pick<Imports, 'list'>;
  readonly requests: Pick<Requests, 'ofImport'>;
  readonly resultsBucket: string;
  /** Whose rows decide; `itemsOf` adds dates to the results. */
  readonly ports: Pick<PortSource, 'rowsOf'> & Partial<PortSource>;
  /** The import that is being planned. */
  readonly except?: string;
}

/** An import of the last days is among so many; an older correction counts no more. */
const mostImports = 10_000;

/** The corrections of an import that were sent, oldest first. */
export async function listCorrections(
  { importId, account, operation, receivedAt, hasCorrections }: ImportItem,
  { imports, except }: Pick<CorrectionSources, 'imports' | 'except'>,
): Promise<ImportItem[]> {
  if (!hasCorrections) return [];
  const later = await imports.list(account, { since: receivedAt, limit: mostImports });
  return later
    .filter((item) => item.rootImportId === importId && item.operation === operation && item.importId !== except)
    .filter(mayBeSent)
    .reverse();
}

export interface CorrectedRow {
  readonly importId: string;
  readonly result: RowResult;
}

const notSent: ReadonlySet<Outcome> = new Set(['rejected', 'duplicate', 'skipped', 'not-sent']);
/** A row with another outcome was sent, or repeats a row that was. */
const unanswered: ReadonlySet<Outcome> = new Set(['rejected', 'skipped', 'not-sent']);

/** The latest result of each row of the first file that a correction answers, by its line there. */
export async function readCorrectedRows(
  root: ImportItem,
  sources: CorrectionSources,
): Promise<ReadonlyMap<number, CorrectedRow>> {
  const rows = new Map<number, CorrectedRow>();
  for (const item of await listCorrections(root, sources)) {
    const { batches } = await openImportOutcomes(item, sources);
    for await (const batch of batches) {
      for (const { rootLine, result } of batch) {
        const earlier = rows.get(rootLine);
        const latest = earlier === undefined ? result : laterResult(earlier.result, result);
        if (latest === result) rows.set(rootLine, { importId: item.importId, result });
      }
    }
  }
  return rows;
}

type WithOutcome = Pick<RowResult, 'outcome'>;

/**
 * What a row shows after a correction. A row that was not sent hides no answer. A row that was declined or cancelled
 * hides no success and nothing in progress: two corrections of a row may have been imported at the same time.
 */
export function laterResult<Row extends WithOutcome>(earlier: Row, later: Row | undefined): Row {
  if (later === undefined) return earlier;
  const hidden = notSent.has(later.outcome) ? unanswered : sendableAgain;
  return sendableAgain.has(later.outcome) && !hidden.has(earlier.outcome) ? earlier : later;
}

/** The import that answers each row with such an outcome, by the line of the row in the first file. */
export async function answeredRows(
  root: ImportItem,
  sources: CorrectionSources,
  isAnswer: (outcome: Outcome) => boolean,
): Promise<ReadonlyMap<number, string>> {
  const answered = new Map<number, string>();
  const { batches } = await openImportOutcomes(root, sources);
  for await (const batch of batches) {
    for (const { line, result } of batch) if (isAnswer(result.outcome)) answered.set(line, root.importId);
  }
  for (const [line, { importId, result }] of await readCorrectedRows(root, sources)) {
    if (isAnswer(result.outcome)) answered.set(line, importId);
  }
  return answered;
}

/** The rows of one import, without what its corrections did. */
export function openImportOutcomes(importItem: ImportItem, sources: CorrectionSources): Promise<FileOutcomes> {
  const { files, resultsBucket, requests, ports } = sources;
  const ofImport = requests.ofImport(importItem.importId);
  return openOutcomes({
    importItem,
    files,
    resultsBucket,
    requests: ofImport,
    ports: { itemsOf: () => none(), ...ports },
    comparisons: none<ComparisonItem>(),
  });
}

async function* none<Item>(): AsyncGenerator<Item> {}
