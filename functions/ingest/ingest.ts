// One uploaded file becomes an import: recorded, planned, and released. A repeated event finds the import and either goes
// on where a crash left it or does nothing.
import type { Files, ObjectHead } from '#shared/aws/files.ts';
import type { Imports } from '#shared/aws/imports.ts';
import { importId } from '#shared/domain/identity.ts';
import type { Issue, IssueCode } from '#shared/domain/issue.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { AccountSettings, Operation } from '#shared/operations/operation.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { type InboxKey, readInboxKey, readWishes, type UploadWishes } from './inbox-key.ts';
import { OutOfTime, reserveMs } from './out-of-time.ts';
import { type PlanLimits, type Planned, planImport } from './plan.ts';
import { portsInTime } from './ports-in-time.ts';
import { type ReleaseDependencies, release } from './release.ts';
import type { Counts } from './tally.ts';

/** What the event said of one object; `sequencer` tells two uploads of the same bytes apart where there are no versions. */
export interface UploadedObject {
  readonly bucket: string;
  readonly key: string;
  readonly etag?: string | undefined;
  readonly versionId?: string | undefined;
  readonly sequencer?: string | undefined;
}

export interface IngestDependencies extends ReleaseDependencies {
  readonly files: Pick<Files, 'head' | 'open' | 'read'>;
  readonly imports: Pick<Imports, 'begin' | 'get' | 'update'>;
  readonly operations: ReadonlyMap<string, Operation>;
  /** A catalogue that nobody has asked yet. */
  readonly openCatalogue: () => Catalogue;
  readonly account: number;
  readonly settings: AccountSettings;
  readonly limits: PlanLimits & { readonly maxFileBytes: number };
  readonly resultsBucket: string;
  readonly calendar: Clock;
  readonly wall: Clock;
}

/** Another delivery of the same event has finished the plan meanwhile. */
class PlannedElsewhere extends Error {
  override readonly name = 'PlannedElsewhere';
}

const progressEveryMs = 5_000;
const advice = 'split the file';

/**
 * Ingests one object version. undefined: there is nothing to import, because the object is no upload of a user or is gone.
 * @param remainingMs the time left for this invocation, in milliseconds
 * @throws OutOfTime, ReleaseHalted, and whatever S3, the table, the queue or the catalogue throw; then the event is to be repeated
 */
export async function ingest(
  object: UploadedObject,
  remainingMs: () => number,
  dependencies: IngestDependencies,
): Promise<ImportItem | undefined> {
  const inboxKey = readInboxKey(object.key);
  if (inboxKey === undefined) return undefined;
  const { bucket, key, etag, versionId } = object;
  const version = versionId ?? `${etag ?? ''}.${object.sequencer ?? ''}`;
  const id = importId({ bucket, key, version });
  const head = await dependencies.files.head({ bucket, key, versionId, etag });
  if (head === undefined) return refuseGone(id, dependencies);

  const wishes = readWishes(head.metadata);
  const supersededBy = versionId === undefined ? undefined : await laterImport(object, dependencies);
  const fresh = newImport(id, head, inboxKey, wishes, dependencies);
  const begun = await dependencies.imports.begin(supersededBy === undefined ? fresh : { ...fresh, supersededBy });
  const { item } = begun;
  if (item.state === 'planning') return planAndRelease(item, head, inboxKey, wishes, remainingMs, dependencies);
  return releaseStanding(item, remainingMs, dependencies);
}

/**
 * The import of the version that stands in the object's place by now (fault 2). Both are imported: each was dropped to be,
 * and a number in both is in one request only; but people are told which of them is out of date.
 */
async function laterImport(
  { bucket, key, versionId }: UploadedObject,
  { files }: Pick<IngestDependencies, 'files'>,
): Promise<string | undefined> {
  const latest = await files.head({ bucket, key });
  if (latest?.versionId === undefined || latest.versionId === versionId) return undefined;
  return importId({ bucket, key, version: latest.versionId });
}

/** Nothing holds the plan back: it was dropped to be sent, or a person approved it. */
const isReleased = ({ state, planOnly, approvedAt }: ImportItem): boolean =>
  state === 'submitting' || (state === 'planned' && (!planOnly || approvedAt !== undefined));

function newImport(
  id: string,
  head: ObjectHead,
  { folder, planOnly }: InboxKey,
  wishes: UploadWishes,
  { account, operations, now }: IngestDependencies,
): ImportItem {
  const { bucket, key, versionId, etag, bytes } = head;
  return {
    importId: id,
    account,
    operation: operations.get(folder)?.name ?? null,
    state: 'planning',
    bucket,
    key,
    ...(versionId === undefined ? {} : { versionId }),
    etag,
    bytes,
    planOnly: planOnly || wishes.planOnly,
    receivedAt: now(),
    changedAt: now(),
    rows: 0,
    accepted: 0,
    rejected: 0,
    warnings: 0,
    requestCount: 0,
    issues: [],
    requests: {},
    ports: {},
    attention: 0,
    withdrawnRows: 0,
  };
}

