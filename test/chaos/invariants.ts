// Checks the uploaded files, the ledger, the results and the ports of the service against each other, number by number:
// invariants I1, I3, I4 and I6 at any time, and I8 when everything has finished.
import { parse } from 'csv-parse/sync';
import { asksForApproval } from '#shared/import/approval.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { comparisonPrefix } from '#shared/outcome/service-comparison.ts';
import type { PortItem } from '#shared/port/port.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { allPortsOf, isStopped, openPortsOf } from '#shared/request/request-state.ts';
import { tokenOfPortName } from '#shared/text/identity.ts';
import type { Port } from '#simulator/ports/port.ts';
import { isErased, isLeft, isTooLate } from './expired-plans.ts';
import { isUploadGone } from './gone-uploads.ts';
import { checkMovedNumbers } from './moved-numbers.ts';
import { type Dropped, idOf, importOf, type Outcome } from './outcome.ts';
import { buckets } from './pipeline.ts';
import { checkOffered, isDeclinedForOffer, linesRejectedRightly } from './rejected-rows.ts';
import { checkResults, readResultLines } from './result-lines.ts';
import { formerNumber, type Row } from './scenario.ts';

interface Ledger extends Pick<Outcome, 'lateTokens' | 'forgottenPorts' | 'offers' | 'places'> {
  readonly requests: readonly RequestItem[];
  readonly ports: ReadonlyMap<string, PortItem>;
  /** Requests, as `import/request`, whose settings are read back. */
  readonly compared: ReadonlySet<string>;
  /** The ports of the service by the token at the end of their name. */
  readonly byToken: ReadonlyMap<string, readonly Port[]>;
}

/** A valid row. */
export const isValid = ({ msisdn }: Row): boolean => /^07\d{9}$/.test(msisdn);
const e164 = ({ msisdn }: Row): string => `44${msisdn.slice(1)}`;

/** The valid rows that nobody left out. The header is line 1. */
const wantedRows = ({ rows, leftOut }: Dropped): Row[] =>
  rows.filter((row, index) => isValid(row) && leftOut?.has(index + 2) !== true);

/** What the last reading of the file leaves out, and valid rows that it rejects. */
function leftOutOf(upload: Dropped, outcome: Outcome): Pick<Dropped, 'leftOut'> {
  const key = importOf(upload, outcome)?.reading?.key;
  const leftOut =
    key === undefined ? [] : (JSON.parse(outcome.text(buckets.inbox, key)) as { leftOut: number[] }).leftOut;
  return { leftOut: new Set([...leftOut, ...linesRejectedRightly(upload, outcome)]) };
}

const asRead = (outcome: Outcome): Outcome => ({
  ...outcome,
  uploads: outcome.uploads.map((upload) => ({ ...upload, ...leftOutOf(upload, outcome) })),
});

/** Nothing is sent of a plan that nobody approved: the file may be read again while a person approves it. */
const checkApproved = ({ uploads, items }: Outcome): string[] =>
  uploads.flatMap((upload) => {
    const { approvedAt, planHash = '' } = importOf(upload, { items }) ?? {};
    if (approvedAt === undefined || upload.approved === undefined || upload.approved.has(planHash)) return [];
    return [`I2 ${upload.key}: a plan is sent that nobody approved`];
  });

/** The violations of invariants that hold at any time. */
export function violationsNow(observed: Outcome): string[] {
  const outcome = asRead(observed);
  const ledger = ledgerOf(outcome);
  return [
    ...checkApproved(outcome),
    ...outcome.uploads.flatMap((upload) => checkProgress(upload, outcome, ledger)),
    ...outcome.uploads.flatMap((upload) => checkOffered(upload, outcome)),
    ...ledger.requests.filter((each) => !isBeingAdopted(each, outcome)).flatMap((each) => checkWaiting(each, ledger)),
    ...checkPorts(outcome, ledger),
    ...checkSecrets(outcome),
    ...checkExpiry(outcome),
  ];
}

