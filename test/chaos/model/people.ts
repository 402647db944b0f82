// Commands of users: upload files, upload them again, approve plans, cancel ports in the portal.
import fc from 'fast-check';
import type { ImportItem } from '#shared/import/import.ts';
import { firstImportOf } from '#shared/import/part.ts';
import { readingOf } from '#shared/import/reading.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { readingKey } from '#shared/store/object-keys.ts';
import { isoTime } from '#shared/text/wording.ts';
import { numberAt, simAt } from '../../support/ingest/valid-rows.ts';
import { decideOn, kinds, leaveToPeople } from '../decisions.ts';
import { cancelByHand, notify, put } from '../drive.ts';
import { changingBoltOn } from '../offers.ts';
import { importOf } from '../outcome.ts';
import { buckets, queueUrl } from '../pipeline.ts';
import { csvTextOf, formerNumber, type Row } from '../scenario.ts';
import { command } from './happening.ts';
import type { File, Model } from './model.ts';
import type { Rig } from './rig.ts';

const letters = fc.oneof({ arbitrary: fc.constant('ABC'), weight: 4 }, fc.constantFrom('INV', 'REJ', 'SLO'));

/** UK Mobile A takes bookings for it two days after the start. */
export const farDate = '2026-08-07';

/** The service declines this number, until a person corrects it. */
const formerIndex = 8;

/** Few numbers, so that files share some. */
const row = fc.record({
  index: fc.nat(formerIndex),
  letters,
  boltOns: fc.constantFrom('', '101', changingBoltOn),
  /** The number has a letter in front of it, so the row is invalid until a person corrects it. */
  isWrong: fc.nat(5).map((sides) => sides === 0),
});

interface RowSpec {
  readonly index: number;
  readonly letters: string;
  readonly boltOns: string;
  readonly isWrong?: boolean;
}

const wrong = 'x';
export const rowOf = ({ index, letters: start, boltOns, isWrong = false }: RowSpec): Row => ({
  msisdn: `${isWrong ? wrong : ''}${index === formerIndex ? formerNumber : numberAt(index)}`,
  serialNo: simAt(index),
  pac: `${start}73514${index}`,
  boltOns,
});

const at = (files: readonly File[], place: number): File | undefined => files[place % Math.max(1, files.length)];

async function drop(file: File, model: Model, { world }: Rig): Promise<void> {
  model.files.push(file);
  const { key, rows, isHeld, connectionDate } = file;
  const { version, etag } = await put(key, csvTextOf(rows, connectionDate), world);
  file.dropped = { at: 0, key, rows, notifications: 1, isHeld, connectionDate, version, etag };
}

const tell = ({ dropped }: File, { world }: Rig): void => {
  if (dropped !== undefined) notify(dropped, 0, world);
};

const rows = fc.uniqueArray(row, { selector: ({ index }) => index, minLength: 1, maxLength: 5 });
const isTold = fc.oneof({ arbitrary: fc.constant(true), weight: 4 }, fc.constant(false));
const namesOf = (given: readonly RowSpec[]): string =>
  given.map(({ index, letters: start, isWrong }) => `${isWrong ? wrong : ''}${index}${start}`).join(' ');

export const upload = fc
  .record({
    rows,
    isHeld: fc.nat(3).map((sides) => sides === 0),
    isTold,
    connectionDate: fc.constantFrom(undefined, undefined, undefined, farDate),
  })
  .map((given) =>
    command({
      name: [
        `upload ${namesOf(given.rows)}`,
        ...(given.connectionDate === undefined ? [] : [`for ${given.connectionDate}`]),
        ...(given.isHeld ? ['with approval'] : []),
        ...(given.isTold ? [] : ['without its event']),
      ].join(', '),
      does: (model, rig) => uploadFile(given, model, rig),
    }),
  );

type FileSpec = Pick<File, 'isHeld' | 'connectionDate'> & {
  readonly rows: readonly RowSpec[];
  readonly isTold: boolean;
};

export async function uploadFile({ rows: specs, isTold: tells, ...given }: FileSpec, model: Model, rig: Rig) {
  const key = `${given.isHeld ? 'plan/' : ''}create-port/file-${model.files.length}.csv`;
  const file: File = { ...given, key, rows: specs.map(rowOf), approved: new Set() };
  await drop(file, model, rig);
  if (tells) tell(file, rig);
}

