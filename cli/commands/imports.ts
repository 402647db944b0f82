// simporter imports: the imports, newest first.

import type { ImportItem } from '#shared/import/import.ts';
import { isArchived, isOnlyValidated } from '#shared/import/import-state.ts';
import { fileNameOf } from '#shared/results/results.ts';
import { eachImport } from '#shared/store/imports.ts';
import { count } from '#shared/text/wording.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { parseCount } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import { formatInstant } from '../output/text.ts';
import type { Target } from '../target/target.ts';
import { withTarget } from '../target/with-target.ts';
import { toImportJson } from '../views/import-view.ts';

interface ImportsOptions {
  readonly limit: string;
  readonly all?: boolean;
}

export const configure: ConfigureCommand = (command, { run }) =>
  command
    .option('--limit <count>', 'how many', '20')
    .option('--all', 'validations and archived imports, too')
    .action(
      run<[ImportsOptions]>(async (context, options) => {
        const limit = parseCount('--limit', options.limit);
        return withTarget(context, async (session) => {
          const { target, json, terminal } = session;
          const items = await listImports(target, limit, options.all ? () => true : isUsuallyListed);
          if (json) await printJson(session, { imports: items.map(toImportJson) });
          else if (items.length > 0) await terminal.lines(formatTable(columns, items.map(toCells), terminal));
          else terminal.note(`There is no import yet. To import a file: ${nextCommand('import', 'FILE', '--watch')}`);
          return exitCodes.done;
        });
      }),
    );

const isUsuallyListed = (item: ImportItem): boolean => !isOnlyValidated(item) && !isArchived(item);

/** The newest imports that match. */
async function listImports(
  { imports, resources }: Target,
  limit: number,
  passes: (item: ImportItem) => boolean,
): Promise<ImportItem[]> {
  const found: ImportItem[] = [];
  for await (const item of eachImport(imports, resources.account)) {
    if (passes(item)) found.push(item);
    if (found.length >= limit) break;
  }
  return found;
}

const columns: readonly TableColumn[] = [
  { header: 'import' },
  { header: 'file', breaks: true },
  { header: 'received (UTC)', secondary: true },
  { header: 'state', style: (cell) => (cell === 'rejected' ? 'red' : cell === 'finished' ? 'green' : undefined) },
  { header: 'rows', align: 'right' },
  { header: 'problems', wraps: true, style: () => 'yellow' },
];

const toCells = (item: ImportItem): string[] => [
  item.importId,
  fileNameOf(item.key),
  formatInstant(item.receivedAt),
  item.state,
  count(item.rows),
  describeProblems(item),
];

/** Empty where nothing is wrong. A rejected file shows the reason instead of its rows. */
export function describeProblems(item: ImportItem): string {
  const { state, issues, rejected, duplicates = 0, skippedRows, actionRequired, requests, progress } = item;
  const reason = state === 'rejected' && issues.find(({ severity }) => severity === 'error');
  if (reason) return reason.message;
  // Version 0.1 counted no rows.
  const { declined = 0 } = progress?.outcomes ?? {};
  const declinedRequests = progress === undefined ? (requests.declined ?? 0) : 0;
  const problems = [
    [rejected - duplicates, 'rejected'],
    [duplicates, duplicates === 1 ? 'duplicate' : 'duplicates'],
    [skippedRows, 'skipped'],
    [declined, 'declined'],
    [declinedRequests, declinedRequests === 1 ? 'request declined' : 'requests declined'],
    [actionRequired, 'action required'],
  ] as const;
  return problems.flatMap(([rows, text]) => (rows > 0 ? [`${count(rows)} ${text}`] : [])).join(', ');
}
