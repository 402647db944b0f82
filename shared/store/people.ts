// What people leave through the API, each in a separate partition: audit entries, drafts, resolutions, saved settings
// and uploads.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type AuditEntry, auditEntry } from '#shared/import/approval.ts';
import { identity } from '#shared/import/import.ts';
import {
  type SavedSettings,
  savedSettings,
  savedSettingsKey,
  savedSettingsPk,
  savedSettingsPrefix,
} from '#shared/import/saved-settings.ts';
import { type Resolution, type ResolveAnswer, resolveAnswer, resolveCommand } from '#shared/request/messages.ts';
import { type OnUnreadable, UnreadableItem } from '#shared/row/issue.ts';
import { type ItemKey, instant, padded } from '#shared/text/stored-values.ts';
import { isoTime } from '#shared/text/wording.ts';
import { defaultBackoff } from './backoff.ts';
import {
  type Condition,
  deleteItem,
  getItem,
  ifNew,
  putItem,
  readChildren,
  readDue,
  readEach,
  readItem,
  readItems,
  type Table,
} from './table.ts';

// The audit trail of an import in the results table: what verified people did with it.

export interface Audit {
  /** The approval of this plan by this person. */
  approval(importId: string, plan: string, person: string): Promise<AuditEntry | undefined>;
  /**
   * Adds an entry. A repeat of the same entry changes nothing.
   * @param expiresAt in seconds since 1970
   */
  record(importId: string, entry: AuditEntry, expiresAt: number): Promise<void>;
  /** What people did, without the links to files that they received. Oldest first. */
  withoutDownloads(importId: string): Promise<AuditEntry[]>;
  /** Oldest first. */
  ofImport(importId: string): Promise<AuditEntry[]>;
  /** Who uploaded each of these imports with a verified identity. */
  uploaders(importIds: readonly string[]): Promise<ReadonlyMap<string, AuditEntry>>;
}

/** Oldest first, with the downloads at the end. */
export async function readAuditEntries(table: Table, importId: string): Promise<AuditEntry[]> {
  const pks = [auditPk(importId), downloadsPk(importId)];
  return (await Promise.all(pks.map((pk) => readEntries(table, pk)))).flat();
}

const readEntries = (table: Table, pk: string): Promise<AuditEntry[]> =>
  Array.fromAsync(readChildren(table, auditEntry, { pk, prefix: auditPrefix }));

/** An ISO 8601 time up to its minute. A link works for a minute: who asks for it again in it has one entry. */
const minute = 'YYYY-MM-DDThh:mm'.length;

function keyOf(importId: string, { at, action, actorId, details }: AuditEntry) {
  if (action === 'approved') return approvalKey(importId, details.planHash ?? '', actorId);
  if (action === 'downloaded') return downloadKey(importId, at.slice(0, minute), actorId, details.file ?? '');
  return auditKey(importId, at, action);
}

export function createAudit(client: DynamoDBDocumentClient, name: string): Audit {
  const table = { client, name };
  return {
    approval: (importId, plan, person) => getItem(table, auditEntry, approvalKey(importId, plan, person)),
    async record(importId, entry, expiresAt) {
      const item = { importId, ...entry, expiresAt };
      await putItem(table, { ...keyOf(importId, entry), ...item }, ifNew);
      // Lists of imports read it with one key for each import.
      if (entry.action === 'uploaded') await putItem(table, { ...uploaderKey(importId), ...item }, ifNew);
    },
    withoutDownloads: (importId) => readEntries(table, auditPk(importId)),
    ofImport: (importId) => readAuditEntries(table, importId),
    async uploaders(importIds) {
      const found = new Map<string, AuditEntry>();
      const keys = importIds.map(uploaderKey);
      // Who may approve depends on it, also a moment after the upload.
      for await (const item of readItems(client, name, keys, { consistent: true, backoff: defaultBackoff })) {
        found.set(String(item.importId), readItem(auditEntry, item));
      }
      return found;
    },
  };
}

