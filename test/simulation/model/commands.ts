// What can happen, as fast-check commands: to the model it is what people want, to the world what befalls it. After each of
// them every invariant is checked that must always hold.
import fc from 'fast-check';
import { numberAt, simAt } from '../../support/rows-ingest.ts';
import { cancelByHand, notify, put, redriveAll } from '../drive.ts';
import { type CallFate, callFates } from '../faults.ts';
import { importOf } from '../invariants.ts';
import { type Consumer, consumers } from '../lambda.ts';
import { accountId } from '../network.ts';
import { deadLetterUrl, queueUrl } from '../pipeline.ts';
import { csvTextOf, type Row } from '../scenario.ts';
import type { File, Model } from './model.ts';
import type { Rig } from './rig.ts';

type Command = fc.AsyncCommand<Model, Rig>;

const second = 1_000;
const minute = 60 * second;
const createPort = `POST /api/porting/${accountId}`;

interface Happening {
  readonly name: string;
  /** @default always */
  readonly when?: (model: Model) => boolean;
  readonly does: (model: Model, rig: Rig) => Promise<void> | void;
}

const command = ({ name, when = () => true, does }: Happening): Command => ({
  check: when,
  run: async (model, rig) => {
    model.steps += 1;
    await does(model, rig);
    await rig.pass(50);
    await rig.check(model);
  },
  toString: () => name,
});

const letters = fc.oneof({ arbitrary: fc.constant('ABC'), weight: 4 }, fc.constantFrom('INV', 'REJ', 'SLO'));

/** Few numbers, so that files have some of them in common. */
const row: fc.Arbitrary<{ index: number; letters: string; boltOns: string }> = fc.record({
  index: fc.nat(7),
  letters,
  boltOns: fc.constantFrom('', '101'),
});

const rowOf = ({ index, letters: start, boltOns }: { index: number; letters: string; boltOns: string }): Row => ({
  msisdn: numberAt(index),
  serialNo: simAt(index),
  pac: `${start}73514${index}`,
  boltOns,
});

const at = (files: readonly File[], place: number): File | undefined => files[place % Math.max(1, files.length)];

async function drop(file: File, model: Model, { world }: Rig): Promise<void> {
  model.files.push(file);
  const { key, rows, isHeld } = file;
  const { version, etag } = await put(key, csvTextOf(rows), world);
  file.dropped = { at: 0, key, rows, notifications: 1, isHeld, version, etag };
}

const tell = ({ dropped }: File, { world }: Rig): void => {
  if (dropped !== undefined) notify(dropped, 0, world);
};

const upload = fc
  .record({
    rows: fc.uniqueArray(row, { selector: ({ index }) => index, minLength: 1, maxLength: 5 }),
    isHeld: fc.nat(3).map((sides) => sides === 0),
    isTold: fc.oneof({ arbitrary: fc.constant(true), weight: 4 }, fc.constant(false)),
  })
  .map(({ rows, isHeld, isTold }) =>
    command({
      name: `upload ${rows.map(({ index, letters: start }) => `${index}${start}`).join(' ')}${isHeld ? ', to be approved' : ''}${isTold ? '' : ', its event lost'}`,
      does: async (model, rig) => {
        const key = `${isHeld ? 'plan/' : ''}create-port/file-${model.files.length}.csv`;
        const file: File = { key, rows: rows.map(rowOf), isHeld, mustStay: !isTold };
        await drop(file, model, rig);
        if (isTold) tell(file, rig);
      },
    }),
  );

const uploadAgain = fc.nat(9).map((place) =>
  command({
    name: `upload file ${place} again`,
    when: ({ files }) => at(files, place)?.mustStay === false,
    does: async (model, rig) => {
      const file = at(model.files, place);
      if (file === undefined) return;
      // Every upload below plan/ waits for an approval of its own.
      const again = { ...file, isHeld: file.key.startsWith('plan/') };
      await drop(again, model, rig);
      tell(again, rig);
    },
  }),
);

const tellAgain = fc.nat(9).map((place) =>
  command({
    name: `the event of file ${place} comes again`,
    when: ({ files }) => files.length > 0,
    does: ({ files }, rig) => {
      const file = at(files, place);
      if (file !== undefined) tell(file, rig);
    },
  }),
);

