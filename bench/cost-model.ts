// What a month costs: calls to the porting service, writes, function seconds and dollars, from counts per row and per request.
// Pure: the counts stand here with where they were measured or why they were assumed, the prices in prices.json.
import { restOf } from '#functions/report/rest.ts';

export interface Workload {
  /** Numbers ported in a month. */
  readonly rows: number;
  /** Rows that share what makes a request, on average: 100 at most (decision 14). */
  readonly rowsPerRequest: number;
  /** Looks at a port from its creation to its end: 8 booked two days ahead, 25 three weeks ahead (docs/data.md). */
  readonly looks: number;
  /** Seconds that the porting service takes to answer. */
  readonly secondsPerCall: number;
}

/** Of a month. */
export interface Usage {
  readonly serviceCalls: number;
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly tableGigabytes: number;
  readonly invocations: number;
  readonly gigabyteSeconds: number;
  readonly queueCalls: number;
  readonly objectWrites: number;
  readonly objectReads: number;
  readonly transitions: number;
  readonly logGigabytes: number;
}

export interface Prices {
  readonly asOf: string;
  readonly region: string;
  readonly dollars: Readonly<
    Record<
      | 'tableWriteUnit'
      | 'tableReadUnit'
      | 'tableGigabyteMonth'
      | 'tableBackupGigabyteMonth'
      | 'lambdaRequest'
      | 'lambdaGigabyteSecondArm'
      | 'queueCall'
      | 'objectWrite'
      | 'objectRead'
      | 'stateTransition'
      | 'logGigabyte'
      | 'alarmMonth'
      | 'metricMonth'
      | 'dashboardMonth'
      | 'keyMonth'
      | 'secretMonth',
      number
    >
  >;
}

/** Counted on the wire by bench/writes.ts: 142 for a request of one row, 356 for one of a hundred. */
const writeUnits = { ofRequest: 140, ofRow: 2.16 } as const;
/** Counted in the same run: reads by key in a request's life, its rows' item taken for two units. */
const readUnitsOfRequest = 64;
/** Changes that a port goes through, each of which is read in detail: Submitted, Locked, Ported, Awaiting RA, Complete. */
const details = 5;
/** Submission and read-back (decision 43). */
const callsToSubmit = 2;
/** `submit.concurrency` of infra/config.ts. */
export const callsAtATime = 5;
const portsOnAPage = 50;

/** Counted: a look of report reads all requests of the import, 24 units for 120 of them; numbers of lines grow with the file. */
const readUnitsOfCount = 0.25;
/** As an import is submitted: so many requests of it are read in a second, whatever its size, as a large one rests. */
const countedInSecond = 10_000 / (restOf(10_000) / 1000);
/** Assumed: ports are created one after the other, so a change of status comes to all of them within an hour of sync's runs. */
const looksOfChange = 12;
/** Reminders, at most; an import goes on for about as many days as its ports are looked at. */
const remindersOfDay = 24;
/** Assumed: of a third of a core, and a page of 1 MB every tenth of a second. */
const secondsOfCount = 0.0003;

/** How often report reads a request. */
const countsOfRequest = ({ looks, secondsPerCall }: Workload): number =>
  ((callsToSubmit * secondsPerCall) / callsAtATime) * countedInSecond +
  details * looksOfChange +
  looks * remindersOfDay;

const minutesOfMonth = 30 * 24 * 60;
const syncRuns = minutesOfMonth / 5;
/** Assumed: of a run that finds little. */
const secondsOfRun = 1;
/** Counted: queries of a run that finds little. */
const queriesOfRun = 17;
/** Lambda holds five connections to each of the three queues, each of which asks again every 20 seconds. */
const idlePolls = 3 * 5 * 3 * minutesOfMonth;

/** Memory of the functions in gigabytes, as infra/config.ts has it. */
const memory = { submit: 0.25, others: 0.5 } as const;
/** Assumed, on the third of a core that 512 MB buy: lines planned, and lines of results.csv written, in a second. */
const linesPerSecond = { planned: 5_000, reported: 20_000 } as const;
/** Assumed: how often an import's results.csv says something new. */
const reportsOfImport = 10;
/** Assumed: bytes of log in a request's life, and of items in the table, indexes included. */
const logBytesOfRequest = 12_000;
const tableBytes = { ofRequest: 20_000, ofRow: 500 } as const;
const gigabyte = 1e9;

