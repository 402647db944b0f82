// simporter audit IMPORT: who uploaded, approved, rescheduled and resolved what.
import type { AuditEntry } from '#shared/results/answers.ts';
import { readAuditTrail } from '#shared/results/audit-trail.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { findImport } from '../imports/find-import.ts';
import { importArgument } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import { formatInstant } from '../output/text.ts';

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command.argument(...importArgument).action(
    onTarget<[string]>(async (session, text) => {
      const { target, json, terminal } = session;
      const { importId } = await findImport(session, text);
      const item = await target.imports.get(importId);
      const entries = item === undefined ? [] : await readAuditTrail(target, target.audit, item);
      if (json) await printJson(session, { importId, entries });
      else await terminal.lines(formatTable(columns, entries.map(cellsOf), terminal));
      return exitCodes.done;
    }),
  );

const columns: readonly TableColumn[] = [
  { header: 'time (UTC)' },
  { header: 'what' },
  { header: 'by' },
  { header: 'principal' },
  { header: 'from', secondary: true },
  { header: 'details', wraps: true },
];

const cellsOf = ({ at, action, by, principal, sourceIp, because, details }: AuditEntry): string[] => [
  formatInstant(at),
  action,
  by ?? '',
  principal ?? 'unknown',
  sourceIp ?? '',
  [...Object.entries(details).map(([name, value]) => `${name} ${value}`), ...(because === null ? [] : [because])].join(
    ', ',
  ),
];
