// The files of a soak: ports with every kind of row, and text messages, where each row is a separate request.
import { generateRows } from '../support/generate-rows.ts';

export interface SoakFile {
  readonly key: string;
  readonly text: string;
  /** Settings of the upload. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Without the header. */
  readonly rows: number;
}

const rowsPerFile = 60;
/** SIMs of the simulator that receive text messages, with their networks. */
const sims = [
  '89440021810010001906,218',
  '89440022510010002206,225',
  '89440023210010002509,232',
  '89440023210010002608,232',
  '89440023310010002804,233',
  '89440024010010003104,240',
];
const everyFourth = 4;
/** Settings that some of the files have: the first rows are sent first, or some on each day. */
const uploadSettings: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'send-first': '20' },
  {},
  { 'per-day': '25' },
  {},
];

/** `rows` rows in files of 60, some of them with settings, and a file of text messages for every fourth of them. */
export function soakFiles(rows: number, seed: number): SoakFile[] {
  const [header = '', ...lines] = generateRows({
    rows,
    seed,
    combinations: 12,
    quoted: 0.05,
    broken: 0.02,
    duplicates: 0.02,
    badPacs: 0.01,
  });
  const files = Array.from({ length: Math.ceil(rows / rowsPerFile) }, (_, index) => index);
  return files.flatMap((index) => {
    const own = lines.slice(index * rowsPerFile, (index + 1) * rowsPerFile);
    const metadata = uploadSettings[index % uploadSettings.length] ?? {};
    const key = `create-port/soak-${index}.csv`;
    const ports = { key, text: [header, ...own].join(''), rows: own.length, metadata };
    return index % everyFourth === 0 ? [ports, textFile(index)] : [ports];
  });
}

function textFile(index: number): SoakFile {
  const key = `send-sms/soak-${index}.csv`;
  const lines = sims.map((sim, index) => `${sim},${key} line ${index + 2}`);
  return {
    key,
    text: ['serialNumber,network,message', ...lines, ''].join('\r\n'),
    rows: sims.length,
  };
}

/** A correction file with a new PAC in every row. */
export const fillIn = (text: string): string =>
  text
    .split('\r\n')
    .map((line) => line.replace(/^([^,]*,[-0-9a-f]{36}),,/, '$1,ABC123456,'))
    .join('\r\n');
