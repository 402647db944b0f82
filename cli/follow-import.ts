// An import from the moment its file is sent to the moment nothing more happens by itself, with progress on the way.

import type { ImportItem, Tally } from '#shared/domain/ledger.ts';
import { portStatus } from '#shared/domain/lifecycle.ts';
import { Failure } from './failure.ts';
import { hint } from './hint.ts';
import type { Progress, Stage } from './output/progress.ts';
import { count, counted } from './output/text.ts';
import type { Session } from './session.ts';
import type { Target } from './target.ts';
import { type Uploaded, type UploadOrder, uploadFile } from './upload.ts';

const lookEveryMs = { ephemeral: 250, engine: 500, stack: 2_000 } as const;
/** An event may wait behind other files; beyond this somebody should look why. */
const patienceMs = 5 * 60_000;
const recentImports = 50;
const stallMs = 60_000;

/** Uploads the file and waits until the pipeline has recorded it as an import. */
export async function sendFile(
  session: Session,
  target: Target,
  order: UploadOrder,
  progress: Progress,
): Promise<ImportItem> {
  const { account } = target.resources;
  const before = new Set((await target.imports.list(account, { limit: recentImports })).map((item) => item.importId));
  const uploaded = await uploadFile(session, target, order, (sent, total) => progress.show([uploadStage(sent, total)]));
  const giveUpAt = session.clock() + patienceMs;
  while (session.clock() < giveUpAt) {
    const recent = await target.imports.list(account, { limit: recentImports });
    const ours = recent.find((item) => !before.has(item.importId) && isOf(item, uploaded));
    if (ours !== undefined) return ours;
    await session.wait(lookEveryMs[target.kind]);
  }
  throw new Failure(`${uploaded.key} was uploaded, but after five minutes the pipeline has not begun to read it.`, {
    advice: `Look again later: ${hint('imports')}. If it never appears, read the log of ingest.`,
  });
}

const isOf = (item: ImportItem, { key, etag, versionId }: Uploaded): boolean =>
  item.key === key && item.etag === etag && (versionId === undefined || item.versionId === versionId);

/** Looks at the import again and again until `enough` says so; answers it as it then stands. */
export async function followImport(
  session: Pick<Session, 'clock' | 'wait' | 'terminal'>,
  target: { readonly kind: Target['kind']; readonly imports: Pick<Target['imports'], 'get'> },
  first: ImportItem,
  enough: (item: ImportItem) => boolean,
  progress: Progress,
): Promise<ImportItem> {
  const warn = stallWarning(session);
  let item = first;
  for (;;) {
    progress.show(importStages(item));
    if (enough(item)) break;
    warn(item);
    await session.wait(lookEveryMs[target.kind]);
    item = (await target.imports.get(item.importId)) ?? item;
  }
  progress.finish();
  return item;
}

/** Reading shows progress every few seconds, so silence means that ingest fails: said once. Ports may rest for days. */
function stallWarning({ clock, terminal }: Pick<Session, 'clock' | 'terminal'>): (item: ImportItem) => void {
  let changedAt = '';
  let seenAt = clock();
  let said = false;
  return (item) => {
    if (item.changedAt !== changedAt) {
      changedAt = item.changedAt;
      seenAt = clock();
    }
    if (said || item.state !== 'planning' || clock() - seenAt < stallMs) return;
    said = true;
    terminal.note('The file has not been read any further for a minute: the log of ingest may say why.');
  };
}

/** The file was read to its end, and what will be sent is known. */
export const isPlanned = ({ state }: ImportItem): boolean => state !== 'planning';

/** Nothing more happens by itself: it has ended, or every port that has not waits for a person. */
export function isSettled(item: ImportItem): boolean {
  const { state, planOnly, approvedAt, requests, ports, requestCount, attention } = item;
  if (state === 'refused' || state === 'completed') return true;
  // Every file is planned before it is released; only a plan that was asked for ends there.
  if (state === 'planned') return planOnly && approvedAt === undefined;
  if (state !== 'following') return false;
  const counted = sum(requests) >= requestCount && sum(ports) >= (requests.created ?? 0);
  // A port that was mended keeps its status until it has been checked again: then nobody is waited for.
  const isAtRest = (name: string) => portStatus(name).terminal || (attention > 0 && portStatus(name).attention);
  return counted && Object.keys(ports).every(isAtRest);
}

/** Rows were left out, or somebody has to do something. */
export const needsSomebody = ({ state, rejected, attention, withdrawnRows, requests, drift }: ImportItem): boolean =>
  state === 'refused' ||
  rejected + attention + withdrawnRows + (requests.refused ?? 0) + (requests['needs-human'] ?? 0) > 0 ||
  (drift?.sims ?? 0) > 0;

const uploadStage = (sent: number, total: number): Stage => ({
  name: 'Upload',
  share: total === 0 ? 1 : sent / total,
  detail: `${count(Math.ceil(sent / 1024))} of ${count(Math.ceil(total / 1024))} KB`,
});

const endedRequests = ['created', 'accepted', 'refused', 'withdrawn', 'needs-human'];

function importStages(item: ImportItem): Stage[] {
  const { state, rows, rejected, requests, ports, requestCount } = item;
  const read: Stage = {
    name: 'Read',
    share: state === 'planning' ? undefined : 1,
    detail: `${counted(rows, 'row')}, ${count(rejected)} rejected`,
  };
  if (state === 'planning' || state === 'planned' || state === 'refused')
    return [uploadStage(item.bytes, item.bytes), read];
  const made = sum(ports);
  const ended = sumOf(ports, (name) => portStatus(name).terminal);
  return [
    uploadStage(item.bytes, item.bytes),
    read,
    {
      name: 'Submit',
      share: requestCount === 0 ? 1 : sumOf(requests, (name) => endedRequests.includes(name)) / requestCount,
      detail: tallyText(requests) || counted(requestCount, 'request'),
    },
    { name: 'Ports', share: made === 0 ? 0 : ended / made, detail: tallyText(ports) },
  ];
}

/** `created 12, refused 1`, the most first. */
export const tallyText = (tally: Tally): string =>
  Object.entries(tally)
    .filter(([, many]) => many > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([name, many]) => `${name} ${count(many)}`)
    .join(', ');

const sum = (tally: Tally): number => sumOf(tally, () => true);

function sumOf(tally: Tally, counts: (name: string) => boolean): number {
  return Object.entries(tally).reduce((total, [name, many]) => total + (counts(name) ? many : 0), 0);
}