/** Overwrites a file with the same rows or with others. */
export const uploadAgain = fc.record({ place: fc.nat(9), rows, isSame: fc.boolean(), isTold }).map((given) =>
  command({
    name: [
      `upload ${given.isSame ? '' : `${namesOf(given.rows)} instead of `}file ${given.place} again`,
      ...(given.isTold ? [] : ['without its event']),
    ].join(', '),
    when: ({ files }) => files.length > 0,
    does: async (model, rig) => {
      const file = at(model.files, given.place);
      if (file === undefined) return;
      // Every upload under plan/ waits for a separate approval.
      const isHeld = file.key.startsWith('plan/');
      const rowsOfAgain = given.isSame ? file.rows : given.rows.map(rowOf);
      const again: File = { key: file.key, rows: rowsOfAgain, isHeld, approved: new Set() };
      await drop(again, model, rig);
      if (given.isTold) tell(again, rig);
    },
  }),
);

export const tellAgain = fc.nat(9).map((place) =>
  command({
    name: `the event of file ${place} is delivered again`,
    when: ({ files }) => files.length > 0,
    does: ({ files }, rig) => {
      const file = at(files, place);
      if (file !== undefined) tell(file, rig);
    },
  }),
);

export const approve = fc.nat(9).map((place) =>
  command({
    name: `file ${place} is approved`,
    when: ({ files }) => at(files, place)?.key.startsWith('plan/') === true,
    does: async (model, rig) => {
      const file = at(model.files, place);
      if (file?.dropped === undefined) return;
      const item = importOf(file.dropped, { items: rig.world.table.items() });
      // Users can only approve a plan that they were shown, perhaps before the file was read again.
      const plan = file.seen ?? item?.planHash;
      if (item?.state !== 'planned' || plan === undefined) return;
      file.approved.add(plan);
      rig.world.queue.add(queueUrl('command'), { approve: item.importId, plan });
    },
  }),
);

/** A page with the plan stays open while others work. */
export const look = fc.record({ place: fc.nat(9), isClosed: fc.boolean() }).map(({ place, isClosed }) =>
  command({
    name: `the plan of file ${place} is ${isClosed ? 'closed' : 'opened'}`,
    when: ({ files }) => at(files, place)?.isHeld === true,
    does: ({ files }, { world }) => {
      const file = at(files, place);
      const item = file?.dropped && importOf(file.dropped, { items: world.table.items() });
      if (file !== undefined) file.seen = isClosed ? undefined : item?.planHash;
    },
  }),
);

/** Leaves one more row out, or puts all back; a late one is based on the reading before the last. */
export const readAgain = fc
  .record({ place: fc.nat(9), line: fc.integer({ min: 2, max: 6 }), isLate: fc.boolean() })
  .map(({ place, line, isLate }) =>
    command({
      name: `file ${place} is read again without line ${line}${isLate ? ', as it was earlier' : ''}`,
      when: ({ files }) => files.length > 0,
      does: async ({ files, steps }, { world }) => {
        const dropped = at(files, place)?.dropped;
        const item = dropped && importOf(dropped, { items: world.table.items() });
        if (item === undefined) return;
        const reading = Math.max(1, readingOf(item) - (isLate ? 1 : 0));
        const before = item.reading === undefined ? [] : leftOutIn(world.bucket.text(buckets.inbox, item.reading.key));
        const leftOut = line === 6 ? [] : [...new Set([...before, line])];
        const key = readingKey(item, `step${steps}`);
        const { version, etag } = await put(key, JSON.stringify({ rows: [], leftOut }), world);
        world.queue.add(queueUrl('command'), {
          read: item.importId,
          reading,
          input: { key, etag, versionId: version },
        });
      },
    }),
  );

const leftOutIn = (text: string): number[] => (JSON.parse(text) as { leftOut: number[] }).leftOut;

/** The cells of a row that is to be fixed, with another number; undefined where it is as it should be. */
function fixedRow(text: string): string | undefined {
  if (text.startsWith(wrong)) return text.slice(wrong.length);
  return text.startsWith(formerNumber) ? text.replace(formerNumber, numberAt(30 + formerIndex)) : undefined;
}

/**
 * Imports rows of a file again, fixed, as `rejected.csv` and `correct-create-port.csv` have them. The same file may
 * come twice, and before the service has declined its rows.
 */
