// Commands that affect messages, environments and calls, and commands that advance the time.
import fc from 'fast-check';
import { redriveAll } from '../drive.ts';
import { type CallFate, callFates } from '../faults.ts';
import { type Consumer, consumers } from '../lambda.ts';
import { accountId } from '../network.ts';
import { deadLetterUrl, queueUrl } from '../pipeline.ts';
import { type Command, command } from './happening.ts';
import type { Rig } from './rig.ts';

const second = 1_000;
const minute = 60 * second;
const createPort = `POST /api/porting/${accountId}`;

/** Delivers a message again that was processed, or is being processed. */
export const deliverAgain = fc.nat(19).map((place) =>
  command({
    name: `the message of request ${place} is delivered again`,
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

/** The sweep finds the file of a lost event. Commands of people are not lost here: only a person could repeat them. */
export const loseMessage = stage.map((name) =>
  command({
    name: `a message to ${name} is lost`,
    does: (_, rig) => {
      const { world } = rig;
      const body = take(name, rig);
      if (/"(?:approve|stop|resume)"/.test(body ?? '')) world.queue.add(queueUrl(name), JSON.parse(body ?? ''));
    },
  }),
);

export const deadLetter = stage.map((name) =>
  command({
    name: `a message to ${name} is dead-lettered`,
    does: (_, rig) => {
      const body = take(name, rig);
      if (body !== undefined) rig.world.queue.add(deadLetterUrl(name), JSON.parse(body));
    },
  }),
);

function take(name: Consumer, { world: { queue }, noteLoss }: Rig): string | undefined {
  const [message] = queue.receive(queueUrl(name), 1);
  if (message === undefined) return undefined;
  noteLoss();
  queue.remove(queueUrl(name), message.receiptHandle);
  return message.body;
}

export const redrive = fc.constant(
  command({
    name: 'dead-lettered messages are redriven',
    does: async (_, { world }) => void (await redriveAll(world)),
  }),
);

const strike = (name: string, given: Parameters<Rig['strikes']['add']>[0]): Command =>
  command({ name: `${name} (${given.fate}, after ${given.after})`, does: (_, { strikes }) => strikes.add(given) });

export const crash = fc
  .record({ fate: fc.constantFrom('killed-before' as const, 'killed-after' as const), after: fc.nat(40) })
  .map((given) => strike('an environment crashes', given));

export const disturb = fc
  .record({ fate: fc.constantFrom('throttled' as const, 'repeated' as const), after: fc.nat(20) })
  .map((given) => strike('a command fails', given));

export const breakCall = fc
  .record({ fate: fc.constantFrom<CallFate>(...callFates), after: fc.nat(6) })
  .map((given) => strike('a call fails', given));

export const breakCreate = fc
  .constantFrom<CallFate>('hang', 'reset', 'error', 'truncated', 'lost', 'killed-before', 'killed-after')
  .map((fate) => strike('Create Port is answered late or badly', { fate, after: 0, effect: createPort }));

export const advance = fc
  .constantFrom(second, 20 * second, minute, 3 * minute, 20 * minute, 65 * minute)
  .map((time) => command({ name: `${time / second} s pass`, does: (_, rig) => rig.pass(time) }));

/** Everything settles, and ports complete: files and moves of the same numbers come afterwards. */
export const daysPass = fc
  .constantFrom(2, 4)
  .map((days) =>
    command({ name: `${days} days pass quietly`, does: (_, rig) => rig.passQuietly(days * 24 * 60 * minute) }),
  );

export const syncNow = fc.constant(command({ name: 'sync runs', does: (_, { world }) => world.lambda.sync() }));
