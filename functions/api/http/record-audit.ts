// Records who did what with an import, with the identity that the token proves.
import { requestedByOf } from '#shared/domain/imports/actor.ts';
import type { AuditEntry } from '#shared/domain/imports/audit-entry.ts';
import type { ReadDependencies } from '../dependencies.ts';
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
  { audit, wall }: Pick<ReadDependencies, 'audit' | 'wall'>,
): Promise<void> {
  const at = new Date(wall()).toISOString();
  // Without anything that looks like a PAC.
  const described = requestedByOf({ by: caller.name, because });
  await audit.record(importId, { at, action, actorId: caller.id, ...described, details: { ...details } });
}
