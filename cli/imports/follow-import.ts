// Follows an import: from the upload of its file until nothing more happens without a person, with progress.

import type { ImportItem } from '#shared/import/import.ts';
import { isReleased, mayBeSent } from '#shared/import/import-state.ts';
import { describeOutcomes, problemOutcomes } from '#shared/outcome/outcome.ts';
import { portStatus } from '#shared/port/port-status.ts';
import type { ImportProgress } from '#shared/results/answers.ts';
import { readRowParts } from '#shared/results/parts.ts';
import { type RootProgress, readRootProgress } from '#shared/results/progress.ts';
import type { Tally } from '#shared/text/stored-values.ts';
import { count, counted } from '#shared/text/wording.ts';
import { type CliContext, waitFor } from '../context/cli-context.ts';
import { CliError } from '../context/cli-error.ts';
import { type ExitCode, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import type { Progress, ProgressStep } from '../output/terminal.ts';
import type { Session } from '../target/target.ts';
import { formatTally } from '../views/import-view.ts';
import { type UploadedFile, type UploadRequest, uploadFile } from './upload.ts';

const firstPollMs = 25;
const mostPollMs = { temporary: 250, emulator: 500, stack: 2_000 } as const;
/** An event can wait behind other files, rarely for longer than this. */
const uploadTimeoutMs = 5 * 60_000;
const recentImports = 50;
const stallMs = 60_000;

/** Progress for a person; none with `--json`. */
export const openProgress = ({ json, terminal }: CliContext): Progress | undefined =>
  json ? undefined : terminal.progress();

/** Uploads the file and waits until the pipeline has recorded it as an import. */
export async function uploadImport(
  session: Session,
  request: UploadRequest,
  progress: Progress | undefined,
): Promise<ImportItem> {
  const { signal, terminal, target } = session;
  const { imports } = target;
  const listed = await imports.list({ limit: recentImports });
  const uploaded = await uploadFile(session, request, (sent, total) => progress?.show([uploadStep(sent, total)]));
  const advice = `To find its import: ${nextCommand('imports')}`;
  const note = () => terminal.note(`\nThe file was uploaded, and simporter reads it. ${advice}`);
  if (target.kind !== 'temporary') signal.addEventListener('abort', note, { once: true });
  try {
    return await waitForImport(session, uploaded, new Set(listed.map(({ importId }) => importId)));
  } finally {
    signal.removeEventListener('abort', note);
  }
}

/**
 * @param before the ids of imports that were there before the upload
 * @throws CliError when the pipeline does not begin to read the file
 */
export async function waitForImport(
  session: Session,
  uploaded: UploadedFile,
  before: ReadonlySet<string>,
): Promise<ImportItem> {
  const { clock, terminal, target } = session;
  const warnOfStall = createStallWarning(clock, terminal.note);
  const readFound = async () => {
    const recent = await target.imports.list({ limit: recentImports });
    const found = recent.find((item) => !before.has(item.importId) && isOf(item, uploaded));
    if (found === undefined) warnOfStall({ state: 'planning', changedAt: '' });
    return found;
  };
  const tooLate = (): Error =>
    new CliError(`${uploaded.key} was uploaded, but the pipeline has not started to read it for five minutes.`, {
      advice: `Check again later: ${nextCommand('imports')}. If it never appears, read the log of ingest.`,
    });
  return waitFor(session, readFound, pausesOf(session), { withinMs: uploadTimeoutMs, tooLate });
}

const isOf = (item: ImportItem, { key, etag, versionId }: UploadedFile): boolean =>
  item.key === key && item.etag === etag && (versionId === undefined || item.versionId === versionId);

/** Reads the import repeatedly until `isEnough`, or until no port moves without a person, and returns it. */
export async function followImport(
  session: Session,
  first: ImportItem,
  isEnough: (item: ImportItem) => boolean,
  progress: Progress | undefined,
): Promise<ImportItem> {
  const { clock, terminal, target } = session;
  const warnOfStall = createStallWarning(clock, terminal.note);
  const readProgress = createProgressReader(session);
  const hasPaused = createPauseCheck(session);
  let read: ImportItem | undefined;
  const readEnd = async () => {
    const item: ImportItem = read === undefined ? first : ((await target.imports.get(read.importId)) ?? read);
    read = item;
    progress?.show(importSteps(item, await readProgress(item)));
    if (isEnough(item)) return { item, isPaused: false };
    if (await hasPaused(item)) return { item, isPaused: true };
    warnOfStall(item);
    return undefined;
  };
  const { item, isPaused } = await waitFor(session, readEnd, pausesOf(session));
  progress?.finish();
  if (isPaused) terminal.note(`The calendar is paused, so no port moves. To see what to do: ${nextCommand('actions')}`);
  return item;
}

/** Follows an import with its parts that send rows: a moved port goes on after the first import has ended. */
export async function followFamily(
  session: Session,
  first: ImportItem,
  progress: Progress | undefined,
): Promise<ImportItem> {
  const { imports } = session.target;
  let item = await followImport(session, first, isWatchOver, progress);
  for (const part of await readRowParts(item, imports)) {
    await followImport(session, part, isWatchOver, progress);
    item = (await imports.get(item.importId)) ?? item;
  }
  return item;
}

/** A small file is answered at once, and a large one costs few reads. */
export const pausesOf = ({ target }: Session) => ({ firstMs: firstPollMs, mostMs: mostPollMs[target.kind] });

/** Counting the rows of a large import takes a while, so it takes at most a tenth of the time. */
const progressShare = 10;

function createProgressReader({ clock, target }: Session): (item: ImportItem) => Promise<ImportProgress | undefined> {
  let read: ImportProgress | undefined;
  let readChange = '';
  let nextReadAt = Number.NEGATIVE_INFINITY;
  return async (item) => {
    if (item.changedAt === readChange || clock() < nextReadAt || !isReleased(item)) return read;
    const startedAt = clock();
    read = (await readRootProgress(target, item)).shown;
    readChange = item.changedAt;
    nextReadAt = clock() + progressShare * (clock() - startedAt);
    return read;
  };
}

/** Ingest records progress every few seconds, so a minute without any means that it fails. Warns once. */
function createStallWarning(
  clock: () => number,
  note: (line: string) => void,
): (item: { readonly state: ImportItem['state']; readonly changedAt: string }) => void {
  let changedAt = '';
  let readAt = clock();
  let isWarned = false;
  return (item) => {
    if (item.changedAt !== changedAt) {
      changedAt = item.changedAt;
      readAt = clock();
    }
    if (isWarned || item.state !== 'planning' || clock() - readAt < stallMs) return;
    isWarned = true;
    note('Reading the file has made no progress for a minute: the log of ingest may contain the reason.');
  };
}

/** The calendar of `start` pauses while a person must act, and runs again a second after an import was added. */
const pauseMs = 5_000;

/** Whether the ports of the import wait for a paused calendar, and not only for a moment. */
function createPauseCheck({ clock, target }: Session): (item: ImportItem) => Promise<boolean> {
  let pausedAt: number | undefined;
  return async ({ state }) => {
    if ((state !== 'in-progress' && state !== 'scheduled') || !(await target.isPaused?.())) {
      pausedAt = undefined;
      return false;
    }
    pausedAt ??= clock();
    return clock() - pausedAt >= pauseMs;
  };
}

/** The file was read to its end, and the plan is known. */
export const isPlanned = ({ state }: ImportItem): boolean => state !== 'planning';

/** Nothing more happens without a person: the import ended, or each unfinished port requires an action. */
export function isWatchOver(item: ImportItem): boolean {
  const { state, requests, ports, requestCount, actionRequired } = item;
  if (state === 'rejected' || state === 'finished' || state === 'stopped') return true;
  // Every import passes through `planned`; only one that waits for approval stays there.
  if (state === 'planned') return !mayBeSent(item);
  // Without ports, the services of SIMs are read back: then the import finishes by itself.
  if (state !== 'in-progress' || Object.keys(ports).length === 0) return false;
  const isCounted = sum(requests) >= requestCount && sum(ports) >= (requests.created ?? 0);
  // A corrected port keeps its status until the service has checked it again: then no row requires an action.
  const isWaiting = (name: string) =>
    portStatus(name).terminal || (actionRequired > 0 && portStatus(name).actionRequired);
  return isCounted && Object.keys(ports).every(isWaiting);
}

/** 1 when rows were rejected, or the whole file. */
export const planExitCode = ({ rejected, duplicates = 0, state }: ImportItem): ExitCode =>
  rejected > duplicates || state === 'rejected' ? exitCodes.actionRequired : exitCodes.done;

/** 1 when rows were rejected, skipped or declined, or when an action is required. */
export function importExitCode(item: ImportItem): ExitCode {
  const { state, rejected, duplicates = 0, actionRequired, skippedRows, requests, mismatches, progress } = item;
  // These include rows that were declined by name, while the others of their request were sent.
  const { declined = 0 } = progress?.outcomes ?? {};
  const rows = rejected - duplicates + actionRequired + skippedRows + declined + (mismatches?.sims ?? 0);
  const requestsWithProblems = (requests.declined ?? 0) + (requests['action-required'] ?? 0);
  return state === 'rejected' || state === 'stopped' || rows + requestsWithProblems > 0
    ? exitCodes.actionRequired
    : exitCodes.done;
}

/** As `importExitCode`, but for the rows of the first file where files correct each other. */
export function familyExitCode(item: ImportItem, { root, progress: { outcomes } }: RootProgress): ExitCode {
  if (!root.hasParts) return importExitCode(item);
  const hasProblems = problemOutcomes.some((outcome) => (outcomes[outcome] ?? 0) > 0);
  return item.state === 'rejected' || hasProblems ? exitCodes.actionRequired : exitCodes.done;
}

const uploadStep = (sent: number, total: number): ProgressStep => ({
  name: 'Upload',
  share: total === 0 ? 1 : sent / total,
  detail: `${count(Math.ceil(sent / 1024))} of ${count(Math.ceil(total / 1024))} KB`,
});

const finalRequestStates = ['created', 'accepted', 'declined', 'skipped', 'action-required'];

function importSteps(item: ImportItem, progress: ImportProgress | undefined): ProgressStep[] {
  const { state, rows, rejected, duplicates = 0, accepted, requests, requestCount } = item;
  const read: ProgressStep = {
    name: 'Read',
    share: state === 'planning' ? undefined : 1,
    detail: `${counted(rows, 'row')}, ${count(rejected - duplicates)} rejected`,
  };
  // The rows of a declined request are sent again in further ones.
  const sent = Math.max(requestCount, sum(requests));
  const submit: ProgressStep = {
    name: 'Submit',
    share: sent === 0 ? 1 : sumOf(requests, (name) => finalRequestStates.includes(name)) / sent,
    detail: formatTally(requests) || counted(requestCount, 'request'),
  };
  const steps = [uploadStep(item.bytes, item.bytes), read, ...(isReleased(item) ? [submit] : [])];
  if (progress === undefined) return steps;
  const { outcomes, expectedDate } = progress;
  const open = ['waiting', 'scheduled', 'in-progress', 'action-required'] as const;
  const unfinished = open.reduce((rows, outcome) => rows + (outcomes[outcome] ?? 0), 0);
  const expected = expectedDate === undefined ? '' : `, expected ${expectedDate}`;
  const share = accepted === 0 ? 1 : 1 - unfinished / accepted;
  return [
    ...steps,
    { name: 'Numbers', share, detail: `${describeOutcomes(progress.outcomes, item.rows, item.operation)}${expected}` },
  ];
}

const sum = (tally: Tally): number => sumOf(tally, () => true);

function sumOf(tally: Tally, isCounted: (name: string) => boolean): number {
  return Object.entries(tally).reduce((total, [name, many]) => total + (isCounted(name) ? many : 0), 0);
}

const pollMs = 250;
const timeoutMs = 60_000;

/**
 * Waits for the import that a command to ingest creates.
 * @param isMade whether it shows what the command did. @throws CliError after a minute
 */
export async function awaitImport(
  session: Session,
  importId: string,
  isMade: (item: ImportItem) => boolean = () => true,
): Promise<ImportItem> {
  const readMade = async () => {
    const item = await session.target.imports.get(importId);
    return item !== undefined && isMade(item) ? item : undefined;
  };
  const tooLate = (): Error =>
    new CliError('The command was sent, but ingest has not carried it out for a minute.', {
      advice: `Check again later: ${nextCommand('status', importId)}. If it never appears, read the log of ingest.`,
    });
  return waitFor(session, readMade, { firstMs: pollMs }, { withinMs: timeoutMs, tooLate });
}
