// Who did what with an import: written once, never changed.
import * as z from 'zod/mini';

export const auditActions = [
  ...(['uploaded', 'approved', 'stopped', 'resumed', 'rescheduled', 'cancelled', 'corrected'] as const),
  ...(['resolved', 'adopted', 'archived', 'restored', 'dismissed'] as const),
  /** How files with a certain header are read. */
  ...(['settings-saved', 'settings-deleted'] as const),
  /** A person received a link to a file, which whoever has it can use until it ends. */
  'downloaded',
] as const;

export const auditEntry = z.object({
  at: z.iso.datetime(),
  action: z.enum(auditActions),
  /** The subject of the token, which never changes, and the name for people. */
  actorId: z.string(),
  by: z.string(),
  because: z.optional(z.string()),
  /** What it was about, such as the new import or the request. */
  details: z.record(z.string(), z.string()),
});
export type AuditEntry = z.infer<typeof auditEntry>;