const approve = fc.nat(9).map((place) =>
  command({
    name: `file ${place} is approved`,
    when: ({ files }) => at(files, place)?.key.startsWith('plan/') === true,
    does: async (model, rig) => {
      const file = at(model.files, place);
      if (file?.dropped === undefined) return;
      const item = importOf(file.dropped, { items: rig.world.table.items() });
      // A person can only approve what they were shown.
      if (item?.state !== 'planned') return;
      file.isHeld = false;
      rig.world.queue.add(queueUrl('ingest'), { approve: item.importId });
    },
  }),
);

/** A message that was dealt with long ago, or is just being dealt with, comes once more. */
const deliverAgain = fc.nat(19).map((place) =>
  command({
    name: `the message of request ${place} comes again`,
    does: (_, { world }) => {
      const requests = world.table.items().filter(({ sk }) => String(sk).startsWith('request#'));
      const item = requests[place % Math.max(1, requests.length)];
      if (item === undefined) return;
      const { importId, request, plan } = item;
      world.queue.add(queueUrl('submit'), { importId, request, plan });
    },
  }),
);

const stage = fc.constantFrom<Consumer>(...consumers);

/** An event of S3 counts as lost for good: then only the sweep finds its file. */
const loseMessage = stage.map((name) =>
  command({
    name: `a message to ${name} is lost`,
    does: ({ files }, { world }) => {
      const body = take(name, world);
      for (const file of files) {
        if (file.dropped !== undefined && body?.includes(file.dropped.version)) file.mustStay = true;
      }
    },
  }),
);

const putAside = stage.map((name) =>
  command({
    name: `a message to ${name} is put aside`,
    does: (_, { world }) => {
      const body = take(name, world);
      if (body !== undefined) world.queue.add(deadLetterUrl(name), JSON.parse(body));
    },
  }),
);

function take(name: Consumer, { queue }: Rig['world']): string | undefined {
  const [message] = queue.receive(queueUrl(name), 1);
  if (message !== undefined) queue.remove(queueUrl(name), message.receiptHandle);
  return message?.body;
}

const redrive = fc.constant(
  command({ name: 'what was put aside is given back', does: async (_, { world }) => void (await redriveAll(world)) }),
);

const strike = (name: string, given: Parameters<Rig['strikes']['add']>[0]): Command =>
  command({ name: `${name} (${given.fate}, after ${given.after})`, does: (_, { strikes }) => strikes.add(given) });

const crash = fc
  .record({ fate: fc.constantFrom('killed-before' as const, 'killed-after' as const), after: fc.nat(40) })
  .map((given) => strike('an environment dies', given));

const disturb = fc
  .record({ fate: fc.constantFrom('throttled' as const, 'repeated' as const), after: fc.nat(20) })
  .map((given) => strike('a command is disturbed', given));

const breakCall = fc
  .record({ fate: fc.constantFrom<CallFate>(...callFates), after: fc.nat(6) })
  .map((given) => strike('a call breaks', given));

const breakCreate = fc
  .constantFrom<CallFate>('hang', 'reset', 'error', 'truncated', 'lost', 'killed-before', 'killed-after')
  .map((fate) => strike('Create Port is answered late or badly', { fate, after: 0, effect: createPort }));

const advance = fc
  .constantFrom(second, 20 * second, minute, 3 * minute, 20 * minute, 65 * minute)
  .map((time) => command({ name: `${time / second} s pass`, does: (_, rig) => rig.pass(time) }));

const syncNow = fc.constant(command({ name: 'sync runs', does: (_, { world }) => world.lambda.sync() }));

const cancel = fc.nat(9).map((place) =>
  command({
    name: `somebody cancels port ${place} in the portal`,
    does: (_, { world }) => cancelByHand(place, world),
  }),
);

/** Weights: files and time come often, so that there is something to break. */
export const happenings: readonly fc.Arbitrary<Command>[] = [
  upload,
  upload,
  advance,
  advance,
  advance,
  uploadAgain,
  tellAgain,
  approve,
  deliverAgain,
  loseMessage,
  putAside,
  redrive,
  crash,
  crash,
  disturb,
  breakCall,
  breakCreate,
  syncNow,
  cancel,
];