// Who has changed invalid rows of an import without sending them yet. The cells are in the work bucket: they hold PACs.

const draftItem = z.object({
  draftId: z.string(),
  /** The subject of the person. */
  actorId: z.string(),
  by: z.string(),
  /** Everybody whose cells it has. */
  authors: z.array(identity),
  savedAt: instant,
  /** The write that saved it: it names the file with its cells. */
  writeId: z.string(),
  /** Rows with a change; 0 once they are sent or discarded. */
  rows: z.int(),
  /** In seconds since 1970: DynamoDB deletes the item then. */
  expiresAt: z.int(),
});
export type DraftItem = z.infer<typeof draftItem>;

export interface Drafts {
  /** @param before the draft that it replaces. false: another one has taken its place since. */
  put(importId: string, item: DraftItem, before: DraftItem | undefined): Promise<boolean>;
  get(importId: string, draftId: string): Promise<DraftItem | undefined>;
  ofImport(importId: string): Promise<DraftItem[]>;
}

const isStill = ({ savedAt }: DraftItem): Condition => ({
  ConditionExpression: 'savedAt = :savedAt',
  ExpressionAttributeValues: { ':savedAt': savedAt },
});

export function createDrafts(client: DynamoDBDocumentClient, name: string): Drafts {
  const table = { client, name };
  return {
    put: (importId, item, before) =>
      putItem(table, { ...draftKey(importId, item.draftId), importId, ...item }, before ? isStill(before) : ifNew),
    get: (importId, draftId) => getItem(table, draftItem, draftKey(importId, draftId)),
    ofImport: (importId) =>
      Array.fromAsync(readChildren(table, draftItem, { pk: draftPk(importId), prefix: draftPrefix })),
  };
}

// Resolutions that people asked for in the API: sync carries them out, and records its answer.

const resolutionItem = z.object({
  ...resolveCommand.shape.resolve.shape,
  at: instant,
  /** Absent while it waits for sync. */
  answer: z.optional(resolveAnswer),
  /** In seconds since 1970: DynamoDB deletes the item then. */
  expiresAt: z.int(),
});
export type ResolutionItem = z.infer<typeof resolutionItem>;

export interface Resolutions {
  /** false: another resolution of the request waits for sync. */
  ask(item: ResolutionItem): Promise<boolean>;
  get(importId: string, request: number): Promise<ResolutionItem | undefined>;
  /**
   * Those without an answer at `now` (wall time, epoch milliseconds), the oldest first.
   * @throws UnreadableItem, unless `onUnreadable` is given
   */
  waiting(now: number, limit: number, onUnreadable?: OnUnreadable): Promise<ResolutionItem[]>;
  /** Without effect on one that was asked for at another time. */
  answer(resolution: Resolution, answer: ResolveAnswer): Promise<void>;
}

export function createResolutions(client: DynamoDBDocumentClient, name: string): Resolutions {
  const table = { client, name };
  const keyOf = ({ importId, request }: Resolution) => resolutionKey(importId, request);
  const get: Resolutions['get'] = (importId, request) =>
    getItem(table, resolutionItem, resolutionKey(importId, request));
  return {
    get,
    ask: (item) =>
      putItem(
        table,
        { ...keyOf(item), ...item, dueQueue: resolutionQueue, dueAt: item.at },
        { ConditionExpression: 'attribute_not_exists(pk) OR attribute_exists(answer)' },
      ),
    waiting: async (now, limit, onUnreadable) =>
      readEach(resolutionItem, await readDue(table, [resolutionQueue], isoTime(now), limit), onUnreadable),
    async answer(resolution, answer) {
      if (resolution.at === undefined) return;
      const item = await get(resolution.importId, resolution.request);
      if (item?.at === resolution.at) await putItem(table, { ...keyOf(item), ...item, answer });
    },
  };
}

// Saved settings of the account: how files with a certain header are read.

