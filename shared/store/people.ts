// The audit trail of an import in the results table: what verified people did with it.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type AuditEntry, auditEntry } from '#shared/domain/imports/audit-entry.ts';
import {
  approvalKey,
  auditKey,
  auditPk,
  auditPrefix,
  downloadKey,
  downloadsPk,
  uploaderKey,
} from '#shared/text/stored-values.ts';
import { defaultBackoff } from './backoff.ts';
import { ifNew, putItem, readChildren, type Table } from './table.ts';
import { readItem } from './tables/read-item.ts';
import { readItems } from './tables/read-items.ts';

export interface Audit {
  /**
   * Adds an entry. A repeat of the same entry changes nothing.
   * @param expiresAt in seconds since 1970
   */
  record(importId: string, entry: AuditEntry, expiresAt: number): Promise<void>;
  /** What people did, without the links to files that they received. Oldest first. */
  deedsOf(importId: string): Promise<AuditEntry[]>;
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

/** Of an ISO 8601 time. A link can be used for a minute: who asks for it again in this minute has one entry. */
const minute = 'YYYY-MM-DDThh:mm'.length;

function keyOf(importId: string, { at, action, actorId, details }: AuditEntry) {
  if (action === 'approved') return approvalKey(importId, details.planHash ?? '', actorId);
  if (action === 'downloaded') return downloadKey(importId, at.slice(0, minute), actorId, details.file ?? '');
  return auditKey(importId, at, action);
}

export function createAudit(client: DynamoDBDocumentClient, name: string): Audit {
  const table = { client, name };
  return {
    async record(importId, entry, expiresAt) {
      const item = { importId, ...entry, expiresAt };
      await putItem(table, { ...keyOf(importId, entry), ...item }, ifNew);
      // Lists of imports read it with one key for each import.
      if (entry.action === 'uploaded') await putItem(table, { ...uploaderKey(importId), ...item }, ifNew);
    },
    deedsOf: (importId) => readEntries(table, auditPk(importId)),
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
