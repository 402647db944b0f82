// Imports a few rows that were typed here: uploads them as a CSV, waits for the plan and approves it.
import { call } from '../api/call.ts';
import { isProblem } from '../api/errors.ts';
import type { Answer } from '../api/types.ts';
import { strings } from '../strings.ts';
import type { UploadSettings } from './remembered-uploads.ts';
import { Uploader } from './uploader.ts';

export interface TypedRows {
  readonly operation: UploadSettings['operation'];
  readonly fileName: string;
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly because: string;
}

const pollMs = 1_000;
const longestPlanningMs = 120_000;

export interface ImportedRows {
  readonly importId: string;
  /** Otherwise a person with the role must approve it. */
  readonly isApproved: boolean;
}

/** @throws Error naming the first finding when a row is invalid: then nothing is sent */
export async function importRows({ operation, fileName, rows, because }: TypedRows): Promise<ImportedRows> {
  const file = new File([toCsv(rows)], fileName, { type: 'text/csv' });
  const uploader = new Uploader(file, {
    settings: { operation, columnValues: {}, headerRow: 1 },
    onProgress: () => undefined,
  });
  const importId = await uploader.run();
  if (importId === undefined) throw new Error(strings.typedRows.interrupted);
  const item = await awaitPlan(importId);
  const [issue] = item.issues.filter(({ severity }) => severity === 'error');
  if (item.state === 'rejected' || item.rejected > 0) throw new Error(issue?.message ?? strings.typedRows.invalid);
  const { planHash } = await call('getPlan', { path: { importId } });
  if (planHash === null) throw new Error(strings.typedRows.interrupted);
  return { importId, isApproved: await approve(importId, planHash, because) };
}

async function approve(importId: string, planHash: string, because: string): Promise<boolean> {
  try {
    await call('approveImport', { path: { importId }, body: { planHash, because } });
    return true;
  } catch (error) {
    if (isProblem(error, 'role-required') || isProblem(error, 'second-person-required')) return false;
    throw error;
  }
}

async function awaitPlan(importId: string): Promise<Answer<'getImport'>> {
  const until = Date.now() + longestPlanningMs;
  while (Date.now() < until) {
    try {
      const item = await call('getImport', { path: { importId } });
      if (item.state !== 'planning') return item;
    } catch (error) {
      if (!isProblem(error, 'not-found')) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error(strings.typedRows.slow);
}

const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

function toCsv(rows: TypedRows['rows']): string {
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [header, ...rows.map((row) => header.map((name) => row[name] ?? ''))];
  return lines.map((cells) => cells.map(quote).join(',')).join('\r\n');
}
