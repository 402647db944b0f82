// The audit trail of an import in the results table: what verified people did with it.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type AuditEntry, auditEntry } from '#shared/domain/imports/audit-entry.ts';
import { defaultBackoff } from './backoff.ts';
import { approvalKey, auditKey, auditPk, auditPrefix, downloadKey, downloadsPk, uploaderKey } from './item-keys.ts';
import { readItem } from './read-item.ts';
import { readItems } from './read-items.ts';
import { ifNew, putItem, readChildren, type Table } from './table.ts';

export interface Audit {
  /** Adds an entry. A repeat of the same entry changes nothing. */
  record(importId: string, entry: AuditEntry): Promise<void>;
  /** Oldest first. */
  ofImport(importId: string): Promise<AuditEntry[]>;
  /** Who uploaded each of these imports with a verified identity. */
  uploaders(importIds: readonly string[]): Promise<ReadonlyMap<string, AuditEntry>>;
}

/** Oldest first, with the downloads at the end. */
export async function readAuditEntries(table: Table, importId: string): Promise<AuditEntry[]> {
  const read = (pk: string) => Array.fromAsync(readChildren(table, auditEntry, { pk, prefix: auditPrefix }));
  return (await Promise.all([auditPk(importId), downloadsPk(importId)].map(read))).flat();
}

function keyOf(importId: string, { at, action, actorId, details }: AuditEntry) {
  if (action === 'approved') return approvalKey(importId, details.planHash ?? '', actorId);
  if (action === 'downloaded') return downloadKey(importId, at, actorId, details.file ?? '');
  return auditKey(importId, at, action);
}

export function createAudit(client: DynamoDBDocumentClient, name: string): Audit {
  const table = { client, name };
  return {
    async record(importId, entry) {
      await putItem(table, { ...keyOf(importId, entry), importId, ...entry }, ifNew);
      // Lists of imports read it with one key for each import.
      if (entry.action === 'uploaded') await putItem(table, { ...uploaderKey(importId), importId, ...entry }, ifNew);
    },
    ofImport: (importId) => readAuditEntries(table, importId),
    async uploaders(importIds) {
      const found = new Map<string, AuditEntry>();
      const keys = importIds.map(uploaderKey);
      for await (const item of readItems(client, name, keys, { consistent: false, backoff: defaultBackoff })) {
        found.set(String(item.importId), readItem(auditEntry, item));
      }
      return found;
    },
  };
}
