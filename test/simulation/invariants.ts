// What must be true, of the files that were dropped, the ledger, the results and the service's own ports, compared number by
// number: at any moment (invariants I1, I3, I4 and I6), and once everything has settled (I8 as well).
import { parse } from 'csv-parse/sync';
import type { Port } from '#functions/porting-service/port.ts';
import { importId, tokenOfPortName } from '#shared/domain/identity.ts';
import type { ImportItem, PortItem, RequestItem } from '#shared/domain/ledger.ts';
import { unpackLines } from '#shared/domain/lines.ts';
import { portsOf } from '#shared/domain/request-state.ts';
import type { Item } from '../support/twin-expression.ts';
import { buckets } from './pipeline.ts';
import type { Row, Upload } from './scenario.ts';

export interface Dropped extends Upload {
  readonly version: string;
}

/** Everything there is to see at the end. */
export interface Outcome {
  /** Ports were followed until each is complete, cancelled, or waits for a person. */
  readonly isWhole: boolean;
  readonly uploads: readonly Dropped[];
  readonly items: readonly Item[];
  readonly servicePorts: readonly Port[];
  /** Text of an object. */
  readonly text: (bucket: string, key: string) => string;
  /** `bucket/key` of every object. */
  readonly places: readonly string[];
  /** Everything that was logged, sent or counted, as text. */
  readonly spoken: readonly string[];
  /** PACs, tokens and secrets. */
  readonly secrets: readonly string[];
}

interface Ledger {
  readonly requests: readonly RequestItem[];
  readonly ports: ReadonlyMap<string, PortItem>;
  /** The service's ports by the token at the end of their name. */
  readonly byToken: ReadonlyMap<string, readonly Port[]>;
}

/** A row that is accepted. */
export const isGood = ({ msisdn }: Row): boolean => /^07\d{9}$/.test(msisdn);
const e164 = ({ msisdn }: Row): string => `44${msisdn.slice(1)}`;

/** What does not hold although it must at every moment, whatever is under way. */
export function violationsNow(outcome: Outcome): string[] {
  const ledger = ledgerOf(outcome);
  return [
    ...outcome.uploads.flatMap((upload) => judgeProgress(upload, outcome, ledger)),
    ...ledger.requests.flatMap((request) => judgeWaiting(request, ledger)),
    ...judgePorts(outcome, ledger),
    ...judgeSecrets(outcome),
  ];
}

/** Every invariant that does not hold once everything has settled, in words. */
export function violationsOf(outcome: Outcome): string[] {
  const ledger = ledgerOf(outcome);
  return [
    ...outcome.uploads.flatMap((upload) => judgeImport(upload, outcome, ledger)),
    ...ledger.requests.flatMap((request) => judgeRequest(request, ledger, outcome.isWhole)),
    ...judgePorts(outcome, ledger),
    ...judgeLost(outcome, ledger),
    ...judgeSecrets(outcome),
  ];
}

function ledgerOf({ items, servicePorts }: Outcome): Ledger {
  const requests = items.filter(({ sk }) => String(sk).startsWith('request#')) as unknown as RequestItem[];
  const ports = items.filter(({ sk }) => sk === 'port') as unknown as PortItem[];
  const byToken = Map.groupBy(servicePorts, ({ name }) => tokenOfPortName(name) ?? '');
  return { requests, ports: new Map(ports.map((port) => [port.portId, port])), byToken };
}

const idOf = ({ key, version }: Dropped): string => importId({ bucket: buckets.inbox, key, version });

export const importOf = (upload: Dropped, { items }: Pick<Outcome, 'items'>): ImportItem | undefined =>
  items.find(({ pk, sk }) => pk === `import#${idOf(upload)}` && sk === 'import') as unknown as ImportItem | undefined;

const requestsOf = (upload: Dropped, { requests }: Ledger): RequestItem[] =>
  requests.filter((request) => request.importId === idOf(upload));

