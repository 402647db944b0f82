// Commands of people who make ports in the portal, and follow them with simporter.
import fc from 'fast-check';
import { bodyElsewhere } from '../../support/steps/port-elsewhere.ts';
import { nameElsewhere } from '../invariants.ts';
import { accountId } from '../network.ts';
import { queueUrl } from '../pipeline.ts';
import { command } from './happening.ts';
import { rowOf } from './people.ts';

/** Numbers that files have too, which simporter may be porting, and numbers that no file has. */
const index = fc.constantFrom(0, 1, 2, 20, 21, 22, 23);

export const makeElsewhere = fc.uniqueArray(index, { minLength: 1, maxLength: 4 }).map((indexes) =>
  command({
    name: `a port is made in the portal: ${indexes.join(' ')}`,
    does: async (_, { world }) => {
      const rows = indexes.map((each, place) => {
        const { boltOns: _, ...wire } = rowOf({ index: each, letters: 'ABC', boltOns: '' });
        return { line: place + 2, subject: wire.msisdn, wire: { ...wire, esim: false } };
      });
      await world.network.portal('POST', `/api/porting/${accountId}`, bodyElsewhere(nameElsewhere, rows));
    },
  }),
);

/** Mostly one that was made in the portal. */
export const adopt = fc.record({ place: fc.nat(9), isAny: fc.nat(3) }).map(({ place, isAny }) =>
  command({
    name: `port ${place} is adopted`,
    does: (_, { world }) => {
      const all = world.network.ports();
      const elsewhere = all.filter(({ name }) => name === nameElsewhere);
      const ports = isAny === 0 || elsewhere.length === 0 ? all : elsewhere;
      const port = ports[place % Math.max(1, ports.length)];
      if (port === undefined) return;
      world.queue.add(queueUrl('command'), { adopt: port.id, by: 'Sam' });
    },
  }),
);
