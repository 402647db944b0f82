// results.csv: every line of the file that was dropped, with what became of it beside.
import type { FileWriter } from '#shared/aws/files.ts';
import { csvRow, unguard } from '#shared/csv/writer.ts';
import { type LineResult, rejectedResult } from '#shared/domain/outcome.ts';
import { type FileOutcomes, type LineOutcome, openOutcomes, type ResultSources } from './line-outcomes.ts';

/** Behind the file's own columns. */
export const resultColumns = ['line', 'outcome', 'portId', 'status', 'message', 'whatToDo'] as const;

/** Sees the lines as they pass, batch by batch; `begin` comes first. */
export interface Bystander {
  begin(file: Pick<FileOutcomes, 'header' | 'indexes'>): Promise<void>;
  see(outcomes: readonly LineOutcome[]): Promise<void>;
}

/** Answers how many lines there are. @throws ObjectGone when the file has expired */
export async function writeResults(
  sources: ResultSources,
  sink: Pick<FileWriter, 'write'>,
  bystanders: readonly Bystander[] = [],
): Promise<number> {
  const file = await openOutcomes(sources);
  if ('issue' in file) {
    await sink.write(csvRow(resultColumns) + csvRow(['0', ...cellsOf(rejectedResult([file.issue.message]))]));
    return 0;
  }
  const { header, indexes, batches } = file;
  const pacIndex = indexes.get('pac');
  for (const bystander of bystanders) await bystander.begin(file);
  await sink.write(csvRow([...header, ...resultColumns]));
  let lines = 0;
  for await (const outcomes of batches) {
    for (const bystander of bystanders) await bystander.see(outcomes);
    let text = '';
    for (const { line, cells, result } of outcomes) {
      text += csvRow([...masked(cells, pacIndex), String(line), ...cellsOf(result)]);
    }
    if (text !== '') await sink.write(text);
    lines += outcomes.length;
  }
  return lines;
}

const cellsOf = ({ outcome, portId, status, message, whatToDo }: LineResult): string[] => [
  outcome,
  portId,
  status,
  message,
  whatToDo,
];

/** The last three characters tell a person which PAC it was; the rest stays in the file they dropped (decision 44). */
function masked(cells: readonly string[], pacIndex: number | undefined): string[] {
  const own = cells.map(unguard);
  const pac = pacIndex === undefined ? '' : (own[pacIndex] ?? '').trim();
  if (pacIndex !== undefined && pac !== '') own[pacIndex] = pac.length < 6 ? '***' : `***${pac.slice(-3)}`;
  return own;
}
