// simporter template OPERATION: a CSV to fill, with every column and two rows that show how, in the words of the live
// catalogue where there is one to read.
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, Command } from 'commander';
import { mapHeader } from '#shared/csv/header.ts';
import { readCsv } from '#shared/csv/reader.ts';
import { csvRow } from '#shared/csv/writer.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { operationNamed, operations } from '#shared/operations/registry.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { usageFailure } from '../failure.ts';
import { readLookupTables } from '../lookup-tables.ts';
import { printJson } from '../output/json.ts';
import { formatTable } from '../output/table.ts';
import type { Session } from '../session.ts';
import { type Target, withTargetIfAny } from '../target.ts';
import { type TemplateValues, templateValues } from '../template-values.ts';

const shownRows = 2;
const examplesFolder = join(import.meta.dirname, '..', '..', 'examples');

export const templateCommand = ({ action }: CommandContext): Command =>
  new Command('template')
    .description('Print a CSV with every column of an operation and two example rows; --columns explains them.')
    .addArgument(
      new Argument('[operation]', 'what the rows are for').choices([...operations.keys()]).default('create-port'),
    )
    .option('--columns', 'explain the columns instead')
    .action(
      action<[string, { columns?: boolean }]>(async (session, name, { columns: explained }) => {
        const { json, terminal } = session;
        const operation = operationNamed(name);
        if (operation === undefined) throw usageFailure(`There is no operation "${name}".`);
        if (explained && !json) await terminal.lines(columnsTable(operation, terminal));
        else {
          const csv = await templateCsv(operation, await liveValues(session, operation));
          if (json) await printJson(terminal, templateJsonOf(operation, csv));
          else await terminal.write(csv);
        }
        return exitCodes.done;
      }),
    );

function columnsTable({ columns }: Operation, look: { width: number | undefined }): string[] {
  const cells = columns.map(({ name, required, help, example }) => [name, required ? 'yes' : '', example, help]);
  return formatTable(
    [
      { header: 'column' },
      { header: 'required' },
      { header: 'for example', shrinks: true },
      { header: 'what it holds', shrinks: true },
    ],
    cells,
    look,
  );
}

const templateJsonOf = ({ name: operation, columns }: Operation, csv: string) => ({
  operation,
  columns: columns.map(({ name, required, aliases, help, example }) => ({ name, required, aliases, help, example })),
  csv,
});

/** Values of the catalogue that the account's own service offers, where a stack or an engine can be asked for them. */
async function liveValues(session: Session, { columns }: Operation): Promise<readonly TemplateValues[]> {
  const values = await withTargetIfAny(session, async (target) => {
    const tables = (await readLookupTables(target)) ?? (await lookUp(target));
    return tables && templateValues(tables, columns);
  });
  const { note, notePaint } = session.terminal;
  if (values === undefined) {
    note(
      notePaint(
        'dim',
        'The values are examples: no engine is running whose catalogue could be read, and no --stack is given.',
      ),
    );
  }
  return values ?? [];
}

/** Sync writes the tables when they are missing; on a fresh engine it may not have run yet. */
async function lookUp(target: Target) {
  await target.sync();
  return readLookupTables(target);
}

/**
 * The operation's columns in their order. The rows come from its example file, which is run from end to end by a test;
 * `values` take the place of what they say in the columns that name something of the catalogue.
 */
async function templateCsv({ name, columns }: Operation, values: readonly TemplateValues[]): Promise<string> {
  const names = columns.map((column) => column.name);
  const rows = await exampleRows(name, columns);
  const shown = rows.map((row, index) => ({ ...row, ...values[index % values.length] }));
  return csvRow(names) + shown.map((row) => csvRow(names.map((column) => row[column] ?? ''))).join('');
}

async function exampleRows(name: string, columns: Operation['columns']): Promise<Record<string, string>[]> {
  const example = join(examplesFolder, `${name}.csv`);
  const opened = existsSync(example) ? await readCsv(createReadStream(example)) : undefined;
  if (!opened?.ok) return [];
  const { indexes } = mapHeader(opened.value.header, columns);
  const rows: Record<string, string>[] = [];
  for await (const { cells } of opened.value.batches) {
    for (const record of cells.slice(0, shownRows - rows.length)) {
      rows.push(Object.fromEntries([...indexes].map(([column, index]) => [column, record[index] ?? ''])));
    }
    if (rows.length >= shownRows) break;
  }
  return rows;
}
