// A second judge of the simulations: it reads only what people see (results.csv, the list of imports, what is wrong
// with a port) and what the service has, and shares no code with the product or with invariants.ts. Every row has one
// end, which agrees with the service; nothing waits in an import that is finished; no advice does harm if it is
// followed.
import { parse } from 'csv-parse/sync';
import type { Port } from '#simulator/ports/port.ts';
import type { Submission } from '#simulator/store/store.ts';
import type { World } from './world.ts';

/** An import in the list, with its results.csv. */
export interface SeenImport {
  readonly importId: string;
  readonly operation: string;
  readonly state: string;
  readonly results: string;
  /** The file as a person uploaded it: results.csv has no PACs. */
  readonly upload: string;
}

/** An event about an import, or about a part that its results show. */
export interface SeenEvent {
  readonly name: string;
  readonly importId: string;
}

export interface Seen {
  readonly imports: readonly SeenImport[];
  readonly events: readonly SeenEvent[];
  /** What is wrong with ports, in words. */
  readonly concerns: readonly string[];
}

export interface AtService {
  readonly ports: readonly Port[];
  /** Ports that the service does not show to anybody any more. @default none */
  readonly hidden?: ReadonlySet<string>;
  readonly submissions: readonly Pick<Submission, 'operation' | 'body'>[];
  /** The values of the services of SIMs, by serial number. @default none */
  readonly settings?: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

interface SeenRow extends Readonly<Record<string, string>> {
  readonly line: string;
  readonly outcome: string;
  readonly portId: string;
  readonly message: string;
  readonly whatToDo: string;
}

/** A person made these in the portal. Whoever wants to follow one adopts it. */
const namedElsewhere = 'made in the portal';
const open = ['waiting', 'scheduled', 'in-progress', 'unknown'];
const isAtService = ['in-progress', 'complete', 'action-required'];
const hasNotHappened = ['waiting', 'scheduled', 'declined', 'skipped', 'not-sent', 'rejected', 'duplicate'];
const asksToImport = /\bimport\b/i;

const rowsOf = ({ results }: SeenImport): SeenRow[] => parse(results, { columns: true, bom: true });
const numberOf = ({ msisdn = '' }: SeenRow): string => `44${msisdn.replace(/^0/, '')}`;

type PortRow = Port['rows'][number];
const hasLeft = ({ status }: PortRow): boolean => status === 'Cancelled' || status === 'CancellationRequested';

/** The row of a number in a port; undefined where it is not in it, or has left it. */
const liveRow = (number: string, port: Port | undefined): PortRow | undefined =>
  port === undefined || port.status === 'Cancelled'
    ? undefined
    : port.rows.find((row) => row.number === number && !hasLeft(row));

export function conservationOf(seen: Seen, service: AtService): string[] {
  return [
    ...seen.imports.flatMap(checkEnds),
    ...seen.imports.flatMap((each) => checkAnnounced(each, seen.events)),
    ...seen.imports
      .filter(({ operation }) => operation === 'create-port')
      .flatMap((each) => checkPorted(each, service)),
    ...checkShown(seen, service),
    ...seen.imports.flatMap((each) => checkSubmitted(each, service)),
    ...seen.imports.flatMap((each) => checkSettings(each, service)),
    ...seen.imports.flatMap((each) => checkChanged(each, seen, service)),
  ];
}

const place = ({ importId }: SeenImport, { line }: SeenRow): string => `I9 line ${line} of ${importId}`;

/** Every row is there once, and none waits in an import that is finished. */
function checkEnds(seen: SeenImport): string[] {
  const rows = rowsOf(seen);
  const twice = rows.filter(({ line }, index) => rows.findIndex((row) => row.line === line) < index);
  const waiting = seen.state === 'finished' ? rows.filter(({ outcome }) => open.includes(outcome)) : [];
  return [
    ...twice.map((row) => `${place(seen, row)} is there twice`),
    ...waiting.map((row) => `${place(seen, row)} is ${row.outcome}, and its import is finished`),
  ];
}

/** Other systems know that an import is finished, and that a row requires action. */
function checkAnnounced(seen: SeenImport, events: readonly SeenEvent[]): string[] {
  const { importId, state } = seen;
  const has = (name: string) => events.some((event) => event.name === name && event.importId === importId);
  const needing = rowsOf(seen).find(({ outcome }) => outcome === 'action-required');
  return [
    ...(state === 'finished' && !has('ImportFinished') ? [`I9 no event says that ${importId} is finished`] : []),
    ...(needing !== undefined && !has('ActionRequired')
      ? [`${place(seen, needing)} requires action without an event`]
      : []),
  ];
}

/** A row in a port is in that port at the service. */
function checkPorted(seen: SeenImport, { ports }: AtService): string[] {
  return rowsOf(seen).flatMap((row) => {
    const { outcome, portId, whatToDo } = row;
    const number = numberOf(row);
    const port = ports.find(({ id }) => id === portId);
    const live = liveRow(number, port);
    const wrong = (what: string) => [`${place(seen, row)} is ${outcome}, and the service ${what}`];
    if (portId !== '' && port?.rows.every((each) => each.number !== number) !== false)
      return wrong(`has no such number in port ${portId}`);
    if (outcome === 'complete' && (port?.status !== 'Complete' || live === undefined))
      return wrong(`has its port ${port?.status}`);
    if (outcome === 'cancelled' && live !== undefined) return wrong('has not cancelled it');
    if (!isAtService.includes(outcome) && live !== undefined && asksToImport.test(whatToDo))
      return wrong(`has it in port ${portId}, but the advice is: ${whatToDo}`);
    return [];
  });
}

/** People see where each number is that the service ports: in a row, or in words about a port that should not be. */
function checkShown({ imports, concerns }: Seen, { ports, hidden = new Set() }: AtService): string[] {
  const rows = imports.filter(({ operation }) => operation === 'create-port').flatMap(rowsOf);
  const words = [...concerns, ...rows.map(({ message }) => message), ...rows.map(({ whatToDo }) => whatToDo)].join(
    '\n',
  );
  const byNumber = Map.groupBy(rows, numberOf);
  return ports.flatMap((port) => {
    const { id, name, rows: inPort } = port;
    if (name === namedElsewhere || hidden.has(id) || words.includes(id)) return [];
    return inPort.flatMap(({ number }) => {
      if (liveRow(number, port) === undefined) return [];
      const own = byNumber.get(number) ?? [];
      const isShown = own.some(
        ({ outcome, portId }) => outcome === 'unknown' || (isAtService.includes(outcome) && [id, ''].includes(portId)),
      );
      const shown = own.map(({ outcome, portId }) => `${outcome} ${portId}`).join(', ');
      return isShown ? [] : [`I9 ${number} is in port ${id} (${port.status}), and people see: ${shown}`];
    });
  });
}

const ticketOperations: Readonly<Record<string, RegExp>> = {
  'send-sms': /sendsms/i,
  provision: /^provision/i,
  bar: /^bar$/i,
  unbar: /^unbar$/i,
  'bar-service-config': /barserviceconfig/i,
};

/** A row of SIMs was submitted as often as people see. */
function checkSubmitted(seen: SeenImport, { submissions }: AtService): string[] {
  const kind = ticketOperations[seen.operation];
  if (kind === undefined) return [];
  const own = submissions.filter(({ operation }) => kind.test(operation.split('/').at(-1) ?? ''));
  return rowsOf(seen).flatMap((row) => {
    const { serialNumber: sim = '', message: text = '' } = row;
    const times = own.filter(({ body }) => {
      const sent = JSON.stringify(body);
      return sent.includes(`"${sim}"`) && (seen.operation !== 'send-sms' || sent.includes(JSON.stringify(text)));
    }).length;
    const isWrong =
      times > 1 ||
      (['accepted', 'complete'].includes(row.outcome) && times === 0) ||
      (hasNotHappened.includes(row.outcome) && times > 0);
    const isHarmful = times > 0 && row.outcome !== 'accepted' && /^import the row again/i.test(row.whatToDo);
    return isWrong || isHarmful ? [`${place(seen, row)} is ${row.outcome}, and was submitted ${times} times`] : [];
  });
}

/** Settings are complete only where the SIM has them. */
function checkSettings(seen: SeenImport, { settings = new Map() }: AtService): string[] {
  if (seen.operation !== 'bar-service-config') return [];
  return rowsOf(seen).flatMap((row) => {
    const { serialNumber = '', services = '', outcome } = row;
    const [name = '', value] = services.split('=');
    const isMade = settings.get(serialNumber)?.[name] === value;
    return outcome !== 'complete' || isMade ? [] : [`${place(seen, row)} is complete, and its SIM has not ${services}`];
  });
}

/**
 * A change of a port was made exactly if people see it. What names a file changes the number of that file, also after
 * its port was moved: another file may port the number afterwards.
 */
function checkChanged(seen: SeenImport, { imports }: Seen, { ports }: AtService): string[] {
  if (seen.operation !== 'cancel-port' && seen.operation !== 'update-port') return [];
  const uploaded: Readonly<Record<string, string>>[] = parse(seen.upload, { columns: true, bom: true });
  return rowsOf(seen).flatMap((row) => {
    const number = numberOf(row);
    const { pac, importId: file } = uploaded.find(({ msisdn }) => msisdn === row.msisdn) ?? {};
    const ofFile = imports.filter(({ importId }) => importId === file).flatMap(rowsOf);
    const shown = [row, ...ofFile.filter((each) => numberOf(each) === number)].map(({ portId }) => portId);
    const changed = ports.filter(({ id }) => file === undefined || shown.includes(id));
    const live = changed.map((port) => liveRow(number, port)).find((each) => each !== undefined);
    if (row.outcome !== 'accepted' || live === undefined) return [];
    const isDone = seen.operation === 'update-port' && live.pac === pac;
    return isDone ? [] : [`${place(seen, row)} is accepted, and the number is ${live.status} at the service`];
  });
}

/** An import in the list. */
interface ListedImport {
  readonly importId: string;
  readonly operation: string;
  readonly state: string;
  readonly bucket: string;
  readonly key: string;
  readonly versionId?: string;
  readonly partOf?: { readonly importId: string; readonly kind: string };
}

/** Nothing of a part is sent any more; one that waits for its approval changes nothing. */
const isOver = ({ state }: Pick<ListedImport, 'state'>): boolean => ['finished', 'rejected', 'planned'].includes(state);

/** Files whose rows are shown with their first file. */
const folded = ['correction', 'move'];

/** What people see in a world, and what its service has. */
export async function conservationIn(
  world: World,
  { ports, hidden }: Omit<AtService, 'submissions'>,
): Promise<string[]> {
  const { table, bucket, network, heard } = world;
  const items = table.items();
  const places = new Set(bucket.places());
  const all = items.filter(({ sk }) => sk === 'import') as unknown as ListedImport[];
  // A file is finished with its corrections and moves, whose rows its results show.
  const isFinished = ({ importId, state }: ListedImport): boolean =>
    state === 'finished' &&
    all.every(({ partOf, ...part }) => partOf?.importId !== importId || !folded.includes(partOf.kind) || isOver(part));
  const uploads = new Set(bucket.written('inbox').map((upload) => `${upload.key} ${upload.versionId}`));
  /** The results of an import whose upload has expired stay as they were. */
  const isGone = (item: ListedImport): boolean =>
    item.bucket === 'inbox' && !uploads.has(`${item.key} ${item.versionId}`);
  const stale = new Set(all.filter(isGone).flatMap(({ importId, partOf }) => [importId, partOf?.importId ?? importId]));
  const imports = all.flatMap((item): SeenImport[] => {
    const { importId, operation, state, partOf, key: inboxKey } = item;
    const key = `imports/${importId}/results.csv`;
    if (folded.includes(partOf?.kind ?? '') || stale.has(importId) || !places.has(`results/${key}`)) return [];
    const shownState = state === 'finished' && !isFinished(item) ? 'in-progress' : state;
    const upload = ['update-port', 'cancel-port'].includes(operation) ? bucket.text('inbox', inboxKey) : '';
    return [{ importId, operation, state: shownState, results: bucket.text('results', key), upload }];
  });
  const concerns = items.flatMap(({ sk, concern }) => (sk === 'port' && concern ? [String(concern)] : []));
  const firstOf = new Map(all.map(({ importId, partOf }) => [importId, partOf?.importId]));
  const events = heard.events.flatMap(({ name, detail: { importId } }) =>
    [importId, firstOf.get(importId)].flatMap((id) => (id === undefined ? [] : [{ name, importId: id }])),
  );
  const submissions = await network.submissions();
  const settings = await readSettings(imports, world);
  const unseen = items.flatMap(({ importId, portId }) =>
    portId !== undefined && stale.has(firstOf.get(String(importId)) ?? String(importId)) ? [String(portId)] : [],
  );
  const notShown = new Set([...(hidden ?? []), ...unseen]);
  return conservationOf({ imports, events, concerns }, { ports, hidden: notShown, submissions, settings });
}

/** What the SIMs of these imports have now. */
async function readSettings(imports: readonly SeenImport[], { network }: World) {
  const rows = imports.filter(({ operation }) => operation === 'bar-service-config').flatMap(rowsOf);
  const settings = new Map<string, Readonly<Record<string, string>>>();
  // A file that was cut off before its rows has one line, without a SIM.
  for (const sim of new Set(rows.flatMap(({ serialNumber }) => serialNumber || []))) {
    const { body } = await network.portal('GET', `/api/sim/${sim}/services`);
    const groups = body as { services: { name: string; optionValue: string }[] }[];
    const values = groups.flatMap(({ services }) => services.map(({ name, optionValue }) => [name, optionValue]));
    settings.set(sim, Object.fromEntries(values));
  }
  return settings;
}
