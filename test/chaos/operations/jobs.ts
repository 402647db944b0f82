// Files of operations other than Create Port. All of their rows differ, so that the effects at the service can be
// assigned.
import { numberAt, simAt } from '../../support/ingest/valid-rows.ts';
import type { Dice } from '../dice.ts';
import { csvTextOf } from '../scenario.ts';

export interface Job {
  readonly key: string;
  readonly text: string;
  readonly rows: number;
}

/** SIMs of the simulator, by networks that send text messages. */
export const textable: Readonly<Record<string, readonly string[]>> = {
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

export const isOfSims = ({ text }: Job): boolean => text.startsWith('serialNumber');

/** The same rows, which name those of an import of ports, in another order. */
export function withRowsOf<File extends Job>(ports: string, file: File): File {
  const [header = '', ...lines] = file.text.trimEnd().split('\n');
  const named = lines.map((line, index) => `${line},${ports},${lines.length + 1 - index}`);
  return { ...file, ...job(file.key, [`${header},importId,line`, ...named]) };
}

/** One request per network, and a different text message per file. */
function texts(file: number, dice: Dice): Job {
  const lines = Object.entries(textable).flatMap(([network, sims]) =>
    sims.slice(0, dice.between(1, 2)).map((sim) => `${sim},${network},Text ${file} to ${network}`),
  );
  return job(`send-sms/file-${file}.csv`, ['serialNumber,network,message', ...lines]);
}

const provisionedAt = 200;

/** Some files are one request that the service may decline. */
function provisions(dice: Dice): Job {
  const isLarge = dice.chance(0.5);
  const lines = Array.from({ length: isLarge ? dice.between(11, largeRequest) : dice.between(1, 7) }, (_, index) => {
    const number = numberAt(provisionedAt + index);
    return `${simAt(provisionedAt + index)},${number},101,2001,${isLarge ? '101' : dice.pick(['101', '102'])},5001`;
  });
  const columns = 'serialNumber,msisdn,network,tariffNumber,boltOns,provisioningOrderNumber';
  return job('provision/file.csv', [columns, ...lines]);
}

export const largeRequest = 30;

/** SIMs for which the service declines a request without naming them: none, a few, or all. */
export function randomUnusable(dice: Dice): ReadonlySet<string> {
  const sims = [...Array.from({ length: largeRequest }, (_, index) => simAt(provisionedAt + index)), ...barrable];
  const share = dice.pick([0, 0.05, 0.1, 1]);
  return new Set(sims.filter(() => dice.chance(share)));
}

/** Some SIMs are barred by one call and some by the other. */
function bars(dice: Dice): Job[] {
  const place = dice.between(1, barrable.length - 1);
  const lines = (sims: readonly string[]) => ['serialNumber,premium', ...sims.map((sim) => `${sim},true`)];
  return [job('bar/file.csv', lines(barrable.slice(0, place))), job('unbar/file.csv', lines(barrable.slice(place)))];
}

/** The service accepts settings of this SIM, and never makes them. */
export const neverMade = '89990300110010000107';
const configured = ['89440010110010000104', '89440010110010000203', neverMade];

/** Settings that are read back. */
const settings = (): Job =>
  job('bar-service-config/file.csv', [
    'serialNumber,network,services',
    ...configured.map((sim) => `${sim},101,Roaming=false`),
  ]);

/** The intended result for the numbers of the first file: their position and PAC. */
export interface PortChange {
  readonly place: number;
  /** undefined: the row is cancelled. */
  readonly pac?: string;
}

export interface Day {
  /** Ports to be changed later: the first file. */
  readonly made: Job & { readonly numbers: readonly string[]; readonly pacs: readonly string[] };
  readonly changes: readonly PortChange[];
  /** In the order of the uploads. */
  readonly jobs: readonly Job[];
}

export function randomDay(dice: Dice): Day {
  const rows = Array.from({ length: dice.between(3, 8) }, (_, place) => ({
    msisdn: numberAt(place),
    serialNo: simAt(place),
    pac: `${dice.chance(0.5) ? 'INV' : 'ABC'}73514${place}`,
    boltOns: dice.pick(['', '101']),
  }));
  const changes = rows.flatMap(({ pac }, place): PortChange[] => {
    if (pac.startsWith('INV') && dice.chance(0.7)) return [{ place, pac: `ABC86420${place}` }];
    return dice.chance(0.4) ? [{ place }] : [];
  });
  const lineOf = ({ place, pac = '' }: PortChange): string => [numberAt(place), pac].join(',').replace(/,$/, '');
  const amended = changes.filter(({ pac }) => pac !== undefined).map(lineOf);
  const cancelled = changes.filter(({ pac }) => pac === undefined).map(lineOf);
  const made = { key: 'create-port/file.csv', text: csvTextOf(rows), rows: rows.length };
  return {
    made: { ...made, numbers: rows.map(({ msisdn }) => `44${msisdn.slice(1)}`), pacs: rows.map(({ pac }) => pac) },
    changes,
    jobs: [
      ...[0, 1].map((file) => texts(file, dice)),
      provisions(dice),
      ...bars(dice),
      settings(),
      ...(amended.length === 0 ? [] : [job('update-port/file.csv', ['msisdn,pac', ...amended])]),
      ...(cancelled.length === 0 ? [] : [job('cancel-port/file.csv', ['msisdn', ...cancelled])]),
    ],
  };
}
