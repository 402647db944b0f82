// The invariants of the other operations when everything has finished: each request was executed exactly once or
// requires action, and nothing else was done.
import { parse } from 'csv-parse/sync';
import type { ImportItem } from '#shared/import/import.ts';
import { unpackLines } from '#shared/request/lines.ts';
import type { Port } from '#simulator/ports/port.ts';
import type { Submission } from '#simulator/store/store.ts';
import { isCutOff } from '../invariants.ts';
import { buckets } from '../pipeline.ts';
import type { World } from '../world.ts';
import { askedOf, isFor, type RequestedBy } from './asked.ts';
import { type Corrections, checkCorrections } from './corrections.ts';
import type { Day, Job } from './jobs.ts';

const which = ({ item }: RequestedBy): string => `request ${item.request} of ${item.operation} (${item.state})`;

export async function checkOperations(
  day: Day,
  corrections: Corrections,
  ports: readonly Port[],
  world: World,
): Promise<string[]> {
  const asked = askedOf(world).filter(({ item }) => item.operation !== 'create-port');
  const submissions = await world.network.submissions();
  const changes = asked.filter(({ item }) => ['update-port', 'cancel-port'].includes(item.operation));
  const tickets = asked.filter((each) => !changes.includes(each));
  return [
    ...[corrections.first, ...day.jobs].flatMap((job) => checkFile(job, world)),
    ...checkCorrections(corrections, submissions, world),
    ...asked.flatMap((each) => checkEnd(each, world)),
    ...tickets.flatMap((each) => checkTicket(each, submissions)),
    ...changes.flatMap((each) => checkChange(each, day, ports)),
    ...submissions.filter((done) => !tickets.some((each) => isOf(each, done))).map(nobodyAsked),
    ...checkOthers(day, ports),
  ];
}

const isOf = (asked: RequestedBy, { operation, body }: Submission): boolean => isFor(asked, operation, body);
const nobodyAsked = ({ operation }: Submission): string => `I2 no request for this ${operation}`;

function checkFile({ key, rows }: Job, { table }: World): string[] {
  const item = table.items().find((each) => each.sk === 'import' && each.key === key) as unknown as
    | ImportItem
    | undefined;
  if (item === undefined) return [`I8 ${key} never became an import`];
  // As in the simulation of Create Port: three crashes reject the file with the reason, and nothing of it is sent.
  if (isCutOff(item)) {
    const own = table.items().filter(({ importId, request }) => importId === item.importId && request !== undefined);
    return own.length === 0 ? [] : [`I2 rejected import ${item.importId} has requests`];
  }
  const wrong = item.rows !== rows ? [`I1 ${key} has ${rows} rows, and ${item.rows} were read`] : [];
  // A file in which every row requires action is not finished.
  return ['finished', 'in-progress'].includes(item.state) ? wrong : [...wrong, `I8 ${key} stays ${item.state}`];
}

/** No request is in progress, and every unknown outcome requires action. */
function checkEnd(asked: RequestedBy, { bucket }: World): string[] {
  const { item } = asked;
  if (['planned', 'in-flight', 'unknown'].includes(item.state)) return [`I8 ${which(asked)} never ended`];
  if (item.state !== 'action-required') return [];
  const text = bucket.text(buckets.results, `imports/${item.importId}/results.csv`);
  const rows: { outcome: string }[] = parse(text, { columns: true, bom: true });
  // In the order of the file. The column `line` of a correction is that of the first file.
  const lines = rows.map(({ outcome }, index) => ({ line: index + 2, outcome }));
  const sent = unpackLines(item.lines ?? '');
  const silent = lines.filter(({ line, outcome }) => sent.includes(line) && outcome !== 'action-required');
  return silent.map(({ line, outcome }) => `I4 ${which(asked)}: line ${line} is reported as ${outcome}`);
}

function checkTicket(asked: RequestedBy, submissions: readonly Submission[]): string[] {
  const { state, ticket } = asked.item;
  const done = submissions.filter((each) => isOf(asked, each));
  if (done.length > 1) return [`I3 ${which(asked)} was done ${done.length} times`];
  if (state === 'declined') return [`I8 ${which(asked)}: ${asked.item.error?.message}`];
  const isTrue = state !== 'accepted' || done[0]?.ticketNumber === ticket;
  return isTrue ? [] : [`I3 ${which(asked)} has ticket ${ticket}, the service ${done[0]?.ticketNumber ?? 'none'}`];
}

/** Every accepted row is so at the service. */
function checkChange(asked: RequestedBy, { made, changes }: Day, ports: readonly Port[]): string[] {
  if (asked.item.state === 'declined') return [`I8 ${which(asked)}: ${asked.item.error?.message}`];
  if (asked.item.state !== 'accepted') return [];
  const left = changes.filter(({ place }) => asked.subjects.includes(made.numbers[place] ?? ''));
  return left.flatMap(({ place, pac }) => {
    const { row, port } = lineOf(made.numbers[place] ?? '', ports);
    const isCancelled =
      port?.status === 'Cancelled' || ['Cancelled', 'CancellationRequested'].includes(row?.status ?? '');
    const isDone = pac === undefined ? isCancelled : row?.pac === pac;
    return isDone ? [] : [`I3 ${which(asked)}: ${row?.number} is ${row?.status} with PAC ${row?.pac}`];
  });
}

/** Rows without a requested change are unchanged. */
function checkOthers({ made, changes }: Day, ports: readonly Port[]): string[] {
  return made.numbers.flatMap((number, place) => {
    if (changes.some((change) => change.place === place)) return [];
    const { row, port } = lineOf(number, ports);
    const isSame = row?.pac === made.pacs[place] && row?.status !== 'Cancelled' && port?.status !== 'Cancelled';
    return isSame ? [] : [`I2 no request to change ${number}: it is ${row?.status} in ${port?.status}`];
  });
}

function lineOf(number: string, ports: readonly Port[]) {
  const port = ports.find(({ rows }) => rows.some((row) => row.number === number));
  return { port, row: port?.rows.find((row) => row.number === number) };
}
