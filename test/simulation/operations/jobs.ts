// Files of operations other than Create Port. No two of them ask for the same thing, so that what the service did can be told
// apart by what it was asked.
import { numberAt, simAt } from '../../support/rows-ingest.ts';
import type { Dice } from '../dice.ts';
import { csvTextOf } from '../scenario.ts';

export interface Job {
  readonly key: string;
  readonly text: string;
  readonly rows: number;
}

/** SIMs on hire of the catalogue, by networks that send texts. */
const textable: Readonly<Record<string, readonly string[]>> = {
  '218': ['89440021810010001906', '89440021810010002003'],
  '232': ['89440023210010002509', '89440023210010002608'],
  '233': ['89440023310010002804', '89440023310010002903'],
};
const barrable = ['89440030210010001007', '89440030210010001106', '89440010110010000104', '89440010110010000203'];

const job = (key: string, lines: readonly string[]): Job => ({
  key,
  text: `${lines.join('\n')}\n`,
  rows: lines.length - 1,
});

/** Each network a request, and each file a text of its own. */
function texts(file: number, dice: Dice): Job {
  const lines = Object.entries(textable).flatMap(([network, sims]) =>
    sims.slice(0, dice.between(1, 2)).map((sim) => `${sim},${network},Text ${file} to ${network}`),
  );
  return job(`send-sms/file-${file}.csv`, ['serialNumber,network,message', ...lines]);
}

function provisions(dice: Dice): Job {
  const lines = Array.from({ length: dice.between(1, 7) }, (_, index) => {
    const number = numberAt(200 + index);
    return `${simAt(200 + index)},${number},101,2001,${dice.pick(['101', '102'])},5001`;
  });
  const columns = 'serialNumber,msisdn,network,tariffNumber,boltOns,provisioningOrderNumber';
  return job('provision/file.csv', [columns, ...lines]);
}

/** Of the SIMs some are barred by the one call and some by the other. */
function bars(dice: Dice): Job[] {
  const place = dice.between(1, barrable.length - 1);
  const lines = (sims: readonly string[]) => ['serialNumber,premium', ...sims.map((sim) => `${sim},true`)];
  return [job('bar/file.csv', lines(barrable.slice(0, place))), job('unbar/file.csv', lines(barrable.slice(place)))];
}

/** What the numbers of the first file are to become: their place, and their PAC. */
export interface Wish {
  readonly place: number;
  /** undefined: the line is to be cancelled. */
  readonly pac?: string;
}

export interface Day {
  /** Ports to be changed later on: the first file. */
  readonly made: Job & { readonly numbers: readonly string[]; readonly pacs: readonly string[] };
  readonly wishes: readonly Wish[];
  /** In the order in which they are dropped. */
  readonly jobs: readonly Job[];
}

export function randomDay(dice: Dice): Day {
  const rows = Array.from({ length: dice.between(3, 8) }, (_, place) => ({
    msisdn: numberAt(place),
    serialNo: simAt(place),
    pac: `${dice.chance(0.5) ? 'INV' : 'ABC'}73514${place}`,
    boltOns: dice.pick(['', '101']),
  }));
  const wishes = rows.flatMap(({ pac }, place): Wish[] => {
    if (pac.startsWith('INV') && dice.chance(0.7)) return [{ place, pac: `ABC86420${place}` }];
    return dice.chance(0.4) ? [{ place }] : [];
  });
  const lineOf = ({ place, pac = '' }: Wish): string => [numberAt(place), pac].join(',').replace(/,$/, '');
  const amended = wishes.filter(({ pac }) => pac !== undefined).map(lineOf);
  const cancelled = wishes.filter(({ pac }) => pac === undefined).map(lineOf);
  const made = { key: 'create-port/file.csv', text: csvTextOf(rows), rows: rows.length };
  return {
    made: { ...made, numbers: rows.map(({ msisdn }) => `44${msisdn.slice(1)}`), pacs: rows.map(({ pac }) => pac) },
    wishes,
    jobs: [
      ...[0, 1].map((file) => texts(file, dice)),
      provisions(dice),
      ...bars(dice),
      ...(amended.length === 0 ? [] : [job('update-port/file.csv', ['msisdn,pac', ...amended])]),
      ...(cancelled.length === 0 ? [] : [job('cancel-port/file.csv', ['msisdn', ...cancelled])]),
    ],
  };
}