async function planAndRelease(
  item: ImportItem,
  head: ObjectHead,
  inboxKey: InboxKey,
  wishes: UploadWishes,
  remainingMs: () => number,
  dependencies: IngestDependencies,
): Promise<ImportItem | undefined> {
  const operation = dependencies.operations.get(inboxKey.folder);
  const problem = unreadable(head, inboxKey, wishes, dependencies);
  if (operation === undefined || problem !== undefined) {
    return refuse(item.importId, { issues: problem === undefined ? [] : [problem] }, dependencies);
  }
  const planned = await planUnlessElsewhere(item, operation, wishes, remainingMs, dependencies);
  // Planned by another delivery, which may die before it releases, when this one's message is gone.
  if (planned === undefined) {
    return releaseStanding(await dependencies.imports.get(item.importId), remainingMs, dependencies);
  }
  const { refusal, requestCount, ...counts } = planned;
  if (refusal !== undefined) return refuse(item.importId, counts, dependencies);

  const changes = { ...counts, issues: [...counts.issues], requestCount, changedAt: dependencies.now() };
  const sealed = await dependencies.imports.update(item.importId, { ...changes, state: 'planned' }, ['planning']);
  // Not sealed by this update: by another delivery, or by this very one, when an answer of the table was lost on the way.
  return releaseStanding(sealed ?? (await dependencies.imports.get(item.importId)), remainingMs, dependencies);
}

const releaseStanding = async (
  item: ImportItem | undefined,
  remainingMs: () => number,
  dependencies: IngestDependencies,
): Promise<ImportItem | undefined> =>
  item !== undefined && isReleased(item) ? release(item, remainingMs, dependencies) : item;

/** Why the file is not even opened. */
function unreadable(
  head: ObjectHead,
  inboxKey: InboxKey,
  wishes: UploadWishes,
  dependencies: IngestDependencies,
): Issue | undefined {
  const { operations, limits } = dependencies;
  const refusal = (code: IssueCode, message: string): Issue => ({
    line: 0,
    column: null,
    severity: 'error',
    code,
    message,
  });
  if (!operations.has(inboxKey.folder)) {
    const place = inboxKey.folder === '' ? 'the file is in no folder' : `there is no operation "${inboxKey.folder}"`;
    const known = [...operations.keys()].join(', ');
    return refusal('FILE_UNKNOWN_OPERATION', `${place}; the folders are ${known}, and plan/ before any of them`);
  }
  if (!inboxKey.isCsv) return refusal('FILE_NOT_CSV', 'the name of the file does not end in .csv');
  if (wishes.problem !== undefined) return refusal('FILE_THRESHOLD_EXCEEDED', wishes.problem);
  if (head.bytes === 0) return refusal('FILE_EMPTY', 'the file is empty: it has 0 bytes');
  if (head.bytes <= limits.maxFileBytes) return undefined;
  return refusal(
    'FILE_TOO_LARGE',
    `the file has ${head.bytes} bytes, and at most ${limits.maxFileBytes} are read: split it`,
  );
}

async function planUnlessElsewhere(
  item: ImportItem,
  operation: Operation,
  wishes: UploadWishes,
  remainingMs: () => number,
  dependencies: IngestDependencies,
): Promise<Planned | undefined> {
  const { files, imports, limits, settings, calendar, workBucket, resultsBucket } = dependencies;
  const { importId: id, bucket, key, versionId, etag } = item;
  const stop = () => new OutOfTime(id, 'while its ports were looked up, a call each', advice);
  const catalogue = portsInTime(dependencies.openCatalogue(), remainingMs, stop);
  const tolerated = wishes.toleratedFailurePercentage ?? limits.toleratedFailurePercentage;
  try {
    return await planImport(files, {
      importId: id,
      object: { bucket, key, versionId, etag },
      operation,
      defaults: wishes.defaults,
      limits: { ...limits, toleratedFailurePercentage: tolerated },
      context: { catalogue, settings, calendar },
      buckets: { work: workBucket, results: resultsBucket },
      onProgress: watched(id, remainingMs, dependencies),
      onRead: async () => {
        const { state } = (await imports.get(id)) ?? item;
        if (state !== 'planning') throw new PlannedElsewhere(`import ${id} is in state ${state} already`);
      },
    });
  } catch (thrown) {
    if (thrown instanceof PlannedElsewhere) return undefined;
    throw thrown;
  }
}

/** Tells a watcher every few seconds how many rows were read, and stops while there is time to clean up. */
function watched(id: string, remainingMs: () => number, { imports, wall, now }: IngestDependencies) {
  let told = wall();
  return async ({ rows, accepted, rejected, warnings }: Counts): Promise<void> => {
    if (remainingMs() < reserveMs) throw new OutOfTime(id, `after ${rows} rows`, advice);
    if (wall() - told < progressEveryMs) return;
    told = wall();
    await imports.update(id, { rows, accepted, rejected, warnings, changedAt: now() }, ['planning']);
  };
}

async function refuse(
  id: string,
  { issues, ...counts }: Partial<Counts> & { readonly issues: readonly Issue[] },
  { imports, now }: IngestDependencies,
): Promise<ImportItem | undefined> {
  const changes: Partial<ImportItem> = { ...counts, issues: [...issues], state: 'refused', changedAt: now() };
  return (await imports.update(id, changes, ['planning'])) ?? imports.get(id);
}

/** Only an import that was begun has somebody waiting for it. */
async function refuseGone(id: string, dependencies: IngestDependencies): Promise<ImportItem | undefined> {
  const begun = await dependencies.imports.get(id);
  if (begun?.state !== 'planning') return begun;
  const message = 'the file was deleted or overwritten before it could be read: drop it again';
  const issue: Issue = { line: 0, column: null, code: 'FILE_GONE', severity: 'error', message };
  return refuse(id, { issues: [issue] }, dependencies);
}