/** simporter: requests of many rows, one schedule that follows all ports by pages of the list. */
export function simporterUsage(workload: Workload): Usage {
  const { rows, rowsPerRequest, looks, secondsPerCall } = workload;
  const requests = Math.ceil(rows / rowsPerRequest);
  const counts = requests * countsOfRequest(workload);
  const followCalls = requests * (looks / portsOnAPage + details);
  const submitInvocations = requests / 5;
  const reportInvocations = (requests * details) / 10;
  return {
    serviceCalls: requests * callsToSubmit + followCalls,
    writeUnits: requests * writeUnits.ofRequest + rows * writeUnits.ofRow,
    readUnits: requests * readUnitsOfRequest + counts * readUnitsOfCount + (syncRuns * queriesOfRun) / 2,
    tableGigabytes: (requests * tableBytes.ofRequest + rows * tableBytes.ofRow) / gigabyte,
    invocations: submitInvocations + reportInvocations + syncRuns,
    gigabyteSeconds:
      memory.submit * requests * callsToSubmit * secondsPerCall +
      memory.others * (syncRuns * secondsOfRun + (followCalls * secondsPerCall) / 4 + counts * secondsOfCount) +
      memory.others * (rows / linesPerSecond.planned + (rows * reportsOfImport) / linesPerSecond.reported),
    // Sent ten a call, received and deleted five a call, and a change of each detail told to report.
    queueCalls: idlePolls + requests * (0.1 + 0.2 + 0.2 + details * 0.3),
    objectWrites: requests * 0.1,
    objectReads: requests * 8,
    transitions: 0,
    logGigabytes: (requests * logBytesOfRequest) / gigabyte,
  };
}

/**
 * The same requests and the same ledger, each request a Standard child workflow of a Distributed Map that submits and then
 * waits for its port: three transitions (wait, ask, choose), one invocation and one call a look, as a child sees one port only.
 */
export function distributedMapUsage(workload: Workload): Usage {
  const { rows, rowsPerRequest, looks, secondsPerCall } = workload;
  const requests = Math.ceil(rows / rowsPerRequest);
  const same = simporterUsage(workload);
  const calls = requests * (callsToSubmit + looks);
  return {
    ...same,
    serviceCalls: calls,
    readUnits: requests * readUnitsOfRequest,
    invocations: requests * (3 + looks),
    gigabyteSeconds:
      memory.submit * calls * secondsPerCall +
      memory.others * (rows / linesPerSecond.planned + (rows * reportsOfImport) / linesPerSecond.reported),
    queueCalls: 0,
    transitions: requests * (6 + 3 * looks),
  };
}

/** simporter's line with a port for every number: what a naive loop over the file makes. */
export const callPerRowUsage = (workload: Workload): Usage => simporterUsage({ ...workload, rowsPerRequest: 1 });

/** What stands still costs as well: a key, a secret, 32 alarms, a dashboard, 19 metrics. */
export const fixedDollars = ({ dollars }: Prices): number =>
  dollars.keyMonth + dollars.secretMonth + 32 * dollars.alarmMonth + dollars.dashboardMonth + 19 * dollars.metricMonth;

/** Dollars of what the work itself uses. */
export function workDollars(usage: Usage, { dollars }: Prices): number {
  return (
    usage.writeUnits * dollars.tableWriteUnit +
    usage.readUnits * dollars.tableReadUnit +
    usage.tableGigabytes * (dollars.tableGigabyteMonth + dollars.tableBackupGigabyteMonth) +
    usage.invocations * dollars.lambdaRequest +
    usage.gigabyteSeconds * dollars.lambdaGigabyteSecondArm +
    usage.queueCalls * dollars.queueCall +
    usage.objectWrites * dollars.objectWrite +
    usage.objectReads * dollars.objectRead +
    usage.transitions * dollars.stateTransition +
    usage.logGigabytes * dollars.logGigabyte
  );
}
