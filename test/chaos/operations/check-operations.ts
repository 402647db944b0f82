// The invariants of the other operations when everything has finished: each request was executed exactly once or
// requires action, and nothing else was done.
import { parse } from 'csv-parse/sync';
import type { ImportItem } from '#shared/import/import.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import type { Port } from '#simulator/ports/port.ts';
import type { Submission } from '#simulator/store/store.ts';
import { isCutOff } from '../invariants.ts';
import { buckets } from '../pipeline.ts';
import type { World } from '../world.ts';
import { askedOf, isFor, type RequestedBy } from './asked.ts';
import { type Corrections, checkCorrections } from './corrections.ts';
import { type Day, type Job, neverMade } from './jobs.ts';

const which = ({ item }: RequestedBy): string => `request ${item.request} of ${item.operation} (${item.state})`;

export interface Happened extends Day {
  readonly unusable: ReadonlySet<string>;
  /** The files whose import a person stopped. */
  readonly stops: readonly Job[];
  /** Whether a person moved the ports: then their changes may come too late. */
  readonly isMoved: boolean;
}

export async function checkOperations(
  day: Happened,
  corrections: Corrections,
  ports: readonly Port[],
  world: World,
): Promise<string[]> {
  const all = askedOf(world);
  const asked = all.filter(({ item }) => item.operation !== 'create-port');
  const submissions = await world.network.submissions();
  const changes = asked.filter(({ item }) => ['update-port', 'cancel-port'].includes(item.operation));
  const tickets = asked.filter((each) => !changes.includes(each));
  return [
    ...[corrections.first, ...day.jobs].flatMap((job) => checkFile(job, day, world)),
    ...checkCorrections(corrections, submissions, world),
    ...all.flatMap((each) => checkEnd(each, world)),
    ...tickets.flatMap((each) => checkTicket(each, day, submissions)),
    ...day.jobs.flatMap((job) => checkRows(job, day, { submissions, ports }, world)),
    ...changes.flatMap((each) => checkChange(each, day, ports)),
    ...submissions.filter((done) => !tickets.some((each) => isOf(each, done))).map(nobodyAsked),
    ...checkOthers(day, ports),
  ];
}

const isOf = (asked: RequestedBy, { operation, body }: Submission): boolean => isFor(asked, operation, body);
const nobodyAsked = ({ operation }: Submission): string => `I2 no request for this ${operation}`;

/** Its port was moved, so it changes nothing, or not all. */
const mayBeLate = ({ key }: Pick<Job, 'key'>, { isMoved }: Happened): boolean =>
  isMoved && /^(?:plan\/)?(?:update|cancel)-port\//.test(key);

function checkFile({ key, rows }: Job, day: Happened, { table }: World): string[] {
  const item = table.items().find((each) => each.sk === 'import' && each.key === key) as unknown as
    | ImportItem
    | undefined;
  if (item === undefined) return [`I8 ${key} never became an import`];
  if (item.state === 'rejected' && mayBeLate({ key }, day)) return [];
  // As in the simulation of Create Port: three crashes reject the file with the reason, and nothing of it is sent.
  if (isCutOff(item)) {
    const own = table.items().filter(({ importId, request }) => importId === item.importId && request !== undefined);
    return own.length === 0 ? [] : [`I2 rejected import ${item.importId} has requests`];
  }
  const wrong = item.rows !== rows ? [`I1 ${key} has ${rows} rows, and ${item.rows} were read`] : [];
  // A file in which every row requires action is not finished.
  return ['finished', 'in-progress'].includes(item.state) ? wrong : [...wrong, `I8 ${key} stays ${item.state}`];
}

function partOf({ importId }: RequestedBy['item'], { table }: World): ImportItem['partOf'] {
  const item = table.items().find((each) => each.sk === 'import' && each.importId === importId);
  const part = (item as unknown as ImportItem | undefined)?.partOf;
  return part?.kind === 'move' ? part : undefined;
}

/** No request is in progress, and every unknown outcome requires action. */
function checkEnd(asked: RequestedBy, world: World): string[] {
  const { bucket } = world;
  const { item } = asked;
  if (['planned', 'in-flight', 'unknown'].includes(item.state)) return [`I8 ${which(asked)} never ended`];
  if (item.state !== 'action-required') return [];
  // The rows of a move are in the results of its first file.
  const { importId = item.importId } = partOf(item, world) ?? {};
  const text = bucket.text(buckets.results, `imports/${importId}/results.csv`);
  const rows: { outcome: string }[] = parse(text, { columns: true, bom: true });
  // In the order of the file. The column `line` of a correction is that of the first file.
  const lines = rows.map(({ outcome }, index) => ({ line: index + 2, outcome }));
  const sent = unpackLines(item.lines ?? '');
  const silent = lines.filter(({ line, outcome }) => sent.includes(line) && outcome !== 'action-required');
  return silent.map(({ line, outcome }) => `I4 ${which(asked)}: line ${line} is reported as ${outcome}`);
}

interface AtService {
  readonly submissions: readonly Submission[];
  readonly ports: readonly Port[];
}

/**
 * Conservation, by what people see and what the service has, without the ledger: every row has one end, which agrees
 * with the service, and none waits.
 */
function checkRows(job: Job, day: Happened, there: AtService, world: World): string[] {
  const item = world.table.items().find((each) => each.sk === 'import' && each.key === job.key);
  if (item === undefined || isCutOff(item as unknown as ImportItem)) return [];
  if (item.state === 'rejected' && mayBeLate(job, day)) return [];
  const text = world.bucket.text(buckets.results, `imports/${item.importId}/results.csv`);
  const rows: Record<string, string>[] = parse(text, { columns: true, bom: true });
  const wrong = rows.length === job.rows ? [] : [`I1 results.csv of ${job.key} has ${rows.length} rows`];
  return [...wrong, ...rows.flatMap((row) => checkRow(row, job, day, there))];
}

