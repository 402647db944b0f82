// The monthly cost of simporter and of two other designs.
//
//     npm run -s cost -- --rows 1000000 [--rows-per-request 100] [--reads-per-port 28] [--seconds-per-call 0.5]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatTable } from '#cli/output/table.ts';
import {
  callPerRowUsage,
  callsPerSecond,
  distributedMapUsage,
  fixedDollars,
  type Prices,
  simporterUsage,
  type Usage,
  workDollars,
} from './cost-model.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    'rows-per-request': { type: 'string', default: '100' },
    'reads-per-port': { type: 'string', default: '28' },
    'seconds-per-call': { type: 'string', default: '0.5' },
  },
});

function numberFrom(name: keyof typeof values, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const value = Number(values[name]);
  if (value >= least && value <= most) return value;
  throw new Error(`--${name} must be a number from ${least}${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ''}`);
}

const prices: Prices = JSON.parse(readFileSync(new URL('prices.json', import.meta.url), 'utf8'));
const workload = {
  rows: numberFrom('rows', 1),
  rowsPerRequest: numberFrom('rows-per-request', 1, 100),
  readsPerPort: numberFrom('reads-per-port', 1),
  secondsPerCall: numberFrom('seconds-per-call', 0.001),
};

const whole = (value: number): string => Math.round(value).toLocaleString('en-GB');
const cells = (usage: Usage): string[] => [
  whole(usage.serviceCalls),
  (usage.serviceCalls / callsPerSecond / 3600).toFixed(1),
  whole(usage.writeUnits),
  whole(usage.gigabyteSeconds),
  whole(usage.transitions),
  workDollars(usage, prices).toFixed(2),
  (workDollars(usage, prices) + fixedDollars(prices)).toFixed(2),
];

const headers = ['service calls', 'hours', 'write units', 'GB seconds', 'transitions', 'work $', 'month $'];
const lines = formatTable(
  [{ header: 'design' }, ...headers.map((header) => ({ header, align: 'right' as const }))],
  [
    ['simporter', ...cells(simporterUsage(workload))],
    ['Distributed Map', ...cells(distributedMapUsage(workload))],
    ['one call per row', ...cells(callPerRowUsage(workload))],
  ],
);
console.log(`${whole(workload.rows)} rows a month, ${prices.region}, prices of ${prices.asOf}`);
for (const line of lines) console.log(line);