/** All items of an import expire together, so that no half of it stays. */
function checkExpiry({ items }: Outcome): string[] {
  const imports = items.filter(({ sk }) => sk === 'import');
  const known = new Set(imports.map(({ expiresAt }) => expiresAt));
  return items
    .filter(({ pk }) => /^(?:import|number|port)#/.test(String(pk)))
    .filter(({ expiresAt }) => typeof expiresAt !== 'number' || !known.has(expiresAt))
    .map(({ pk, sk }) => `${pk} / ${sk} does not expire with its import`);
}

/** An import that ports a number again that a person cancelled waits for an approval that never comes. */
function waitOf(upload: Dropped, outcome: Outcome): { readonly isHeld?: true } {
  const item = importOf(upload, outcome);
  return item?.state === 'planned' && item.issues.some(asksForApproval) ? { isHeld: true } : {};
}

/** The violations of all invariants when everything has finished. */
export function violationsOf(observed: Outcome): string[] {
  const outcome = asRead({
    ...observed,
    uploads: observed.uploads.map((upload) => ({ ...upload, ...waitOf(upload, observed) })),
  });
  const ledger = ledgerOf(outcome);
  return [
    ...outcome.uploads.flatMap((upload) => checkImport(upload, outcome, ledger)),
    ...outcome.uploads.flatMap((upload) => checkOffered(upload, outcome)),
    ...ledger.requests.flatMap((request) => checkRequest(request, ledger, outcome.isWhole)),
    ...checkPorts(outcome, ledger),
    ...checkApproved(outcome),
    ...checkLost(outcome, ledger),
    ...checkMoves(outcome, ledger),
    ...checkMovedNumbers(outcome),
    ...checkAdopted(outcome),
    ...checkSecrets(outcome),
  ];
}

function ledgerOf({ items, servicePorts, lateTokens, forgottenPorts, offers, places }: Outcome): Ledger {
  const requests = items.filter(({ sk }) => String(sk).startsWith('request#')) as unknown as RequestItem[];
  const ports = items.filter(({ sk }) => sk === 'port') as unknown as PortItem[];
  const adopted = new Map(requests.map(({ portId, token }) => [portId, token]));
  const byToken = Map.groupBy(servicePorts, ({ id, name }) => tokenOfPortName(name) ?? adopted.get(id) ?? '');
  const byId = new Map(ports.map((port) => [port.portId, port]));
  const comparisons = items.filter(({ sk, dueAt }) => String(sk).startsWith(comparisonPrefix) && dueAt !== undefined);
  const compared = new Set(comparisons.map(({ importId: id, request }) => `${id}/${request}`));
  return { requests, lateTokens, forgottenPorts, places, ports: byId, byToken, compared, ...(offers && { offers }) };
}

const requestsOf = (upload: Dropped, { requests }: Ledger): RequestItem[] =>
  requests.filter((request) => request.importId === idOf(upload));

const mayHaveRows = (upload: Dropped, outcome: Outcome): boolean =>
  wantedRows(upload).length > 0 && !isErased(upload, outcome);

function checkImport(upload: Dropped, outcome: Outcome, ledger: Ledger): string[] {
  const id = idOf(upload);
  const item = importOf(upload, outcome);
  if (item === undefined) return [`I8 ${upload.key} never became an import`];
  const own = requestsOf(upload, ledger);
  // A file whose reading is cut off three times is rejected with that reason, and nothing of it is sent.
  if (isCutOff(item)) {
    return own.length === 0 ? [] : [`I2 rejected import ${id} has requests`];
  }
  const violations = checkResults(upload, item, own, { ...outcome, ...ledger });
  if (upload.isHeld) {
    // Without a row that can be sent there is nothing to approve.
    const expected = mayHaveRows(upload, outcome) ? 'planned' : 'rejected';
    if (item.state !== expected) violations.push(`I4 import ${id} should be ${expected} and is ${item.state}`);
    return own.length === 0 ? violations : [...violations, `I2 import ${id} has requests without approval`];
  }
  const hasRows = mayHaveRows(upload, outcome);
  if (isReleased(item) !== hasRows) violations.push(`I1 ${upload.key}: ${item.state}, with rows to send: ${hasRows}`);
  violations.push(...checkProgress(upload, outcome, ledger));
  if (!['rejected', 'in-progress', 'finished'].includes(item.state)) {
    violations.push(`I8 import ${id} stays in state ${item.state}`);
  }
  if (!hasRows) return violations;
  const ended = own.every(({ endedAt }) => endedAt !== undefined);
  if (ended !== (item.state !== 'in-progress')) violations.push(`I8 import ${id} is ${item.state}, ended: ${ended}`);
  return violations;
}

const isReleased = ({ state }: ImportItem): boolean =>
  ['submitting', 'scheduled', 'stopped', 'in-progress', 'finished'].includes(state);

/** After the release of an import, each of its rows is rejected or in a request. */
function checkProgress(upload: Dropped, outcome: Outcome, ledger: Ledger): string[] {
  const item = importOf(upload, outcome);
  if (item === undefined || !isReleased(item)) return [];
  const sent = requestsOf(upload, ledger).reduce((sum, { rowCount }) => sum + rowCount, 0);
  const good = wantedRows(upload).length;
  const { rows, rejected, leftOut = 0 } = item;
  // What was found about a number that was forgotten is erased with the file.
  const isErasedRow = (row: Row) => isUploadGone(upload, outcome) && outcome.forgottenNumbers?.has(e164(row));
  const isCounted = sent === good || upload.rows.some(isErasedRow);
  const isWhole = rows === upload.rows.length && rejected + leftOut + sent === rows && isCounted;
  return isWhole
    ? []
    : [`I1 ${upload.key}: ${upload.rows.length} rows, ${rejected} rejected, ${leftOut} left out, ${sent} in requests`];
}

/** The next delivery of the message continues an adoption that died. */
const isBeingAdopted = ({ importId: id }: RequestItem, { items }: Outcome): boolean =>
  items.some(({ pk, sk, state }) => pk === `import#${id}` && sk === 'import' && state === 'planning');

/** An unfinished request has a due time, requires action or waits until a person resumes its import. */
function checkWaiting(request: RequestItem, { ports, compared }: Ledger): string[] {
  const { state, dueAt, endedAt, portId } = request;
  if (state === 'accepted' && compared.has(`${request.importId}/${request.request}`)) return [];
  if (state === 'planned' && isStopped(request)) return [];
  const waits = dueAt !== undefined || ports.get(portId ?? '')?.dueAt !== undefined;
  if (endedAt !== undefined || waits || state === 'action-required') return [];
  return [`I4 request ${request.request} of ${request.importId} (${state}) is not due and requires no action`];
}

/**
 * A port is not created again that the service showed as cancelled by a person before its move was requested. The
 * service does not name who cancelled a port: once simporter has recorded that it asks for that, and since the reading
 * before, nobody can know.
 */
const checkMoves = ({ cancelledByHand, shownAt }: Outcome, { requests }: Ledger): string[] =>
  requests.flatMap(({ importId: id, request, portId, replaces }) => {
    const byHand = cancelledByHand.get(replaces?.portId ?? '') ?? Number.POSITIVE_INFINITY;
    const asked = Date.parse(replaces?.cancelRequestedAt ?? '9999');
    const isShown = shownAt.get(replaces?.portId ?? '')?.some((shown) => byHand < shown && shown <= asked);
    return isShown && portId !== undefined
      ? [`I3 request ${request} of ${id} replaces a port that a person cancelled`]
      : [];
  });

/** A port that a person made in the portal has its numbers: the answer names it, or first a number that nobody has. */
const isTakenElsewhere = ({ error }: RequestItem, { byToken }: Ledger): boolean =>
  [...byToken.values()].flat().some(({ id, name }) => {
    const message = error?.message ?? '';
    return name === nameElsewhere && (message.includes(id) || message.includes('on the stock records'));
  });

/** Why a request may be declined for good: the port that simporter would create is not wanted, or not possible. */
const isRightlyDeclined = (request: RequestItem, ledger: Ledger): boolean =>
  [isGivenUp, isDeclinedForOffer, isTakenElsewhere, isOvertaken, isTooLate].some((reason) => reason(request, ledger));

/** The service executed an earlier call hours late, just when a move had freed its numbers. Its port is a duplicate. */
const isOvertaken = ({ replaces, error }: RequestItem, { byToken, lateTokens }: Ledger): boolean =>
  replaces !== undefined &&
  [...lateTokens].some((token) => byToken.get(token)?.some(({ id }) => error?.message.includes(id)));

/** Whether a request ends, and nobody has to decide about it: resolutions find out every outcome that can be known. */
function checkEnd(request: RequestItem, which: string, ledger: Ledger): string[] {
  const { state, error } = request;
  if (['planned', 'scheduled', 'in-flight', 'unknown'].includes(state)) return [`I8 ${which} never ended`];
  if (state !== 'action-required' || isLeft(request, ledger)) return [];
  return [`I8 ${which} requires action: ${error?.message}`];
}

function checkRequest(request: RequestItem, ledger: Ledger, isWhole: boolean): string[] {
  const { byToken, ports, lateTokens, forgottenPorts } = ledger;
  const which = `request ${request.request} of ${request.importId} (${request.state})`;
  const made = byToken.get(request.token) ?? [];
  const known = allPortsOf(request);
  const findable = made.filter(({ id }) => !forgottenPorts.has(id));
  const unknown = findable.filter(({ id }) => !known.includes(id));
  const violations = unknown.map(({ id }) => `I3 ${which} does not list port ${id}`);
  const isLate = lateTokens.has(request.token);
  const concern = ports.get(request.portId ?? '')?.concern ?? '';
  const unnamed = (request.duplicatePortIds ?? []).filter((id) => !concern.includes(id));
  violations.push(...unnamed.map((id) => `I3 no concern of ${which} names its duplicate ${id}`));
  if (findable.length > 1 && unknown.length === 0 && !isLate)
    violations.push(`I3 ${which} has ${made.length} ports and lists them`);
  violations.push(...checkEnd(request, which, ledger));
  // The service declined a second delivery of the call, and nobody can find the port of the first one.
  const isHidden = findable.length < made.length;
  if (request.state === 'declined' && !isHidden && !isRightlyDeclined(request, ledger))
    violations.push(`I8 ${which} was declined: ${request.error?.message}`);
  if (request.state !== 'created') return violations;
  const followed = ports.get(request.portId ?? '');
  violations.push(...checkCreated(request, which, made, followed));
  const waits = request.endedAt === undefined && followed?.actionRequired === 0 && followed.concern === undefined;
  if (isWhole && waits) violations.push(`I4 ${which} has no required action, and its port is ${followed.status}`);
  return violations;
}

function checkCreated(
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
  if (followed === undefined) violations.push(`I4 ${which} has a port that is not followed`);
  else if (request.endedAt === undefined && followed.dueAt === undefined) {
    violations.push(`I4 ${which} is not due, and its port is ${followed.status}`);
  }
  return violations;
}

const released = (uploads: readonly Dropped[]): Set<string> =>
  new Set(uploads.flatMap((upload) => (upload.isHeld ? [] : wantedRows(upload).map(e164))));

/** Every row of a port that was adopted has its result, and the import ends with the port. */
function checkAdopted(outcome: Outcome): string[] {
  const { items, servicePorts, text } = outcome;
  const imports = items.filter(({ sk, adoptedPort }) => sk === 'import' && adoptedPort !== undefined);
  return (imports as unknown as ImportItem[]).flatMap(({ importId: id, adoptedPort, state }) => {
    if (state === 'rejected') return [];
    const port = servicePorts.find((each) => each.id === adoptedPort);
    const lines = readResultLines(id, text);
    const numbersOf = (some: typeof lines) => some.map(({ msisdn }) => `44${msisdn.slice(1)}`).sort();
    const numbers = numbersOf(lines.filter(({ portId }) => portId === adoptedPort));
    const expected = port?.rows.map(({ number }) => number) ?? [];
    const isOver = isOverAsRead(port, outcome);
    const isMoved = items.some(({ replaces }) => (replaces as RequestItem['replaces'])?.portId === adoptedPort);
    // A move takes rows of it to another port, and none gets lost.
    const isWhole = isMoved
      ? numbers.every((number) => expected.includes(number))
      : numbers.join() === expected.sort().join();
    return [
      ...(isWhole ? [] : [`I1 the results of ${id} have ${numbers.join()}`]),
      ...(numbersOf(lines).join() === expected.sort().join() ? [] : [`I1 the results of ${id} have other rows`]),
      ...(state === (isOver ? 'finished' : 'in-progress') ? [] : [`I8 adopted port ${port?.status} is ${state}`]),
    ];
  });
}

/** What people change in the portal is read within a day. */
const isOverAsRead = (port: Port | undefined, { isWhole, items }: Outcome): boolean =>
  ['Complete', 'Cancelled'].includes(port?.status ?? '') &&
  (isWhole || items.some(({ sk, portId, dueAt }) => sk === 'port' && portId === port?.id && dueAt === undefined));

/** The name of ports that were made in the portal. */
export const nameElsewhere = 'made in the portal';

/** The numbers of the corrections that were sent: no upload of the model has them. */
export const correctedNumbers = (imports: readonly ImportItem[], { text }: Pick<Outcome, 'text'>): string[] =>
  imports
    .filter((item) => item.partOf?.kind === 'correction' && isReleased(item))
    .flatMap(({ key }) => parse(text(buckets.inbox, key), { columns: true }) as Row[])
    .filter(isValid)
    .map(e164);

/** Every port belongs to a request and to wanted numbers, and no number is in two live ports. */
function checkPorts(outcome: Outcome, { requests }: Ledger): string[] {
  const { uploads, servicePorts } = outcome;
  const flagged = new Set(
    requests.flatMap((item) => (item.isLate ? openPortsOf(item) : (item.duplicatePortIds ?? []))),
  );
  const tokens = new Set(requests.map(({ token }) => token));
  const elsewhere = servicePorts.filter(({ name }) => name === nameElsewhere);
  const adopted = elsewhere.flatMap(({ rows }) => rows.map(({ number }) => number));
  const imports = outcome.items.filter(({ sk }) => sk === 'import') as unknown as ImportItem[];
  const planned = outcome.planned ?? [...correctedNumbers(imports, outcome), ...(outcome.correctedBefore ?? [])];
  const wanted = new Set([...released(uploads), ...adopted, ...planned]);
  const strange = servicePorts.filter(
    ({ name, rows }) =>
      name !== nameElsewhere &&
      (!tokens.has(tokenOfPortName(name) ?? '') || rows.some(({ number }) => !wanted.has(number))),
  );
  const live = servicePorts
    .filter(({ id, name, status }) => name !== nameElsewhere && !flagged.has(id) && status !== 'Cancelled')
    .flatMap(({ rows }) => rows.filter(({ status }) => status !== 'Cancelled').map(({ number }) => number));
  const known = live.filter((number) => outcome.forgottenNumbers?.has(number) !== true);
  const twice = new Set(known.filter((number, place) => known.indexOf(number) < place));
  return [
    ...strange.map(({ id }) => `I2 no request created port ${id}`),
    ...[...twice].map((number) => `I3 number ${number} is in two ports`),
  ];
}

export const isCutOff = (item: ImportItem | undefined): boolean =>
  item?.state === 'rejected' && item.issues?.some(({ message }) => message.includes('cut off')) === true;

/** Nobody wants it any more, the port that it was to replace stays as it is, or the service declined its only row. */
const isGivenUp = (request: RequestItem): boolean =>
  request.error?.kind === 'abandoned' ||
  (unpackLines(request.lines ?? '').length === 1 && request.error?.message.includes('on the stock records') === true) ||
  isStopped(request) ||
  (request.replaces !== undefined && request.replaces.cancelledAt === undefined);

/** Every accepted number has a port, except those that a person abandoned, or stopped for good. */
function checkLost(outcome: Outcome, ledger: Ledger): string[] {
  const { servicePorts } = outcome;
  const uploads = outcome.uploads.filter(
    (upload) => !isCutOff(importOf(upload, outcome)) && !isErased(upload, outcome),
  );
  const held = new Set(servicePorts.flatMap(({ rows }) => rows.map(({ number }) => number)));
  const given = new Set(uploads.flatMap((upload) => givenUpOf(upload, ledger)));
  return [...released(uploads)]
    .filter((number) => !held.has(number) && !given.has(number) && number !== `44${formerNumber.slice(1)}`)
    .map((number) => `I8 number ${number} was lost`);
}

/** The header is line 1. What a request was to send whose plan has expired is in no other request. */
function givenUpOf(upload: Dropped, ledger: Ledger): string[] {
  const own = requestsOf(upload, ledger);
  const known = own.flatMap(({ lines = '' }) => unpackLines(lines));
  const others = upload.rows.flatMap((_, index) => (known.includes(index + 2) ? [] : [index + 2]));
  return own
    .filter((request) => isRightlyDeclined(request, ledger) || isLeft(request, ledger))
    .flatMap(({ lines }) => (lines === undefined ? others : unpackLines(lines)))
    .map((line) => e164(upload.rows[line - 2] as Row));
}

/** PACs are only in files that the customer uploaded or downloads (spec gap 44). */
function checkSecrets({ spoken, items, text, places, secrets }: Outcome): string[] {
  const published = places
    .filter((place) => place.startsWith(`${buckets.results}/`) && !/(rejected|correct-create-port)\.csv$/.test(place))
    .map((place) => text(buckets.results, place.slice(buckets.results.length + 1)));
  const everything = [...spoken, ...items.map((item) => JSON.stringify(item)), ...published].join('\n');
  // All tokens begin alike: where their beginning is not, none of them is.
  const exposed = [...Map.groupBy(secrets, (secret) => secret.slice(0, 8))].flatMap(([start, alike]) =>
    everything.includes(start) ? alike.filter((secret) => everything.includes(secret)) : [],
  );
  return exposed.map((secret) => `I6 ${secret} was exposed`);
}
