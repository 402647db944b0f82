// How many runs of sync read all ports once if all of them are due, for lists of up to 10,000,000 ports:
// `npx node bench/due-ports.ts`. The decisions are those of sync; METHOD.md explains what is simulated.
import { runLimits } from '#functions/sync/intervals.ts';
import { nextCall, pageAfter, pageSize, secondPage } from '#shared/domain/ports/call-plan.ts';

/** As in infra/environments.ts. */
const runEveryMs = 5 * 60_000;
const secondsOfRun = 240;

interface Account {
  readonly listed: number;
  /** Spread evenly over the list. */
  readonly live: number;
  readonly callsPerSecond: number;
}

interface Sweep {
  readonly isDue: Uint8Array;
  due: number;
  calls: number;
}

/** One run, as `pollPorts` of functions/sync/follow. No port has changed. */
function runSync(sweep: Sweep, { callsPerSecond }: Account, wallMs: number): void {
  const { isDue } = sweep;
  const pages = Math.ceil(isDue.length / pageSize);
  const loaded = loadDue(isDue);
  let remaining = loaded.size;
  let calls = 0;
  const read = (port: number): number => {
    if (isDue[port] !== 1) return 0;
    isDue[port] = 0;
    sweep.due -= 1;
    if (loaded.has(port)) remaining -= 1;
    return 1;
  };
  const sample = loaded.size < runLimits.dueItems ? undefined : { pages: 0, ports: 0 };
  let pagesLeft: number | undefined;
  let page = 1;
  const mostCalls = secondsOfRun * callsPerSecond;
  while (calls < mostCalls && nextCall({ remaining, pagesLeft, sample }) === 'page') {
    calls += 1;
    let shown = 0;
    for (let port = (page - 1) * pageSize; port < page * pageSize; port += 1) shown += read(port);
    if (sample !== undefined) [sample.pages, sample.ports] = [sample.pages + 1, sample.ports + shown];
    pagesLeft = pages - calls;
    page = page === 1 ? secondPage(pages, wallMs) : pageAfter(page, pages);
  }
  for (const port of loaded) {
    if (calls >= mostCalls) break;
    calls += read(port);
  }
  sweep.calls += calls;
}

function loadDue(isDue: Uint8Array): Set<number> {
  const loaded = new Set<number>();
  for (let port = isDue.indexOf(1); port >= 0 && loaded.size < runLimits.dueItems; port = isDue.indexOf(1, port + 1))
    loaded.add(port);
  return loaded;
}

function measure(account: Account) {
  const { listed, live } = account;
  const isDue = Uint8Array.from({ length: listed }, (_, port) => Number((port + 1) % Math.round(listed / live) === 0));
  const sweep: Sweep = { isDue, due: live, calls: 0 };
  let runs = 0;
  for (; sweep.due > 0; runs += 1) runSync(sweep, account, runs * runEveryMs);
  const hours = Math.round((runs * runEveryMs) / 360_000) / 10;
  return { ...account, runs, hours, calls: sweep.calls, portsPerCall: Math.round((10 * live) / sweep.calls) / 10 };
}

for (const listed of [100_000, 1_000_000, 10_000_000])
  for (const live of [listed, listed / 10, listed / 100])
    for (const callsPerSecond of [10, 100]) console.log(JSON.stringify(measure({ listed, live, callsPerSecond })));
