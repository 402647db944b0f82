// What can be known about a file before it is sent.
import { strings } from '../../strings.ts';
import { formatBytes } from '../../text/format.ts';

/** What is wrong with the file and what to do; undefined where it can be uploaded. */
export function checkFile({ name, size }: File, maxBytes: number): string | undefined {
  const { problems } = strings.upload;
  if (size === 0) return problems.empty(name);
  if (size > maxBytes) return problems.tooLarge(formatBytes(size), formatBytes(maxBytes));
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (['xls', 'ods', 'numbers', 'xlsb'].includes(extension)) return problems.otherSpreadsheet(extension);
  if (['zip', 'gz', 'pdf', 'docx', 'doc', 'png', 'jpg', 'jpeg'].includes(extension)) return problems.noTable(extension);
  return undefined;
}
