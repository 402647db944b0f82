// The live correction files of an import: the lines that a new PAC would mend.
import {
  type CorrectionKind,
  type CorrectionWriter,
  correctionKinds,
  createCorrectionWriter,
} from '#functions/report/corrections.ts';
import { writeResults } from '#functions/report/results.ts';
import { readCsv } from '#shared/csv/reader.ts';
import { unguard } from '#shared/csv/writer.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { Failure } from './failure.ts';
import { hint } from './hint.ts';
import type { CorrectionJson } from './json-shapes.ts';
import { resultSources, streamed } from './results.ts';
import type { Target } from './target.ts';

/** How many lines each correction file has at this moment. */
export async function countCorrections(target: Target, item: ImportItem): Promise<Record<CorrectionKind, number>> {
  const nowhere = { write: async () => {} };
  const writers = correctionKinds.map((kind): [CorrectionKind, CorrectionWriter] => [
    kind,
    createCorrectionWriter(kind, nowhere),
  ]);
  await writeResults(
    resultSources(target, item),
    nowhere,
    writers.map(([, writer]) => writer),
  );
  return Object.fromEntries(writers.map(([kind, { rows }]) => [kind, rows])) as Record<CorrectionKind, number>;
}

/** The text of a correction file, made while it is read. */
export const correctionCsv = (target: Target, item: ImportItem, kind: CorrectionKind) =>
  streamed(async (write) => {
    const correction = createCorrectionWriter(kind, { write });
    await writeResults(resultSources(target, item), { write: async () => {} }, [correction]);
  });

/** The same, line by line. */
export async function* readCorrections(
  target: Target,
  item: ImportItem,
  kind: CorrectionKind,
): AsyncIterable<CorrectionJson> {
  const opened = await readCsv(correctionCsv(target, item, kind));
  if (!opened.ok) throw new Failure(`The corrections of ${item.importId} cannot be read: ${opened.issue.message}.`);
  const { header, batches } = opened.value;
  const [lineIndex, reasonIndex] = [header.lastIndexOf('line'), header.lastIndexOf(reasonColumn[kind])];
  for await (const { cells } of batches) {
    for (const record of cells) {
      const own = record.map(unguard);
      const columns = Object.fromEntries(header.map((name, index) => [name, own[index] ?? '']));
      yield { operation: kind, line: Number(own[lineIndex]), reason: own[reasonIndex] ?? '', columns };
    }
  }
}

const reasonColumn: Readonly<Record<CorrectionKind, string>> = { 'update-port': 'reason', 'create-port': 'errors' };

/** The command that leaves the file to fill. */
export const correctionHint = (importId: string): string => hint(`corrections ${importId} --csv correct.csv`);