export const correct = fc.nat(9).map((place) =>
  command({
    name: `the rows of file ${place} are corrected`,
    when: ({ files }) => at(files, place)?.rows.some(({ msisdn }) => fixedRow(msisdn) !== undefined) === true,
    does: async ({ files, steps }, { world }) => {
      const file = at(files, place);
      const item = file?.dropped && importOf(file.dropped, { items: world.table.items() });
      if (file === undefined || item === undefined) return;
      const [header = '', ...lines] = csvTextOf(file.rows).trim().split('\n');
      const fixed = lines.flatMap((text, index) => {
        const row = fixedRow(text);
        return row === undefined ? [] : [`${row},${item.importId},${index + 2}`];
      });
      const text = `${[`${header},importId,line`, ...fixed].join('\n')}\n`;
      notify(await put(`create-port/fixed-${steps}.csv`, text, world), 0, world);
    },
  }),
);

/** Cancels the first number of a port, as `undo` and the console do: a part of the file that made the port. */
export const cancelNumber = fc.nat(9).map((place) =>
  command({
    name: `a number of port ${place} is cancelled`,
    does: async ({ steps }, { world }) => {
      const made = world.table.items().filter(({ sk, portId }) => String(sk).startsWith('request#') && portId);
      const request = made[place % Math.max(1, made.length)] as unknown as RequestItem | undefined;
      const [line] = unpackLines(request?.lines ?? '');
      const port = world.network.ports().find(({ id }) => id === request?.portId);
      const msisdn = port?.rows[0]?.msisdn;
      if (request === undefined || line === undefined || msisdn === undefined) return;
      const of = world.table.items().find(({ pk, sk }) => pk === `import#${request.importId}` && sk === 'import');
      const first = firstImportOf(of as unknown as ImportItem);
      const text = `msisdn,portId,importId,line\n${msisdn},${request.portId},${first},${line}\n`;
      notify(await put(`cancel-port/cancel-${steps}.csv`, text, world), 0, world);
    },
  }),
);

/** Moves all ports of a file to the first day, or to a later one. */
export const move = fc.record({ place: fc.nat(9), date: fc.constantFrom('auto', farDate) }).map(({ place, date }) =>
  command({
    name: `the ports of file ${place} are moved to ${date}`,
    when: ({ files }) => files.length > 0,
    does: ({ files, steps }, { world }) => {
      const dropped = at(files, place)?.dropped;
      const item = dropped && importOf(dropped, { items: world.table.items() });
      if (item === undefined) return;
      world.queue.add(queueUrl('command'), { reschedule: item.importId, date, ask: `step ${steps}`, by: 'Sam' });
    },
  }),
);

/** Moves the ports of any import, also of a correction or of a move. */
export const moveAny = fc.record({ place: fc.nat(9), date: fc.constantFrom('auto', farDate) }).map(({ place, date }) =>
  command({
    name: `the ports of import ${place} are moved to ${date}`,
    does: ({ steps }, { world }) => {
      const imports = world.table.items().filter(({ sk }) => sk === 'import');
      const item = imports[place % Math.max(1, imports.length)];
      if (item === undefined) return;
      world.queue.add(queueUrl('command'), { reschedule: item.importId, date, ask: `step ${steps}`, by: 'Sam' });
    },
  }),
);

/** A resumed import sends everything in the end, and one that ended for good never does. */
export const stop = fc
  .record({ place: fc.nat(9), what: fc.constantFrom('stop', 'stop', 'resume', 'end') })
  .map(({ place, what }) =>
    command({
      name: `${what} file ${place}`,
      when: ({ files }) => files.length > 0,
      does: (model, { world }) => {
        const dropped = at(model.files, place)?.dropped;
        const item = dropped && importOf(dropped, { items: world.table.items() });
        if (item === undefined) return;
        const asked = { at: isoTime(world.timeline.now()), by: 'Sam' };
        const which = what === 'resume' ? { resume: item.importId } : { stop: item.importId, end: what === 'end' };
        world.queue.add(queueUrl('command'), { ...which, ...asked });
      },
    }),
  );

export const cancel = fc.nat(9).map((place) =>
  command({
    name: `port ${place} is cancelled in the portal`,
    does: (_, { world }) => cancelByHand(place, world),
  }),
);

export const offer = fc.constant(
  command({ name: 'a bolt-on is withdrawn, or offered again', does: (_, { world }) => world.network.offers.change() }),
);

export const leave = fc.constant(
  command({ name: 'unknown outcomes require action', does: (_, { world }) => leaveToPeople(world) }),
);

export const decide = fc.record({ place: fc.nat(9), kind: fc.constantFrom(...kinds) }).map(({ place, kind }) =>
  command({
    name: `request ${place} is resolved: ${kind}`,
    does: (_, { world }) => decideOn(place, kind, world),
  }),
);