export interface SavedSettingsStore {
  put(saved: SavedSettings): Promise<void>;
  remove(savedId: string): Promise<void>;
  /** undefined also where a newer version has saved what this one does not know. */
  get(savedId: string): Promise<SavedSettings | undefined>;
  list(): Promise<SavedSettings[]>;
}

export function createSavedSettings(client: DynamoDBDocumentClient, name: string, account: string): SavedSettingsStore {
  const table = { client, name };
  return {
    async put(saved) {
      await putItem(table, { ...savedSettingsKey(account, saved.savedId), ...saved });
    },
    async remove(savedId) {
      await deleteItem(table, savedSettingsKey(account, savedId));
    },
    async get(savedId) {
      try {
        return await getItem(table, savedSettings, savedSettingsKey(account, savedId));
      } catch (error) {
        if (error instanceof UnreadableItem) return undefined;
        throw error;
      }
    },
    list: () =>
      Array.fromAsync(
        readChildren(table, savedSettings, { pk: savedSettingsPk(account), prefix: savedSettingsPrefix }),
      ),
  };
}

// Uploads of people that are not complete, and for a day those that are.

const count = z.int().check(z.positive());

export const uploadItem = z.object({
  uploadId: z.string(),
  /** The subject of the person who uploads. */
  actorId: z.string(),
  key: z.string(),
  fileName: z.string(),
  bytes: count,
  partBytes: count,
  s3UploadId: z.string(),
  /** Set once the upload is complete. */
  importId: z.optional(z.string()),
  /** In seconds since 1970: DynamoDB deletes the item then, and S3 the parts. */
  expiresAt: z.int(),
});
export type UploadItem = z.infer<typeof uploadItem>;

export interface Uploads {
  put(item: UploadItem): Promise<void>;
  get(uploadId: string): Promise<UploadItem | undefined>;
}

export const createUploads = (client: DynamoDBDocumentClient, name: string): Uploads => ({
  async put(item) {
    await putItem({ client, name }, { ...uploadItemKey(item.uploadId), ...item });
  },
  get: (uploadId) => getItem({ client, name }, uploadItem, uploadItemKey(uploadId)),
});

/**
 * What people did with the import, in order of time. The API writes no partition of the pipeline: audit trails, drafts,
 * saved settings and resolutions have their own.
 */
export const auditPrefix = 'audit#';
export const auditPk = (importId: string): string => `audit#${importId}`;
export const auditKey = (importId: string, at: string, action: string): ItemKey => ({
  pk: auditPk(importId),
  sk: `${auditPrefix}${at}#${action}`,
});
/** A person approves a plan once, however many requests they send for it. */
export const approvalKey = (importId: string, plan: string, person: string): ItemKey => ({
  pk: auditPk(importId),
  sk: `${auditPrefix}approved#${plan}#${person}`,
});
/** Written by the function of the API that reads, which so cannot write who uploaded or approved. */
export const downloadsPk = (importId: string): string => `download#${importId}`;
export const downloadKey = (importId: string, at: string, person: string, file: string): ItemKey => ({
  pk: downloadsPk(importId),
  sk: `${auditPrefix}${at}#${person}#${file}`,
});
export const uploaderKey = (importId: string): ItemKey => ({ pk: auditPk(importId), sk: 'uploader' });

/** Whose changes of invalid rows are kept. */
export const draftPrefix = 'draft#';
export const draftPk = (importId: string): string => `draft#${importId}`;
export const draftKey = (importId: string, draftId: string): ItemKey => ({
  pk: draftPk(importId),
  sk: `${draftPrefix}${draftId}`,
});

/** How a person resolves a request: the last time that this was asked for in the API. */
export const resolutionPk = (importId: string): string => `resolution#${importId}`;
export const resolutionKey = (importId: string, request: number): ItemKey => ({
  pk: resolutionPk(importId),
  sk: padded(request),
});

export const uploadItemKey = (uploadId: string): ItemKey => ({ pk: `upload#${uploadId}`, sk: 'upload' });
/** One partition: people resolve requests one by one. */
export const resolutionQueue = 'resolutions';