function judgeImport(upload: Dropped, outcome: Outcome, ledger: Ledger): string[] {
  const id = idOf(upload);
  const item = importOf(upload, outcome);
  if (item === undefined) return [`I8 ${upload.key} never became an import`];
  const own = requestsOf(upload, ledger);
  const violations = judgeResults(upload, id, own, outcome);
  if (upload.isHeld) {
    if (item.state !== 'planned') violations.push(`I4 import ${id} waits for approval, and is ${item.state}`);
    return own.length === 0 ? violations : [...violations, `I2 import ${id} has requests that nobody approved`];
  }
  if (!isReleased(item)) violations.push(`I1 ${upload.key}: never released, ${item.state}`);
  violations.push(...judgeProgress(upload, outcome, ledger));
  if (!['refused', 'following', 'completed'].includes(item.state)) {
    violations.push(`I8 import ${id} stays in state ${item.state}`);
  }
  const ended = own.every(({ endedAt }) => endedAt !== undefined);
  if (ended !== (item.state !== 'following')) violations.push(`I8 import ${id} is ${item.state}, ended: ${ended}`);
  return violations;
}

const isReleased = ({ state }: ImportItem): boolean => ['submitting', 'following', 'completed'].includes(state);

/** Once an import is released, each of its rows is rejected or in a request. */
function judgeProgress(upload: Dropped, outcome: Outcome, ledger: Ledger): string[] {
  const item = importOf(upload, outcome);
  if (item === undefined || !isReleased(item)) return [];
  const sent = requestsOf(upload, ledger).reduce((sum, { rowCount }) => sum + rowCount, 0);
  const good = upload.rows.filter(isGood).length;
  const isWhole = item.rows === upload.rows.length && item.rejected + sent === item.rows && sent === good;
  return isWhole
    ? []
    : [`I1 ${upload.key}: ${upload.rows.length} rows, ${item.rejected} rejected, ${sent} in requests`];
}

/** A request that has not ended has a time at which somebody looks after it, or waits for a person. */
function judgeWaiting(request: RequestItem, { ports }: Ledger): string[] {
  const { state, dueAt, endedAt, portId } = request;
  const waits = dueAt !== undefined || ports.get(portId ?? '')?.dueAt !== undefined;
  if (endedAt !== undefined || waits || state === 'needs-human') return [];
  return [`I4 request ${request.request} of ${request.importId} (${state}) waits for nothing`];
}

interface ResultLine {
  readonly msisdn: string;
  readonly line: string;
  readonly outcome: string;
  readonly portId: string;
  readonly status: string;
}

/** results.csv has every line once, and says of each what the service says. */
function judgeResults(upload: Dropped, id: string, own: readonly RequestItem[], outcome: Outcome): string[] {
  const text = outcome.text(buckets.results, `imports/${id}/results.csv`);
  const lines: ResultLine[] = parse(text, { columns: true });
  if (lines.length !== upload.rows.length) return [`I1 results.csv of ${id} has ${lines.length} lines`];
  const wrong = lines.filter(({ line, portId, outcome: told }) => {
    const request = own.find(({ lines: packed }) => unpackLines(packed ?? '').includes(Number(line)));
    const port = outcome.servicePorts.find((each) => each.id === portId);
    const ended = port?.status === 'Complete' || port?.status === 'Cancelled';
    return request !== undefined && (request.portId ?? '') !== portId ? true : told === 'complete' && !ended;
  });
  return wrong.map(({ line, outcome: told, portId }) => `I8 results.csv of ${id}, line ${line}: ${told} in ${portId}`);
}

function judgeRequest(request: RequestItem, { byToken, ports }: Ledger, isWhole: boolean): string[] {
  const which = `request ${request.request} of ${request.importId} (${request.state})`;
  const made = byToken.get(request.token) ?? [];
  const known = portsOf(request);
  const unknown = made.filter(({ id }) => !known.includes(id));
  const violations = unknown.map(({ id }) => `I3 ${which} knows nothing of port ${id}`);
  if (made.length > 1 && unknown.length === 0) violations.push(`I3 ${which} has ${made.length} ports, and says so`);
  if (['planned', 'in-flight', 'unknown'].includes(request.state)) violations.push(`I8 ${which} never ended`);
  if (request.state === 'needs-human') violations.push(`I8 ${which} needs a person: ${request.error?.message}`);
  if (request.state === 'refused' && !isGivenUp(request))
    violations.push(`I8 ${which} was refused: ${request.error?.message}`);
  if (request.state !== 'created') return violations;
  const followed = ports.get(request.portId ?? '');
  violations.push(...judgeCreated(request, which, made, followed));
  const waits = request.endedAt === undefined && followed?.attention === 0 && followed.concern === undefined;
  if (isWhole && waits) violations.push(`I4 ${which} waits, and nobody is told: its port is ${followed.status}`);
  return violations;
}

