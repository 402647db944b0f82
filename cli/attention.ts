// Everything that waits for a person, the worst first: what holds the most good lines, then what can be cancelled for the
// shortest time, then what has the most bad lines; at last imports of which requests were refused.
import { type DriftItem, describeDrift } from '#shared/domain/drift.ts';
import { hostages } from '#shared/domain/hostages.ts';
import type { ImportItem, PortItem, PortRowState, RequestItem } from '#shared/domain/ledger.ts';
import { portStatus, rowStatus } from '#shared/domain/lifecycle.ts';
import { correctionHint } from './corrections.ts';
import { hint } from './hint.ts';
import type { AttentionEntryJson } from './json-shapes.ts';
import { counted } from './output/text.ts';
import type { Target } from './target.ts';

/** Of each kind, before the worst are picked. Ports tell how many lines they hold without their rows being read. */
const mostRead = 10_000;
/** What was refused needs nobody but once: it is told for so long after the file was dropped. */
const refusedForMs = 7 * 86_400_000;

export interface Attention {
  readonly entries: readonly AttentionEntryJson[];
  /** What waits besides. */
  readonly more: number;
  /** There is more than was read: `more` is the least that it may be. */
  readonly isCut: boolean;
  /** Imports of late of which nothing was refused, but rows were withdrawn: mostly a file was dropped twice, and nobody is needed. */
  readonly withdrawn: readonly Pick<ImportItem, 'importId' | 'withdrawnRows'>[];
}

/** Reads the ports that wait, the requests of which nobody can know what became of them, and what was refused of late. */
export async function readAttention(target: Target, now: number, most = mostRead): Promise<Attention> {
  const { account } = target.resources;
  const since = new Date(now - refusedForMs).toISOString();
  const [waitingPorts, requests, drifts, imports] = await Promise.all([
    target.ports.attention(account, mostRead),
    target.requests.leftToPeople(mostRead),
    target.drifts.found(account, mostRead),
    target.imports.list(account, { since, limit: mostRead }),
  ]);
  const ports = waitingPorts
    .sort((one, other) => other.goodLines - one.goodLines || earlier(one.cancelBy, other.cancelBy))
    .slice(0, most);
  const refused = imports.filter(hasRefused);
  const others = [requests.map(requestEntry), drifts.map(driftEntry), refused.map(refusedEntry)];
  const entries = await portEntries(target, ports);
  entries.push(...others.flatMap((ofKind) => ofKind.slice(0, most)));
  entries.sort(
    (one, other) =>
      other.held - one.held || earlier(one.cancelBy, other.cancelBy) || other.numbers.length - one.numbers.length,
  );
  const found = others.reduce((sum, { length }) => sum + length, waitingPorts.length);
  const isCut = [waitingPorts, requests, drifts, imports].some(({ length }) => length >= mostRead);
  const withdrawn = imports.filter((item) => !hasRefused(item) && item.withdrawnRows > 0);
  return { entries, more: found - entries.length, isCut, withdrawn };
}

async function portEntries(target: Target, ports: readonly PortItem[]): Promise<AttentionEntryJson[]> {
  const rows = new Map<string, readonly PortRowState[]>();
  for await (const read of target.ports.rowsOf(ports.map(({ portId }) => portId))) rows.set(read.portId, read.rows);
  return ports.map((port) => portEntry(port, rows.get(port.portId) ?? []));
}

/** What cannot be cancelled any more, or never could, is less urgent. */
const earlier = (one?: string | null, other?: string | null): number => instant(one) - instant(other);
const instant = (text: string | null | undefined): number =>
  text == null ? Number.MAX_SAFE_INTEGER : Date.parse(text);

function portEntry(port: PortItem, rows: readonly PortRowState[]): AttentionEntryJson {
  const gate = hostages(rows.map(({ msisdn, status }) => ({ msisdn, statusName: status })));
  const bad = rows.filter(({ status }) => rowStatus(status).attention);
  const rowAdvice = [...new Set(bad.map(({ status }) => rowStatus(status).advice))].join('; ');
  return {
    kind: 'port',
    id: port.portId,
    importId: port.importId,
    status: port.status,
    held: gate.held.length,
    summary: gate.summary,
    cancelBy: port.cancelBy ?? null,
    next: bad.some(({ status }) => rowStatus(status).amendable) ? correctionHint(port.importId) : null,
    numbers: bad.map(({ line, msisdn, status, message }) => ({ line, msisdn, status, message: message ?? null })),
    whatToDo: port.concern ?? (rowAdvice || portStatus(port.status).advice || 'look at it in the portal'),
  };
}

/** Nothing is held, and nothing can be cancelled any more: services are mended when somebody has the time. */
const driftEntry = ({ importId, portId, sims }: DriftItem): AttentionEntryJson => ({
  kind: 'drift',
  id: portId,
  importId,
  status: 'Complete',
  held: 0,
  summary: '',
  cancelBy: null,
  next: hint(`drift ${importId} --csv drift.csv`),
  numbers: sims.map((sim) => ({
    line: sim.line,
    msisdn: sim.msisdn,
    status: 'Complete',
    message: describeDrift(sim),
  })),
  whatToDo: 'SIMs have other services than were asked for: set them again by bar-service-config',
});

const hasRefused = ({ requests: { refused = 0 } }: ImportItem): boolean => refused > 0;

/** Its rows are held by nothing, and on their way by nothing either. */
function refusedEntry({ importId, requests: { refused = 0 }, withdrawnRows }: ImportItem): AttentionEntryJson {
  const what = [
    `${counted(refused, 'request')} refused`,
    ...(withdrawnRows > 0 ? [`${counted(withdrawnRows, 'row')} withdrawn`] : []),
  ];
  return {
    kind: 'import',
    id: importId,
    importId,
    status: 'refused',
    held: 0,
    summary: what.join(', '),
    cancelBy: null,
    next: hint(`results ${importId}`),
    numbers: [],
    whatToDo: `${what.join(', ')}: not on their way by this import; results has the reason of each line`,
  };
}

const requestEntry = ({ importId, request, token, rowCount, error }: RequestItem): AttentionEntryJson => ({
  kind: 'request',
  id: `${importId}/${request}`,
  importId,
  status: 'needs-human',
  held: rowCount,
  summary: '',
  cancelBy: null,
  next: hint(`decide ${importId}/${request}`),
  numbers: [],
  whatToDo: `nobody can know from here whether the service took it (${error?.message ?? 'no answer'}): look for ${token} in the portal, then decide`,
});