function checkRow(row: Readonly<Record<string, string>>, job: Job, day: Happened, there: AtService): string[] {
  const { outcome = '', line } = row;
  const tell = (what: string): string[] => [`I8 line ${line} of ${job.key} is shown as ${outcome}: ${what}`];
  const isStopped = day.stops.includes(job);
  const ends = ['accepted', 'complete', 'declined', 'skipped', 'action-required'];
  if (isStopped) ends.push('not-sent');
  if (mayBeLate(job, day)) ends.push('rejected');
  if (!ends.includes(outcome)) return tell('it has not ended');
  if (outcome === 'action-required') return [];
  const unread = job.key.startsWith('bar-service-config/') ? findUnread(row) : undefined;
  if (unread !== undefined) return tell(unread);
  const times = timesDone(row, job, day, there);
  if (times > 1) return tell(`it was done ${times} times`);
  // A move takes a PAC along that an earlier call of the row has changed.
  if (outcome === 'skipped' && /^update-port\//.test(job.key) && day.isMoved) return [];
  return (times === 1) === ['accepted', 'complete'].includes(outcome)
    ? []
    : tell(times === 1 ? 'it was done' : 'it was not done');
}

/** Settings are complete only once the SIM shows them. */
function findUnread({ outcome, serialNumber }: Readonly<Record<string, string>>): string | undefined {
  if (outcome === 'accepted') return 'its settings were not read back';
  return outcome === 'complete' && serialNumber === neverMade ? 'the SIM does not have the settings' : undefined;
}

/** How often the service did what the row asks for. */
function timesDone(
  { serialNumber, msisdn = '' }: Readonly<Record<string, string>>,
  { key }: Job,
  { changes, made }: Day,
  { submissions, ports }: AtService,
): number {
  const operation = key
    .replace(/^plan\//, '')
    .split('/')[0]
    ?.replaceAll('-', '');
  // Each file of texts has another text.
  const file = /file-(\d)/.exec(key)?.[1];
  if (serialNumber === undefined) {
    const number = made.numbers.find((each) => each.endsWith(msisdn.slice(1))) ?? '';
    const change = changes.find(({ place }) => made.numbers[place] === number);
    return change !== undefined && isDone(number, change.pac, ports) ? 1 : 0;
  }
  return submissions.filter(({ operation: path, body }) => {
    const sent = body as { readonly type?: string; readonly message?: string };
    const name = (sent.type ?? path.split('/').at(-1) ?? '').toLowerCase();
    const isText = file === undefined || sent.message?.startsWith(`Text ${file} `) === true;
    return name === operation && isText && JSON.stringify(body).includes(serialNumber);
  }).length;
}

function checkTicket(asked: RequestedBy, { unusable }: Happened, submissions: readonly Submission[]): string[] {
  const { state, ticket } = asked.item;
  const done = submissions.filter((each) => isOf(asked, each));
  if (done.length > 1) return [`I3 ${which(asked)} was done ${done.length} times`];
  const isWrong = asked.subjects.some((sim) => unusable.has(sim));
  if (state === 'declined') return isWrong ? [] : [`I8 ${which(asked)}: ${asked.item.error?.message}`];
  const isTrue = state !== 'accepted' || done[0]?.ticketNumber === ticket;
  return isTrue ? [] : [`I3 ${which(asked)} has ticket ${ticket}, the service ${done[0]?.ticketNumber ?? 'none'}`];
}

/** Every accepted row is so at the service. */
function checkChange(asked: RequestedBy, { made, changes, isMoved }: Happened, ports: readonly Port[]): string[] {
  if (asked.item.state === 'declined' && !isMoved) return [`I8 ${which(asked)}: ${asked.item.error?.message}`];
  if (asked.item.state !== 'accepted') return [];
  const left = changes.filter(({ place }) => asked.subjects.includes(made.numbers[place] ?? ''));
  return left.flatMap(({ place, pac }) => {
    const number = made.numbers[place] ?? '';
    return isDone(number, pac, ports) ? [] : [`I3 ${which(asked)}: ${describe(number, ports)}`];
  });
}

/** @param pac undefined: the row is to be cancelled */
function isDone(number: string, pac: string | undefined, ports: readonly Port[]): boolean {
  const live = liveRows(number, ports);
  return pac === undefined ? live.length === 0 : live.some((row) => row.pac === pac);
}

/** Rows without a requested change are as they were, in one port each. */
function checkOthers({ made, changes }: Day, ports: readonly Port[]): string[] {
  return made.numbers.flatMap((number, place) => {
    if (changes.some((change) => change.place === place)) return [];
    const live = liveRows(number, ports);
    const isSame = live.length === 1 && live[0]?.pac === made.pacs[place];
    return isSame ? [] : [`I2 no request to change ${number}: ${describe(number, ports)}`];
  });
}

type PortRow = Port['rows'][number];

/** The rows of a number that are or will be ported: more than one after a move whose old port is still there. */
const liveRows = (number: string, ports: readonly Port[]): PortRow[] =>
  ports.flatMap((port) =>
    port.status === 'Cancelled' ? [] : port.rows.filter((row) => row.number === number && !hasLeft(row)),
  );

const hasLeft = ({ status }: PortRow): boolean => status === 'Cancelled' || status === 'CancellationRequested';

const describe = (number: string, ports: readonly Port[]): string =>
  ports
    .flatMap(({ id, status, rows }) =>
      rows.filter((row) => row.number === number).map((row) => `${row.status} (PAC ${row.pac}) in ${id} (${status})`),
    )
    .join(', ');
