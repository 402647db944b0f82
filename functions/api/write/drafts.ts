// Keeps the cells that a person changes in the grid of invalid rows, so that another machine or a colleague can go on.
// PACs can be written and never read: an answer has null for each, and a null that is sent back keeps the stored one.
import * as z from 'zod';
import { instant, ordinal } from '#shared/domain/schemas.ts';
import { shortId, shortIdPattern } from '#shared/domain/text/short-id.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { isObjectGone } from '#shared/store/files/object-gone.ts';
import { draftObjectKey } from '#shared/store/object-keys.ts';
import type { DraftItem } from '#shared/store/tables/drafts.ts';
import type { WriteDependencies } from '../context.ts';
import { findImport } from '../find-import.ts';
import { ApiProblem } from '../http/api-problem.ts';
import { endpoint } from '../http/endpoint.ts';
import { cells, importPath } from '../schemas.ts';
import { checkColumns, maxCorrectedRows, openCells } from './corrected-rows.ts';

export const draftId = z.string().regex(new RegExp(`^${shortIdPattern}{16}$`), 'expected the id of a draft');
const draftRows = z.array(z.strictObject({ line: ordinal, cells: openCells })).max(maxCorrectedRows);
/** `from` is the draft that holds the cells that are null. No rows: the draft is discarded. */
const draftBody = z.strictObject({
  rows: draftRows,
  from: draftId.optional(),
  /** Of your draft that you have changed; null: you had none. Without it, the rows replace whatever is stored. */
  savedAt: z.nullable(instant).optional(),
});
const storedDraft = z.array(z.object({ line: ordinal, cells }));
type StoredRows = z.output<typeof storedDraft>;

export const getDraft = endpoint(
  {
    at: 'GET /imports/{importId}/drafts/{draftId}',
    role: 'uploader',
    summary: 'The changed cells of a draft',
    accepts: { path: importPath.extend({ draftId }) },
    answer: z.object({ draftId, rows: draftRows }),
  },
  async ({ path }, dependencies: WriteDependencies) => {
    const { importId } = await findImport(dependencies, path.importId);
    const rows = await readDraft(importId, path.draftId, dependencies);
    return { draftId: path.draftId, rows: rows.map((row) => ({ ...row, cells: withoutSecrets(row.cells) })) };
  },
);

export const saveDraft = endpoint(
  {
    at: 'PUT /imports/{importId}/drafts',
    role: 'uploader',
    summary: 'Keep the cells that you have changed',
    accepts: { path: importPath, body: draftBody },
    answer: z.object({ draftId, savedAt: instant }),
    problems: ['unknown-column', 'state-changed'],
  },
  async ({ path, body, caller }, dependencies: WriteDependencies) => {
    const item = await findImport(dependencies, path.importId);
    const { importId, operation } = item;
    checkColumns(body.rows, item, operationNamed(operation ?? ''));
    const id = shortId(['draft', importId, caller.id]);
    const rows = await withStoredCells(body, importId, dependencies);
    const { files, drafts, resources, wall } = dependencies;
    const stored = await drafts.get(importId, id);
    const isNewer = (stored?.rows ? stored.savedAt : null) !== body.savedAt;
    if (body.savedAt !== undefined && isNewer) throw changedElsewhere(stored);
    // Two saves never have the same time.
    const savedAt = new Date(Math.max(wall(), Date.parse(stored?.savedAt ?? '') + 1 || 0)).toISOString();
    const expiresAt = Math.floor(wall() / 1_000) + keptSeconds;
    const draft = { draftId: id, actorId: caller.id, by: caller.name, savedAt, expiresAt, rows: rows.length };
    // Before the cells: a save at the same time fails, and reads them.
    if (!(await drafts.put(importId, draft, stored))) throw changedElsewhere(stored);
    const writer = files.open(resources.workBucket, draftObjectKey(importId, id), 'application/json');
    await writer.write(JSON.stringify(rows));
    await writer.close();
    return { draftId: id, savedAt };
  },
);

/** In another tab, or by another person with the same id. */
const changedElsewhere = (stored: DraftItem | undefined): ApiProblem =>
  new ApiProblem('state-changed', 'These changes were saved elsewhere since. Read them, and save yours again.', {
    changed: { savedAt: stored?.rows ? stored.savedAt : null },
  });

/** As long as the work bucket keeps plans, unless it is configured otherwise. */
const keptSeconds = 45 * 86_400;

/** The rows with every cell: one that is null is the stored one. @throws ApiProblem when the stored cell has expired */
export async function withStoredCells(
  { rows, from }: z.output<typeof draftBody>,
  importId: string,
  dependencies: WriteDependencies,
): Promise<StoredRows> {
  const isComplete = rows.every((row) => !Object.values(row.cells).includes(null));
  const stored = isComplete || from === undefined ? [] : await readDraft(importId, from, dependencies);
  const cellsOf = new Map(stored.map((row) => [row.line, row.cells]));
  return rows.map((row) => ({
    line: row.line,
    cells: Object.fromEntries(
      Object.entries(row.cells).map(([column, cell]) => {
        const text = cell ?? cellsOf.get(row.line)?.[column];
        if (text !== undefined) return [column, text];
        const detail = `The ${column} of line ${row.line} is not kept any more. Enter it again.`;
        throw new ApiProblem('state-changed', detail, { changed: { line: row.line } });
      }),
    ),
  }));
}

/** Empty where it has expired. */
async function readDraft(importId: string, id: string, { files, resources }: WriteDependencies): Promise<StoredRows> {
  const place = { bucket: resources.workBucket, key: draftObjectKey(importId, id) };
  try {
    return storedDraft.parse(JSON.parse(await files.readText(place)));
  } catch (error) {
    if (isObjectGone(error)) return [];
    throw error;
  }
}

const withoutSecrets = (row: StoredRows[number]['cells']) =>
  Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, column === 'pac' ? null : cell]));
