// Commands of users: upload files, upload them again, approve plans, cancel ports in the portal.
import fc from 'fast-check';
import { isoTime } from '#shared/text/wording.ts';
import { numberAt, simAt } from '../../support/ingest/ingest.ts';
import { bodyElsewhere } from '../../support/steps/port-elsewhere.ts';
import { decideOn, kinds, leaveToPeople } from '../decisions.ts';
import { cancelByHand, notify, put } from '../drive.ts';
import { importOf, nameElsewhere } from '../invariants.ts';
import { accountId } from '../network.ts';
import { queueUrl } from '../pipeline.ts';
import { csvTextOf, type Row } from '../scenario.ts';
import { command } from './happening.ts';
import type { File, Model } from './model.ts';
import type { Rig } from './rig.ts';

const letters = fc.oneof({ arbitrary: fc.constant('ABC'), weight: 4 }, fc.constantFrom('INV', 'REJ', 'SLO'));

/** UK Mobile A takes bookings for it two days after the start. */
const farDate = '2026-08-07';

/** Few numbers, so that files share some. */
const row = fc.record({ index: fc.nat(7), letters, boltOns: fc.constantFrom('', '101') });

interface RowSpec {
  readonly index: number;
  readonly letters: string;
  readonly boltOns: string;
}

const rowOf = ({ index, letters: start, boltOns }: RowSpec): Row => ({
  msisdn: numberAt(index),
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
  given.map(({ index, letters: start }) => `${index}${start}`).join(' ');

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
      does: async (model, rig) => {
        const key = `${given.isHeld ? 'plan/' : ''}create-port/file-${model.files.length}.csv`;
        const { isHeld, connectionDate } = given;
        const file: File = { key, rows: given.rows.map(rowOf), isHeld, connectionDate };
        await drop(file, model, rig);
        if (given.isTold) tell(file, rig);
      },
    }),
  );

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
      const again = { key: file.key, rows: given.isSame ? file.rows : given.rows.map(rowOf), isHeld };
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
      // Users can only approve a plan that they were shown.
      if (item?.state !== 'planned') return;
      file.isHeld = false;
      rig.world.queue.add(queueUrl('command'), { approve: item.importId, plan: item.planHash });
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

/** Numbers that no file has. */
export const makeElsewhere = fc.uniqueArray(fc.nat(3), { minLength: 1 }).map((places) =>
  command({
    name: `a port is made in the portal: ${places.join(' ')}`,
    does: async (_, { world }) => {
      const rows = places.map((place) => {
        const { boltOns: _, ...wire } = rowOf({ index: 20 + place, letters: 'ABC', boltOns: '' });
        return { line: place + 2, subject: wire.msisdn, wire: { ...wire, esim: false } };
      });
      await world.network.portal('POST', `/api/porting/${accountId}`, bodyElsewhere(nameElsewhere, rows));
    },
  }),
);

export const adopt = fc.nat(9).map((place) =>
  command({
    name: `port ${place} is adopted`,
    does: (_, { world }) => {
      const ports = world.network.ports();
      const port = ports[place % Math.max(1, ports.length)];
      if (port === undefined) return;
      world.queue.add(queueUrl('command'), { adopt: port.id, by: 'Sam' });
    },
  }),
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
