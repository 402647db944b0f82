// What must be true of the other operations once everything has settled: what was asked for was done exactly once, or a
// person is told that nobody knows; and nothing was done that nobody asked for.
import { parse } from 'csv-parse/sync';
import type { Port } from '#functions/porting-service/port.ts';
import type { Submission } from '#functions/porting-service/store.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { unpackLines } from '#shared/domain/lines.ts';
import { buckets } from '../pipeline.ts';
import type { World } from '../world.ts';
import { type Asked, askedOf, isFor } from './asked.ts';
import type { Day, Job } from './jobs.ts';

const which = ({ item }: Asked): string => `request ${item.request} of ${item.operation} (${item.state})`;

export async function judgeOperations(day: Day, ports: readonly Port[], world: World): Promise<string[]> {
  const asked = askedOf(world).filter(({ item }) => item.operation !== 'create-port');
  const submissions = await world.network.submissions();
  const changes = asked.filter(({ item }) => ['update-port', 'cancel-port'].includes(item.operation));
  const tickets = asked.filter((each) => !changes.includes(each));
  return [
    ...day.jobs.flatMap((job) => judgeFile(job, world)),
    ...asked.flatMap((each) => judgeEnd(each, world)),
    ...tickets.flatMap((each) => judgeTicket(each, submissions)),
    ...changes.flatMap((each) => judgeChange(each, day, ports)),
    ...submissions.filter((done) => !tickets.some((each) => isOf(each, done))).map(nobodyAsked),
    ...judgeOthers(day, ports),
  ];
}

const isOf = (asked: Asked, { operation, body }: Submission): boolean => isFor(asked, operation, body);
const nobodyAsked = ({ operation }: Submission): string => `I2 nobody asked for this ${operation}`;

function judgeFile({ key, rows }: Job, { table }: World): string[] {
  const item = table.items().find((each) => each.sk === 'import' && each.key === key) as unknown as
    | ImportItem
    | undefined;
  if (item === undefined) return [`I8 ${key} never became an import`];
  const wrong = item.rows !== rows ? [`I1 ${key} has ${rows} rows, and ${item.rows} were read`] : [];
  // A file all of whose rows wait for a person has not ended, and says so.
  return ['completed', 'following'].includes(item.state) ? wrong : [...wrong, `I8 ${key} stays ${item.state}`];
}

/** Nothing stays under way, and what nobody knows stands before people as such. */
function judgeEnd(asked: Asked, { bucket }: World): string[] {
  const { item } = asked;
  if (['planned', 'in-flight', 'unknown'].includes(item.state)) return [`I8 ${which(asked)} never ended`];
  if (item.state !== 'needs-human') return [];
  const text = bucket.text(buckets.results, `imports/${item.importId}/results.csv`);
  const lines: { line: string; outcome: string }[] = parse(text, { columns: true });
  const sent = unpackLines(item.lines ?? '');
  const silent = lines.filter(({ line, outcome }) => sent.includes(Number(line)) && outcome !== 'attention');
  return silent.map(({ line, outcome }) => `I4 ${which(asked)}: line ${line} is told as ${outcome}`);
}

function judgeTicket(asked: Asked, submissions: readonly Submission[]): string[] {
  const { state, ticket } = asked.item;
  const done = submissions.filter((each) => isOf(asked, each));
  if (done.length > 1) return [`I3 ${which(asked)} was done ${done.length} times`];
  if (state === 'refused') return [`I8 ${which(asked)}: ${asked.item.error?.message}`];
  const isTrue = state !== 'accepted' || done[0]?.ticketNumber === ticket;
  return isTrue ? [] : [`I3 ${which(asked)} has ticket ${ticket}, the service ${done[0]?.ticketNumber ?? 'none'}`];
}

/** What is told as accepted is so at the service. */
function judgeChange(asked: Asked, { made, wishes }: Day, ports: readonly Port[]): string[] {
  if (asked.item.state !== 'accepted') return [];
  const withdrawn = new Set((asked.item.withdrawn ?? []).map(({ subject }) => subject));
  const left = wishes.filter(({ place }) => {
    const number = made.numbers[place] ?? '';
    return asked.subjects.includes(number) && !withdrawn.has(number);
  });
  return left.flatMap(({ place, pac }) => {
    const { row, port } = lineOf(made.numbers[place] ?? '', ports);
    const isCancelled =
      port?.status === 'Cancelled' || ['Cancelled', 'CancellationRequested'].includes(row?.status ?? '');
    const isDone = pac === undefined ? isCancelled : row?.pac === pac;
    return isDone ? [] : [`I3 ${which(asked)}: ${row?.number} is ${row?.status} with PAC ${row?.pac}`];
  });
}

/** Lines that nobody wanted to change are as they were. */
function judgeOthers({ made, wishes }: Day, ports: readonly Port[]): string[] {
  return made.numbers.flatMap((number, place) => {
    if (wishes.some((wish) => wish.place === place)) return [];
    const { row, port } = lineOf(number, ports);
    const isSame = row?.pac === made.pacs[place] && row?.status !== 'Cancelled' && port?.status !== 'Cancelled';
    return isSame ? [] : [`I2 nobody asked to change ${number}: it is ${row?.status} in ${port?.status}`];
  });
}

function lineOf(number: string, ports: readonly Port[]) {
  const port = ports.find(({ rows }) => rows.some((row) => row.number === number));
  return { port, row: port?.rows.find((row) => row.number === number) };
}
