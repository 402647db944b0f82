// Who did what with an import.
import type { AnswerOf } from '#shared/api/contract.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import type { ReadDependencies } from '../dependencies.ts';
import type { Call } from '../http/parse-call.ts';
import { findImport } from './find-import.ts';

type Entry = AnswerOf<'listAudit'>['entries'][number];

export async function listAudit(
  { path }: Call<'listAudit'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'listAudit'>> {
  const item = await findImport(dependencies, path.importId);
  const recorded = await dependencies.audit.ofImport(item.importId);
  const entries: Entry[] = recorded.map(({ at, action, by, because, details }) => ({
    ...{ at, action, details },
    actor: { by, isVerified: true },
    because: because ?? null,
  }));
  const claimed = claimedApproval(item);
  if (claimed !== undefined && !entries.some(({ action }) => action === 'approved')) entries.push(claimed);
  return { entries: entries.sort((one, other) => (one.at < other.at ? -1 : 1)) };
}

/** An approval by the command line: its user names himself, which proves nothing. */
function claimedApproval({ approvedAt, requestedBy }: ImportItem): Entry | undefined {
  if (approvedAt === undefined) return undefined;
  const actor = { by: requestedBy?.by ?? 'unknown', isVerified: false };
  return { at: approvedAt, action: 'approved', actor, because: requestedBy?.because ?? null, details: {} };
}
