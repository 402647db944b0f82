// Who did what with an import.
import type { AnswerOf } from '#shared/api/contract.ts';
import type { AuditEntry } from '#shared/read-models/answers.ts';
import { readAuditTrail } from '#shared/read-models/audit-trail.ts';
import type { ReadDependencies } from '../dependencies.ts';
import type { Call } from '../http/parse-call.ts';
import { findImport } from './find-import.ts';

type Entry = AnswerOf<'listAudit'>['entries'][number];

export async function listAudit(
  { path }: Call<'listAudit'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'listAudit'>> {
  const item = await findImport(dependencies, path.importId);
  return { entries: (await readAuditTrail(dependencies, item)).map(answerOf) };
}

const answerOf = ({ at, action, by, principal, isVerified, because, details }: AuditEntry): Entry => ({
  ...{ at, action, because, details },
  actor: { by: by ?? principal ?? 'unknown', isVerified },
});
