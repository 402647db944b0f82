// simporter imports: what was dropped, newest first.
import { Command } from 'commander';
import type { ImportItem } from '#shared/domain/ledger.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { fileNameOf } from '../find-import.ts';
import { tallyText } from '../follow-import.ts';
import { hint } from '../hint.ts';
import { printJson } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import { count } from '../output/text.ts';
import { readCount } from '../read-number.ts';
import { importJsonOf, instantText } from '../show-import.ts';
import { withTarget } from '../target.ts';

interface ImportsOptions {
  readonly limit: string;
}

export const importsCommand = ({ action }: CommandContext): Command =>
  new Command('imports')
    .description('List the imports, newest first.')
    .option('--limit <count>', 'how many', '20')
    .action(
      action<[ImportsOptions]>((session, { limit }) => {
        const most = readCount('--limit', limit);
        return withTarget(session, async (target) => {
          const items = await target.imports.list(target.resources.account, { limit: most });
          const { terminal } = session;
          if (session.json) await printJson(terminal, { imports: items.map(importJsonOf) });
          else if (items.length === 0)
            terminal.note(`Nothing was imported yet. To send a file: ${hint('import FILE --watch')}`);
          else await terminal.lines(formatTable(columns, items.map(cells), terminal));
          return exitCodes.done;
        });
      }),
    );

const columns: readonly TableColumn[] = [
  { header: 'import' },
  { header: 'file', shrinks: true },
  { header: 'received (UTC)' },
  { header: 'state', style: (cell) => (cell === 'refused' ? 'red' : cell === 'completed' ? 'green' : undefined) },
  { header: 'rows', align: 'right' },
  { header: 'rejected', align: 'right', style: (cell) => (cell === '0' ? undefined : 'yellow') },
  { header: 'attention', align: 'right', style: (cell) => (cell === '0' ? undefined : 'yellow') },
  { header: 'ports', shrinks: true },
];

const cells = (item: ImportItem): string[] => [
  item.importId,
  fileNameOf(item.key),
  instantText(item.receivedAt),
  item.state,
  count(item.rows),
  count(item.rejected),
  count(item.attention),
  tallyText(item.ports),
];
