// The figures as tables. Ratios are more reliable than times: see METHOD.md.
import { formatTable, type TableColumn } from '#cli/output/table.ts';
import type { ChangesFigures } from './changes.ts';
import type { CliFigures } from './cli.ts';
import type { ConsoleFigures } from './console.ts';
import type { EndToEndFigures } from './end-to-end.ts';
import type { FreshnessFigures } from './freshness.ts';
import type { BenchFigures, IngestFigures, IngestFile, IngestProgram } from './measure-parts.ts';
import type { ReconcileFigures } from './reconcile.ts';
import type { SmallFileFigures } from './small-file.ts';
import type { StartupFigures } from './startup.ts';
import type { SyncFigures } from './sync.ts';
import type { ThroughputFigures } from './throughput.ts';
import type { VerdictFigures } from './verdict.ts';
import type { WriteFigures } from './writes.ts';

const whole = (value: number): string => Math.round(value).toLocaleString('en-GB');
const columns = (first: string, ...numbers: readonly string[]): TableColumn[] => [
  { header: first },
  ...numbers.map((header) => ({ header, align: 'right' as const })),
];

function ingestLines({ programs, files: compared, byClock, ...byCpu }: IngestFigures): string[] {
  const files = [...new Set(programs.map(({ file }) => file))];
  const tables = files.flatMap((file) => [
    `Ingest, ${file} file, relative to bare csv-parse`,
    ...formatTable(
      columns('program', 'by CPU time', 'by wall time', 'rows/s of CPU', 'CPU ms', 'spread', 'wall ms', 'peak MB'),
      programs.filter((one) => one.file === file).map(ingestCells),
    ),
    '',
  ]);
  const goals = (
    [
      ['ratioToNaive', 'the naive program', 5],
      ['ratioToCsvParse', 'csv-parse', 1.7],
      ['ratioToCsvParseQuoted', 'csv-parse on the fully quoted file', 1.3],
    ] as const
  ).map(
    ([ratio, what, aim]) =>
      `${byCpu[ratio].toFixed(2)} times ${what} by CPU time, ${byClock[ratio].toFixed(2)} by wall time (aim ${aim})`,
  );
  return [...tables, ...fileLines(compared), '', ...goals];
}

const fileLines = (files: readonly IngestFile[]): string[] => [
  'Ingest, all files: times as fast as other programs, by CPU time',
  ...formatTable(
    columns('file', 'rows', 'requests', 'minimum', 'csv-parse', 'best peer', 'naive', 'x of the limit', 'peak MB'),
    files.map((file) => [
      file.name,
      ...[file.rows, file.requests, file.minimumRequests].map(whole),
      ...[file.ratioToCsvParse, file.ratioToBestPeer, file.ratioToNaive].map((ratio) => ratio.toFixed(2)),
      file.timesPhysicalLimit.toFixed(1),
      whole(file.peakRssMb),
    ]),
  ),
];

function ingestCells({ program, cpuMs, ...figures }: IngestProgram): string[] {
  if (cpuMs === undefined) return [program, 'not installed'];
  const {
    ratioToCsvParse = 0,
    clockRatioToCsvParse = 0,
    rowsPerSecond = 0,
    spread = 0,
    clockMs = 0,
    peakRssMb = 0,
  } = figures;
  return [
    program,
    ratioToCsvParse.toFixed(2),
    clockRatioToCsvParse.toFixed(2),
    whole(rowsPerSecond),
    whole(cpuMs),
    `±${Math.round(spread * 100)} %`,
    whole(clockMs),
    whole(peakRssMb),
  ];
}

const endToEndLines = (figures: readonly EndToEndFigures[]): string[] => [
  'End to end: from the upload until every port is created, relative to the rate limit (aim 1.15)',
  ...formatTable(
    columns('calls per second', 'ms per call', 'requests', 'seconds', 'relative to the limit', 'calls per request'),
    figures.map(({ callsPerSecond, msPerCall, requests, secondsToCreated, ratioToLimit, callsPerRequest }) => [
      String(callsPerSecond),
      String(msPerCall),
      whole(requests),
      secondsToCreated.toFixed(1),
      ratioToLimit.toFixed(2),
      callsPerRequest.toFixed(2),
    ]),
  ),
];

const smallFileLines = ({ rows, msToCreated, msToShown }: SmallFileFigures): string[] => [
  `A file of ${rows} rows: created ${msToCreated} ms after the upload begins (aim 150), shown ${msToShown} ms later (aim 1,000)`,
];

function throughputLines(figures: ThroughputFigures): string[] {
  const { rows, requests, seconds, rowsPerSecond, rowsPerSecondOfTwoCores, coresUsed, load, stages } = figures;
  return [
    `Throughput: ${whole(rows)} rows, ${whole(requests)} requests, upload to created in ${seconds} s`,
    `${whole(rowsPerSecond)} rows/s (aim 2,000) on ${coresUsed.toFixed(1)} cores, load ${load}; at most ${whole(rowsPerSecondOfTwoCores)} on two idle cores`,
    ...formatTable(
      columns('process', 'CPU µs/row', 'processes', 'peak MB'),
      Object.entries(stages).map(([stage, { cpuMicrosecondsPerRow, processes, peakRssMb }]) => [
        stage,
        whole(cpuMicrosecondsPerRow),
        String(processes),
        whole(peakRssMb),
      ]),
    ),
  ];
}

