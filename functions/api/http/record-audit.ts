// Records who did what with an import, with the identity that the token proves.
import { requestedByOf } from '#shared/domain/imports/actor.ts';
import type { AuditEntry } from '#shared/domain/imports/audit-entry.ts';
import { expiryOf } from '#shared/items/fields.ts';
import type { ReadDependencies } from '../context.ts';
import type { Caller } from './caller.ts';

export async function recordAudit(
  importId: string,
  {
    action,
    caller,
    because,
    details,
  }: {
    readonly action: AuditEntry['action'];
    readonly caller: Caller;
    readonly because?: string | undefined;
    readonly details: Readonly<Record<string, string>>;
  },
  { audit, recordRetentionDays, wall }: Pick<ReadDependencies, 'audit' | 'recordRetentionDays' | 'wall'>,
): Promise<void> {
  const now = wall();
  const at = new Date(now).toISOString();
  // Without anything that looks like a PAC.
  const described = requestedByOf({ by: caller.name, because });
  const entry = { at, action, actorId: caller.id, ...described, details: { ...details } };
  await audit.record(importId, entry, expiryOf(now, recordRetentionDays));
}
