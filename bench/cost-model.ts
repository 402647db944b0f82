// The cost of a month: calls to the porting service, writes, function seconds and dollars, from counts per row and per
// request. Each count states where it was measured or that it is assumed. prices.json has the prices.
import { throttleWait } from '#functions/report/refresh-throttle.ts';
import { submitConcurrency } from '#infra/derived-settings.ts';
import { environments } from '#infra/environments.ts';

export interface Workload {
  /** Numbers ported in a month. */
  readonly rows: number;
  /** Average rows per request; at most 100 (spec gap 14). */
  readonly rowsPerRequest: number;
  /**
   * Reads of a port from creation to end: 11 if booked two days ahead, 28 if three weeks ahead.
   */
  readonly readsPerPort: number;
  /** Response time of the porting service in seconds. */
  readonly secondsPerCall: number;
}

/** Per month. */
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

/** Counted by bench/writes.ts: 171 for a request of one row, 385 for one of a hundred. */
const writeUnits = { ofRequest: 169, ofRow: 2.16 } as const;
/** Reads by key, with two units for the item of a port's rows: 64 were counted with five status changes. */
const readUnitsOfRequest = 77;
/** Status changes that sync sees, each with a read of details: Submitted, Locked, Ported, two later ones, Complete. */
const details = 6;
/** Submission and read-back (spec gap 43). */
const callsToSubmit = 2;
export const { callsPerSecond } = environments.prod;
/** Invocations of submit that wait for those calls, per call. */
const secondsOfSubmit = submitConcurrency(environments.prod) / callsPerSecond;
const portsPerPage = 50;

/** Counted: report reads all requests of an import, with 24 units for 120 requests. */
const readUnitsOfCount = 0.25;
/** Requests that report reads per second while an import is submitted; the refresh throttle keeps it constant. */
const requestsReadPerSecond = 10_000 / (throttleWait(10_000) / 1000);
/** Assumed: the ports of an import change their status within one hour, which is 12 sync runs. */
const refreshesPerChange = 12;
/** At most; an import is in progress for about as many days as its ports are read. */
const notificationsPerDay = 24;
/** Assumed, for a third of a core and a page of 1 MB every tenth of a second. */
const secondsOfCount = 0.0003;

/** How often report reads a request. */
const countsOfRequest = ({ readsPerPort }: Workload): number =>
  (callsToSubmit / callsPerSecond) * requestsReadPerSecond +
  details * refreshesPerChange +
  readsPerPort * notificationsPerDay;

const minutesOfMonth = 30 * 24 * 60;
const syncRuns = minutesOfMonth / 5;
/** Assumed, for a run with little to do. */
const secondsOfRun = 1;
/** Counted: queries of a run with little to do. */
const queriesOfRun = 17;
/** Lambda polls each of the four queues with five connections, every 20 seconds each. */
const idlePolls = 4 * 5 * 3 * minutesOfMonth;

/** Memory of the functions in gigabytes, as in infra/environments.ts. */
const memory = { submit: 0.25, others: 0.5 } as const;
/** Assumed, for the third of a core that 512 MB provide: rows planned, and rows of results.csv written, per second. */
const rowsPerSecond = { planned: 5_000, reported: 20_000 } as const;
/** Assumed: how often results.csv of an import changes. */
const reportsOfImport = 10;
/** Assumed: bytes of logs per request, and of table items with their index entries. */
const logBytesOfRequest = 12_000;
const tableBytes = { ofRequest: 20_000, ofRow: 500 } as const;
const gigabyte = 1e9;

/** simporter: requests of many rows, and one schedule that reads all ports by pages of the list. */
export function simporterUsage(workload: Workload): Usage {
  const { rows, rowsPerRequest, readsPerPort, secondsPerCall } = workload;
  const requests = Math.ceil(rows / rowsPerRequest);
  const counts = requests * countsOfRequest(workload);
  const followCalls = requests * (readsPerPort / portsPerPage + details);
  const submitInvocations = requests / environments.prod.submit.batchSize;
  const reportInvocations = (requests * details) / 10;
  return {
    serviceCalls: requests * callsToSubmit + followCalls,
    writeUnits: requests * writeUnits.ofRequest + rows * writeUnits.ofRow,
    readUnits: requests * readUnitsOfRequest + counts * readUnitsOfCount + (syncRuns * queriesOfRun) / 2,
    tableGigabytes: (requests * tableBytes.ofRequest + rows * tableBytes.ofRow) / gigabyte,
    invocations: submitInvocations + reportInvocations + syncRuns,
    gigabyteSeconds:
      memory.submit * requests * callsToSubmit * secondsOfSubmit +
      memory.others * (syncRuns * secondsOfRun + (followCalls * secondsPerCall) / 4 + counts * secondsOfCount) +
      memory.others * (rows / rowsPerSecond.planned + (rows * reportsOfImport) / rowsPerSecond.reported),
    // Messages are sent ten per call, received and deleted five per call; report gets one per status change.
    queueCalls: idlePolls + requests * (0.1 + 0.2 + 0.2 + details * 0.3),
    objectWrites: requests * 0.1,
    objectReads: requests * 8,
    transitions: 0,
    logGigabytes: (requests * logBytesOfRequest) / gigabyte,
  };
}

/**
 * The same requests and ledger, with one Standard child workflow of a Distributed Map per request. It submits, then
 * waits for its port: three transitions (wait, read, choose), one invocation and one call per read.
 */
export function distributedMapUsage(workload: Workload): Usage {
  const { rows, rowsPerRequest, readsPerPort, secondsPerCall } = workload;
  const requests = Math.ceil(rows / rowsPerRequest);
  const same = simporterUsage(workload);
  const calls = requests * (callsToSubmit + readsPerPort);
  return {
    ...same,
    serviceCalls: calls,
    readUnits: requests * readUnitsOfRequest,
    invocations: requests * (3 + readsPerPort),
    gigabyteSeconds:
      memory.submit * calls * secondsPerCall +
      memory.others * (rows / rowsPerSecond.planned + (rows * reportsOfImport) / rowsPerSecond.reported),
    queueCalls: 0,
    transitions: requests * (6 + 3 * readsPerPort),
  };
}

/** simporter with one request per row: what a simple loop over the file does. */
export const callPerRowUsage = (workload: Workload): Usage => simporterUsage({ ...workload, rowsPerRequest: 1 });

/**
 * What costs the same in every month, beside a key, a secret and a dashboard. CloudWatch bills a metric for the hours
 * in which it is published: these are all that ingest (6, with three states of `imports`), submit (7) and sync (11)
 * can publish. It bills an alarm for each metric that it reads: 35 alarms read one, and three query those of submit and
 * of sync.
 */
export const fixedResources = { alarmMetrics: 41, metrics: 24 } as const;

/** Fixed cost per month, at most. */
export const fixedDollars = ({ dollars }: Prices): number =>
  dollars.keyMonth +
  dollars.secretMonth +
  dollars.dashboardMonth +
  fixedResources.alarmMetrics * dollars.alarmMonth +
  fixedResources.metrics * dollars.metricMonth;

/** Cost in dollars of what the imports use. */
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