const syncLines = (figures: readonly SyncFigures[]): string[] => [
  'Sync: calls of the run with the most calls',
  ...formatTable(
    columns('ports', 'live', 'changed', 'calls', 'bound', 'naive', 'runs', 'write units', 'CPU ms'),
    figures.map(({ ports, live, changed, calls, bound, naiveCalls, runs, writeUnits, cpuMs }) =>
      [ports, live, changed, calls, bound, naiveCalls, runs, writeUnits, cpuMs].map(whole),
    ),
  ),
];

const reconcileLines = (figures: readonly ReconcileFigures[]): string[] => [
  'Reconcile: calls that resolve an unknown outcome',
  ...formatTable(
    columns('listed ports, and what is sought', 'calls', 'runs', 'before'),
    figures.map(({ listed, outcome, calls, runs, callsBefore }) => [
      `${whole(listed)}, ${outcome}`,
      ...[calls, runs].map(whole),
      callsBefore === 0 ? 'never' : whole(callsBefore),
    ]),
  ),
];

const freshnessLines = (figures: readonly FreshnessFigures[]): string[] => [
  'Freshness: minutes from a change to the read that sees it, median / 95 of 100',
  ...formatTable(
    columns('live ports', 'calls per second', 'share of the calls', 'Submitted', 'Locked', 'Ported', 'Complete'),
    figures.map(({ livePorts, callsPerSecond, shareOfCalls, minutes }) => [
      whole(livePorts),
      String(callsPerSecond),
      `${(shareOfCalls * 100).toFixed(1)} %`,
      ...['Submitted', 'Locked', 'Ported', 'Complete'].map((status) => {
        const { median, most } = minutes[status] ?? { median: 0, most: 0 };
        return `${whole(median)} / ${whole(most)}`;
      }),
    ]),
  ),
];

const cliLines = (figures: readonly CliFigures[]): string[] => [
  'Commands: wall time of a new process',
  ...formatTable(
    columns('command', 'ms'),
    figures.map(({ command, ms }) => [command, whole(ms)]),
  ),
];

const verdictLines = (figures: readonly VerdictFigures[]): string[] => [
  'Verdict: from the upload until every row is accepted or invalid',
  ...formatTable(
    columns('file', 'rows', 'MB', 'seconds', 'rows/s', 'relative to CSV', 'CPU seconds of ingest', 'peak MB'),
    figures.map(({ file, rows, megabytes, seconds, rowsPerSecond, ratioToCsv, cpuSeconds, peakRssMb }) => [
      ...[file, whole(rows), megabytes.toFixed(1), seconds.toFixed(1), whole(rowsPerSecond), ratioToCsv.toFixed(2)],
      ...[cpuSeconds.toFixed(1), whole(peakRssMb)],
    ]),
  ),
];

const changesLines = (figures: readonly ChangesFigures[]): string[] => [
  'Changes: until a file that names ports, or a new date, is planned (aim 60 seconds)',
  ...formatTable(
    columns('change', 'rows', 'ports', 'calls per second', 'answered after (ms)', 'seconds', 'calls'),
    figures.map(({ change, rows, ports, callsPerSecond, msPerCall, seconds, calls }) => [
      ...[change, whole(rows), whole(ports), whole(callsPerSecond), whole(msPerCall), seconds.toFixed(1), whole(calls)],
    ]),
  ),
];

const consoleLines = (figures: readonly ConsoleFigures[]): string[] => [
  'Console: until a person sees the result, in a browser on the local emulator',
  ...formatTable(
    columns('screen', 'amount', 'ms', 'aim ms'),
    figures.map(({ screen, amount, ms, aimMs }) => [screen, ...[amount, ms, aimMs].map(whole)]),
  ),
];

const writeLines = ({ requests }: WriteFigures): string[] => [
  'Writes: units from upload to Complete (aim 4 per row)',
  ...formatTable(
    columns('rows of the request', 'units', 'units/row'),
    requests.map(({ rows, units, unitsPerRow }) => [String(rows), whole(units), unitsPerRow.toFixed(2)]),
  ),
];

const startupLines = (figures: readonly StartupFigures[]): string[] => [
  'Start-up (aim 1.3)',
  ...formatTable(
    columns('bundle', 'bytes', 'gzipped', 'bytes / bare', 'bytes / trimmed', 'import ms', 'import / bare'),
    figures.map(({ name, bytes, gzippedBytes, ratioOfBytes, ratioOfBytesToTrimmed, importMs, ratioOfImport }) => [
      name,
      ...[bytes, gzippedBytes].map(whole),
      ratioOfBytes.toFixed(2),
      ratioOfBytesToTrimmed.toFixed(2),
      whole(importMs),
      ratioOfImport.toFixed(2),
    ]),
  ),
];

/** One table per measured part. */
export function linesOf(figures: BenchFigures): string[] {
  const { ingest, throughput, endToEnd, smallFile, sync, reconcile, freshness, writes, startup, cli } = figures;
  const { verdict, changes, console } = figures;
  const tables = [
    ingest && ingestLines(ingest),
    throughput && throughputLines(throughput),
    endToEnd && endToEndLines(endToEnd),
    smallFile && smallFileLines(smallFile),
    sync && syncLines(sync),
    reconcile && reconcileLines(reconcile),
    freshness && freshnessLines(freshness),
    writes && writeLines(writes),
    startup && startupLines(startup),
    cli && cliLines(cli),
    verdict && verdictLines(verdict),
    changes && changesLines(changes),
    console && consoleLines(console),
  ];
  return tables.flatMap((lines) => (lines === undefined ? [] : [...lines, '']));
}
