// Who did what with an import, in the order of the times: what the API recorded for signed-in people, and what the
// items of the import show about other uploads and commands.
import { type AuditEntry as RecordedEntry, requestedByOf } from '#shared/import/approval.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { RequestItem } from '#shared/request/request.ts';
import type { AccountReader } from '#shared/store/account.ts';
import type { Audit } from '#shared/store/people.ts';
import type { AuditEntry } from './answers.ts';
import { readFirst, readParts } from './parts.ts';

/** The entries of the whole import, of its file and each of its parts. Oldest first. */
export async function readAuditTrail(reader: AccountReader, audit: Audit, item: ImportItem): Promise<AuditEntry[]> {
  const first = await readFirst(reader.imports, item);
  const family = [first, ...(await readParts(first, reader.imports))];
  const found = (await Promise.all(family.map((one) => readEntries(one, reader, audit)))).flat();
  const recorded = new Set(found.flatMap(({ isRecorded, what }) => (isRecorded ? [what] : [])));
  const entries = found.filter(({ isRecorded, what }) => isRecorded || !recorded.has(what)).map(({ entry }) => entry);
  return entries.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

interface FoundEntry {
  readonly entry: AuditEntry;
  /** What was done: an entry of the API replaces what an item shows of the same. */
  readonly what: string;
  readonly isRecorded: boolean;
}

async function readEntries(item: ImportItem, { requests }: AccountReader, audit: Audit): Promise<FoundEntry[]> {
  const { importId, partOf, readWith } = item;
  const ofSettings = readWith ? await audit.withoutDownloads(readWith.savedId) : [];
  const recorded = [...ofSettings, ...(await audit.ofImport(importId))].map(recordedEntry);
  const shown = entriesOf(item);
  for await (const request of requests.ofImport(importId)) shown.push(...resolutionEntry(request));
  const foundOf = (entries: readonly AuditEntry[], isRecorded: boolean) =>
    entries.map((entry) => ({
      entry: partOf === undefined ? entry : { ...entry, details: { import: importId, ...entry.details } },
      what: entry.action === 'rescheduled' ? whatOf(entry) : `${importId} ${whatOf(entry)}`,
      isRecorded,
    }));
  return [...foundOf(recorded, true), ...foundOf(shown, false)];
}

/** An import is approved, moved and resolved more than once, and not always with the API. */
function whatOf({ action, by: name, details }: AuditEntry): string {
  // As items have it.
  const { by } = requestedByOf({ by: name ?? undefined });
  if (action === 'approved') return JSON.stringify([action, details.planHash, by]);
  if (action === 'rescheduled') return JSON.stringify([action, details.import]);
  if (action === 'resolved') return JSON.stringify([action, details.request, details.resolution, by]);
  return action;
}

const recordedEntry = ({ at, action, actorId, by, because, details }: RecordedEntry): AuditEntry => ({
  at,
  action,
  by,
  details,
  principal: actorId,
  isVerified: true,
  sourceIp: null,
  because: because ?? null,
});

interface Person {
  readonly by?: string;
  readonly because?: string | undefined;
  readonly principal?: string | undefined;
}

type Done = Pick<AuditEntry, 'at' | 'action' | 'details'>;

/** A person names themselves; only a principal comes from AWS. */
const entryOf = (done: Done, { by, because, principal }: Person = {}): AuditEntry => ({
  ...done,
  by: by ?? null,
  because: because ?? null,
  principal: principal ?? null,
  isVerified: principal !== undefined,
  sourceIp: null,
});

function entriesOf(item: ImportItem): AuditEntry[] {
  const { approvedAt, requestedBy, declinedApproval: declined, planHash } = item;
  const entries = [beginningOf(item)];
  if (declined !== undefined) {
    const details = { reason: declined.reason };
    entries.push(entryOf({ at: declined.at, action: 'approval-declined', details }, declined));
  }
  if (approvedAt !== undefined) {
    entries.push(entryOf({ at: approvedAt, action: 'approved', details: planHash ? { planHash } : {} }, requestedBy));
  }
  return entries;
}

function beginningOf(item: ImportItem): AuditEntry {
  const { key, receivedAt: at, uploadedBy, requestedBy, reschedules, adoptedPort: port } = item;
  if (port !== undefined) return entryOf({ at, action: 'adopted', details: { port } }, requestedBy);
  return reschedules === undefined ? uploadEntry(key, at, uploadedBy) : rescheduleEntry(item);
}

const uploadEntry = (file: string, at: string, uploadedBy: ImportItem['uploadedBy']): AuditEntry => ({
  ...entryOf({ at, action: 'uploaded', details: { file } }, { principal: uploadedBy?.principal }),
  sourceIp: uploadedBy?.sourceIp ?? null,
});

const rescheduleEntry = ({ importId, receivedAt: at, requestedBy, reschedules }: ImportItem): AuditEntry => {
  const details = { import: importId, of: reschedules?.importId ?? '', date: reschedules?.date ?? '' };
  return entryOf({ at, action: 'rescheduled', details }, requestedBy);
};

function resolutionEntry({ request, resolution }: RequestItem): AuditEntry[] {
  if (resolution === undefined) return [];
  const details = { request: String(request), resolution: resolution.what };
  return [entryOf({ at: resolution.at, action: 'resolved', details }, resolution)];
}
