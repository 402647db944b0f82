// Files of ports with every kind of row, and of text messages, where each row is a separate request.
import { generateRows } from '../../support/ingest/generate-rows.ts';

export interface UploadedFile {
  readonly key: string;
  readonly text: string;
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
/** Rows in files of 60, and a file of text messages for every fourth of them. */
export function generateFiles(rows: number, seed: number): UploadedFile[] {
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
    const key = `create-port/restart-${index}.csv`;
    const ports = { key, text: [header, ...own].join(''), rows: own.length };
    return index % everyFourth === 0 ? [ports, textFile(index)] : [ports];
  });
}

function textFile(index: number): UploadedFile {
  const key = `send-sms/restart-${index}.csv`;
  const lines = sims.map((sim, index) => `${sim},${key} line ${index + 2}`);
  return {
    key,
    text: ['serialNumber,network,message', ...lines, ''].join('\r\n'),
    rows: sims.length,
  };
}
