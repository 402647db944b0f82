// simporter template OPERATION: a CSV or a workbook to fill in, with every column and two example rows. Its values come
// from the live catalogue when it can be read.

import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, Option } from 'commander';
import { installation } from '#installation';
import { csvHeader, csvRow } from '#shared/files/csv/csv-row.ts';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import { columnIndexesOf } from '#shared/files/map-header.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { operationNamed, operations } from '#shared/operations/registry.ts';
import { templateSheet } from '#shared/results/import-files.ts';
import { type ReferenceTables, type TemplateValues, templateValues } from '#shared/results/reference-data.ts';
import type { CliContext } from '../context/cli-context.ts';
import { notFoundError } from '../context/cli-error.ts';
import { type ConfigureCommand, type ExitCode, exitCodes } from '../context/command.ts';
import { saveWorkbook } from '../imports/save-report.ts';
import { printJson } from '../output/json.ts';
import { formatTable } from '../output/table.ts';
import { readOrWriteReferenceTables } from '../target/reference-tables.ts';
import { withOptionalTarget } from '../target/with-target.ts';

interface TemplateOptions {
  readonly columns?: boolean;
  readonly xlsx?: string;
}

export const configure: ConfigureCommand = (command, { run }) =>
  command
    .addArgument(
      new Argument('[operation]', 'what to do with the rows').choices([...operations.keys()]).default('create-port'),
    )
    .option('--columns', 'explain the columns instead')
    .addOption(
      new Option('--xlsx <file>', 'write a workbook of text cells, with lists to choose from').conflicts('columns'),
    )
    .action(run<[string, TemplateOptions]>(printTemplate));

async function printTemplate(context: CliContext, name: string, options: TemplateOptions): Promise<ExitCode> {
  const { json, terminal } = context;
  const operation = operationNamed(name);
  if (operation === undefined) throw notFoundError(`There is no operation "${name}".`);
  if (options.columns && !json) {
    await terminal.lines(formatColumns(operation, terminal));
    return exitCodes.done;
  }
  const tables = await readLiveTables(context);
  const template = await createTemplate(operation, tables && templateValues(tables, operation.columns));
  if (options.xlsx !== undefined) {
    const sheet = templateSheet({ operation: operation.name, ...template }, tables);
    await saveWorkbook(context, template.rows.length, sheet, options.xlsx);
    return exitCodes.done;
  }
  const rows = template.rows.map((cells) => csvRow(cells)).join('');
  if (json) await printJson(context, toTemplateJson(operation, csvRow(template.header) + rows));
  else await terminal.write(csvHeader(template.header, ',') + rows);
  return exitCodes.done;
}

function formatColumns({ columns }: Operation, { width }: { width: number | undefined }): string[] {
  const cells = columns.map(({ name, required, aliases, help, example }) => {
    const others = aliases.length === 0 ? '' : ` Other names: ${aliases.join(', ')}.`;
    return [name, required ? 'yes' : '', example, `${help}${others}`];
  });
  return formatTable(
    [{ header: 'column' }, { header: 'required' }, { header: 'example' }, { header: 'meaning', wraps: true }],
    cells,
    { width },
  );
}

const toTemplateJson = ({ name: operation, columns }: Operation, csv: string) => ({
  operation,
  columns: columns.map(({ name, required, aliases, help, example }) => ({ name, required, aliases, help, example })),
  csv,
});

/** What the service offers to the account; undefined without a stack or a running emulator. */
async function readLiveTables(context: CliContext): Promise<ReferenceTables | undefined> {
  const tables = await withOptionalTarget(context, ({ target }) => readOrWriteReferenceTables(target));
  const { note, notePaint } = context.terminal;
  if (tables === undefined) {
    note(notePaint('dim', 'The values are examples: no emulator is running and no --stack was given.'));
  }
  return tables;
}

const exampleRows = 2;
/** In the column that is copied into the results: an example that is sent by mistake can be recognised. */
const exampleReference = 'Example: replace this row';

/** The rows are those of the operation's example file, with `values` in place of theirs. */
async function createTemplate({ name, columns }: Operation, values: readonly TemplateValues[] = []) {
  const header = columns.map((column) => column.name);
  const examples = await readExamples(name, columns);
  const rows = examples.map(
    (row, index): Record<string, string> => ({
      ...row,
      ...values[index % values.length],
      reference: exampleReference,
    }),
  );
  return { header, rows: rows.map((row) => header.map((column) => row[column] ?? '')) };
}

async function readExamples(name: string, columns: Operation['columns']): Promise<Record<string, string>[]> {
  const example = join(installation.examples, `${name}.csv`);
  const opened = existsSync(example) ? await readCsv(createReadStream(example)) : undefined;
  if (!opened?.ok) return [];
  const indexes = columnIndexesOf(opened.value.header, columns);
  const rows: Record<string, string>[] = [];
  for await (const { lines, cellsOf } of opened.value.batches) {
    for (const row of [...lines.keys()].slice(0, exampleRows - rows.length)) {
      const cells = cellsOf(row);
      rows.push(Object.fromEntries([...indexes].map(([column, index]) => [column, cells[index] ?? ''])));
    }
    if (rows.length >= exampleRows) break;
  }
  return rows;
}
