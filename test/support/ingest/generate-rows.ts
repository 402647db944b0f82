// Generates create-port files of any size, the same for the same seed, with names from the catalogue of the simulator.
// Small files use Ofcom's fictional numbers. There are only a thousand of these; large files use other numbers in 07.
import { realisticCells } from './realistic-cells.ts';

export interface RowsWanted {
  readonly rows: number;
  /** @default 1 */
  readonly seed?: number;
  /** Distinct combinations of network, tariff, bolt-ons, services and order. @default 40 */
  readonly combinations?: number;
  /** Shares between 0 and 1: records with quoted cells, with an invalid cell, with a repeated number. @default 0 */
  readonly quoted?: number;
  readonly broken?: number;
  readonly duplicates?: number;
  /** Share of PACs that the porting simulator finds invalid. @default 0 */
  readonly badPacs?: number;
  /** @default auto */
  readonly connectionDate?: string;
  /** As files of customers are: `realistic-cells.ts`. @default false */
  readonly realistic?: boolean;
  /** Rows of the same combination follow each other. @default false */
  readonly sorted?: boolean;
}

export const generatedHeader =
  'msisdn,serialNo,pac,portType,targetNetwork,sourceNetwork,connectionDate,tariff,boltOns,services,esim,provisioningOrder,provisioningOrderName,reference';

const boltOnLists = ['101', '101;104', '102', '102;105', '103;104;105'];
const serviceLists = ['', 'Roaming=on', 'Roaming=on;Premium Rate Calls=block', 'Data Roaming=off', 'Voicemail=off'];
const sources = ['Source Mobile One', 'Source Mobile Two', '3'];
const magicLetters = ['INV', 'EXP', 'REJ'];

const blockLength = 256 * 1024;

/** The file in blocks of about 256 KiB. */
export function* generateBlocks(wanted: RowsWanted): Generator<Buffer> {
  let text = '';
  for (const record of generateRows(wanted)) {
    text += record;
    if (text.length < blockLength) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/** The records of the file with their line ends, the header first. */
export function* generateRows(wanted: RowsWanted): Generator<string> {
  const { rows, seed = 1, combinations = 40, quoted = 0, broken = 0, duplicates = 0, badPacs = 0 } = wanted;
  const random = mulberry32(seed);
  const realistic = wanted.realistic === true ? realisticCells(random) : undefined;
  yield `${generatedHeader}${realistic === undefined ? '' : ',pacExpiry'}\r\n`;
  for (let index = 0; index < rows; index += 1) {
    const repeats = index > 0 && random() < duplicates;
    const numbered = repeats ? Math.floor(random() * index) : index;
    const letters = random() < badPacs ? pick(magicLetters, random) : randomLetters(random);
    const cells = [
      msisdn(numbered, rows),
      iccid(index + seed * 1_000_003),
      `${letters}${digits(random, 6)}`,
      ...combination(
        Math.floor((wanted.sorted === true ? index / rows : random()) * combinations),
        wanted.connectionDate ?? 'auto',
      ),
      `Order ${index + 1}`,
    ];
    if (random() < broken) addMistake(cells, random);
    realistic?.(cells);
    const isQuoted = random() < quoted;
    yield `${cells.map((cell) => (isQuoted || needsQuotes.test(cell) ? quote(cell) : cell)).join(',')}\r\n`;
  }
}

const needsQuotes = /[",]/;
const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** The columns from port type to provisioning order. Every tenth combination is on network B. */
function combination(number: number, date: string): string[] {
  const source = sources[number % sources.length] as string;
  const services = serviceLists[Math.floor(number / 5) % serviceLists.length] as string;
  const orderName = number < 25 ? '' : `Order group ${number}`;
  if (number % 10 === 9) {
    const tariff = number % 20 === 9 ? 'Mobile B Basic' : '3102';
    return ['Port', 'UK Mobile B', source, date, tariff, '', services, 'false', '', orderName || `Depot ${number}`];
  }
  const boltOns = boltOnLists[number % boltOnLists.length] as string;
  const tariff = number % 2 === 0 ? '2001' : 'Business Unlimited';
  return [
    'Port',
    'UK Mobile A',
    source,
    date,
    tariff,
    boltOns,
    services,
    'false',
    orderName === '' ? '5001' : '',
    orderName,
  ];
}

/** Typical mistakes, each of which another rule finds. */
function addMistake(cells: string[], random: () => number): void {
  const mistakes: readonly (readonly [number, string])[] = [
    [0, '4.47E+11'],
    [0, '0770090'],
    [1, '8.94411E+18'],
    [2, '123456ABC'],
    [2, ''],
    [4, 'UK Mobil A'],
    [7, '9999'],
  ];
  const [column, text] = pick(mistakes, random);
  cells[column] = text;
}

function msisdn(index: number, rows: number): string {
  if (rows <= 900) return `07700900${String(index).padStart(3, '0')}`;
  // Multiplying by a power of three modulo a power of ten scatters the numbers without repeating one.
  return `074${String((index * 387_420_489) % 100_000_000).padStart(8, '0')}`;
}

function iccid(index: number): string {
  const payload = `894411${String((index * 387_420_489) % 1_000_000_000_000).padStart(12, '0')}`;
  let sum = 0;
  for (let place = 0; place < payload.length; place += 1) {
    const digit = payload.charCodeAt(payload.length - 1 - place) - 48;
    const doubled = place % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return `${payload}${(10 - (sum % 10)) % 10}`;
}

const randomLetters = (random: () => number): string => {
  const letter = () => String.fromCharCode(65 + Math.floor(random() * 26));
  return `${letter()}${letter()}A`;
};

const digits = (random: () => number, count: number): string =>
  String(Math.floor(random() * 10 ** count)).padStart(count, '0');

const pick = <Item>(items: readonly Item[], random: () => number): Item =>
  items[Math.floor(random() * items.length)] as Item;

/** A seeded random generator: uniform in [0, 1), the same sequence on every machine. */
export function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
