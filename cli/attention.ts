// Everything that waits for a person, the worst first: what holds the most good lines, then what can be cancelled for the
// shortest time, then what has the most bad lines.
import { type DriftItem, describeDrift } from '#shared/domain/drift.ts';
import { hostages } from '#shared/domain/hostages.ts';
import type { ImportItem, PortItem, PortRowState, RequestItem } from '#shared/domain/ledger.ts';
import { portStatus, rowStatus } from '#shared/domain/lifecycle.ts';
import { correctionHint } from './corrections.ts';
import { hint } from './hint.ts';
import type { AttentionEntryJson } from './json-shapes.ts';
import type { Target } from './target.ts';

const mostEntries = 200;
/** Ports tell how many lines they hold without their rows being read. */
const mostPorts = 2_000;

/** Reads the ports that wait, and the requests of which nobody can know what became of them. */
export async function readAttention(target: Target): Promise<AttentionEntryJson[]> {
  const { account } = target.resources;
  const [waitingPorts, imports, drifts] = await Promise.all([
    target.ports.attention(account, mostPorts),
    target.imports.list(account, { limit: mostEntries }),
    target.drifts.found(account, mostEntries),
  ]);
  const ports = waitingPorts
    .sort((one, other) => other.goodLines - one.goodLines || earlier(one.cancelBy, other.cancelBy))
    .slice(0, mostEntries);
  const rows = new Map<string, readonly PortRowState[]>();
  for await (const read of target.ports.rowsOf(ports.map(({ portId }) => portId))) rows.set(read.portId, read.rows);
  const waiting = ports.map((port) => portEntry(port, rows.get(port.portId) ?? []));
  for (const item of imports.filter(({ requests }) => (requests['needs-human'] ?? 0) > 0)) {
    waiting.push(...(await requestEntries(target, item)));
  }
  waiting.push(...drifts.map(driftEntry));
  return waiting.sort(
    (one, other) =>
      other.held - one.held || earlier(one.cancelBy, other.cancelBy) || other.numbers.length - one.numbers.length,
  );
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

async function requestEntries(target: Target, item: ImportItem): Promise<AttentionEntryJson[]> {
  const entries: AttentionEntryJson[] = [];
  for await (const request of target.requests.ofImport(item.importId)) {
    if (request.state === 'needs-human') entries.push(requestEntry(request));
  }
  return entries;
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