function judgeCreated(
  request: RequestItem,
  which: string,
  made: readonly Port[],
  followed: PortItem | undefined,
): string[] {
  const port = made.find(({ id }) => id === request.portId);
  if (port === undefined) return [`I3 ${which} names port ${request.portId}, which does not exist`];
  const violations: string[] = [];
  if (port.rows.length !== unpackLines(request.lines ?? '').length) {
    violations.push(
      `I3 ${which} sent ${unpackLines(request.lines ?? '').length} rows, its port has ${port.rows.length}`,
    );
  }
  if (followed === undefined) violations.push(`I4 ${which} has a port that nobody follows`);
  else if (request.endedAt === undefined && followed.dueAt === undefined) {
    violations.push(`I4 ${which} waits for nothing: its port is ${followed.status}`);
  }
  return violations;
}

const released = (uploads: readonly Dropped[]): Set<string> =>
  new Set(uploads.flatMap(({ isHeld, rows }) => (isHeld ? [] : rows.filter(isGood).map(e164))));

/** Every port was asked for by a request of ours, for numbers that somebody wants, and no number goes on in two of them. */
function judgePorts({ uploads, servicePorts }: Outcome, { requests }: Ledger): string[] {
  const flagged = new Set(requests.flatMap(({ duplicatePortIds }) => duplicatePortIds ?? []));
  const tokens = new Set(requests.map(({ token }) => token));
  const wanted = released(uploads);
  const strange = servicePorts.filter(
    ({ name, rows }) => !tokens.has(tokenOfPortName(name) ?? '') || rows.some(({ number }) => !wanted.has(number)),
  );
  const live = servicePorts
    .filter(({ id, status }) => !flagged.has(id) && status !== 'Cancelled')
    .flatMap(({ rows }) => rows.filter(({ status }) => status !== 'Cancelled').map(({ number }) => number));
  const twice = new Set(live.filter((number, place) => live.indexOf(number) < place));
  return [
    ...strange.map(({ id }) => `I2 nobody asked for port ${id}`),
    ...[...twice].map((number) => `I3 number ${number} is in two ports`),
  ];
}

const isGivenUp = ({ error }: RequestItem): boolean => error?.kind === 'given-up';

/** No number that was accepted is without a port, but those that a person gave up. */
function judgeLost({ uploads, servicePorts }: Outcome, ledger: Ledger): string[] {
  const held = new Set(servicePorts.flatMap(({ rows }) => rows.map(({ number }) => number)));
  const given = new Set(uploads.flatMap((upload) => givenUpOf(upload, ledger)));
  return [...released(uploads)]
    .filter((number) => !held.has(number) && !given.has(number))
    .map((number) => `I8 number ${number} was lost`);
}

/** The header is line 1. */
const givenUpOf = (upload: Dropped, ledger: Ledger): string[] =>
  requestsOf(upload, ledger)
    .filter(isGivenUp)
    .flatMap(({ lines = '' }) => unpackLines(lines).map((line) => e164(upload.rows[line - 2] as Row)));

/** PACs may stand only in what the customer gave and gets back to drop again (decision 44). */
function judgeSecrets({ spoken, items, text, places, secrets }: Outcome): string[] {
  const published = places
    .filter((place) => place.startsWith(`${buckets.results}/`) && !/(rejected|correct-create-port)\.csv$/.test(place))
    .map((place) => text(buckets.results, place.slice(buckets.results.length + 1)));
  const everything = [...spoken, ...items.map((item) => JSON.stringify(item)), ...published].join('\n');
  return secrets.filter((secret) => everything.includes(secret)).map((secret) => `I6 ${secret} was told`);
}
