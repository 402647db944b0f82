// A program that someone would write by hand for speed: it splits the text itself and checks cells with plain
// functions, but does the whole work of ingest: names of the catalogue, check digits, duplicates, requests of 100 rows
// with their index, and a file of rejected rows with reasons.
const rowsPerRequest = 100;
const digitsOnly = /^\d+$/;
const mobile = /^7\d{9}$/;
const pacShape = /^[A-Z]{3}\d{6}$/;
const expiryShape = /^\d{4}-\d{2}-\d{2}$/;
const targets = new Map([
  ['UK Mobile A', 11],
  ['UK Mobile B', 12],
]);
const sources = new Map([
  ['Source Mobile One', 1],
  ['Source Mobile Two', 2],
  ['3', 3],
]);
const tariffs = new Map([
  ['2001', 2001],
  ['Business Unlimited', 2002],
  ['Mobile B Basic', 3101],
  ['3102', 3102],
]);
const boltOns = new Set(['101', '102', '103', '104', '105']);
const services = new Set(['Roaming', 'Data Roaming', 'Voicemail', 'Premium Rate Calls']);
/** The columns that make a combination, from port type to order name. */
const [firstShared, lastShared] = [3, 12];

interface Combination {
  readonly head: string;
  rows: string[];
}

export interface HandWrittenProgram {
  /** Text of the file, in pieces of any length. */
  add(text: string): void;
  /** Returns the number of valid rows. */
  end(): number;
}

/** @param emit takes the requests, their index and the rejected rows */
export function handWrittenProgram(emit: (text: string) => void): HandWrittenProgram {
  const combinations = new Map<string, Combination | string>();
  const [numbers, sims] = [new Set<string>(), new Set<string>()];
  let [rest, line, valid, requests, offset] = ['', 0, 0, 0, 0];

  const write = (combination: Combination) => {
    requests += 1;
    const text = `{"request":${requests},"head":${combination.head},"rows":[${combination.rows.join(',')}]}\n`;
    emit(text);
    emit(`{"request":${requests},"start":${offset},"end":${offset + text.length},"rows":${combination.rows.length}}\n`);
    offset += text.length;
    combination.rows = [];
  };

  const addRow = (cells: readonly string[]) => {
    const key = cells.slice(firstShared, lastShared + 1).join('\u0001');
    let combination = combinations.get(key);
    if (combination === undefined) {
      combination = checkCombination(cells);
      combinations.set(key, combination);
    }
    const row = typeof combination === 'string' ? combination : checkRow(cells, line, numbers, sims);
    if (typeof row === 'string' || typeof combination === 'string') {
      emit(`${cells.map(quoted).join(',')},${line},${row}\n`);
      return;
    }
    valid += 1;
    combination.rows.push(row.json);
    if (combination.rows.length >= rowsPerRequest) write(combination);
  };

  const readRecords = (text: string): string => {
    let at = 0;
    for (;;) {
      const record = splitRecord(text, at);
      if (record === undefined) return text.slice(at);
      at = record.end;
      line += 1;
      if (line > 1) addRow(record.cells);
    }
  };

  return {
    add: (text) => {
      rest = readRecords(rest + text);
    },
    end: () => {
      readRecords(rest === '' ? '' : `${rest}\n`);
      for (const combination of combinations.values()) {
        if (typeof combination !== 'string' && combination.rows.length > 0) write(combination);
      }
      return valid;
    },
  };
}

/** undefined: the record does not end in this text. */
function splitRecord(text: string, start: number): { cells: string[]; end: number } | undefined {
  const lineEnd = text.indexOf('\n', start);
  if (lineEnd < 0) return undefined;
  const last = text.charCodeAt(lineEnd - 1) === 13 ? lineEnd - 1 : lineEnd;
  const record = text.slice(start, last);
  if (!record.includes('"')) return { cells: record.split(','), end: lineEnd + 1 };
  return splitQuoted(text, start);
}

function splitQuoted(text: string, start: number): { cells: string[]; end: number } | undefined {
  const cells: string[] = [];
  let [at, cell, isQuoted] = [start, '', false];
  for (; at < text.length; at += 1) {
    const character = text[at] as string;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[at++];
      else isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === ',') {
      cells.push(cell);
      cell = '';
    } else if (character === '\n') return { cells: [...cells, cell], end: at + 1 };
    else if (character !== '\r') cell += character;
  }
  return undefined;
}

/** The columns that must contain one of these names. */
const named: readonly (readonly [number, ReadonlyMap<string, number>, string])[] = [
  [3, new Map([['Port', 1]]), 'unknown port type'],
  [4, targets, 'unknown target network'],
  [5, sources, 'unknown source network'],
  [7, tariffs, 'unknown tariff'],
];

/** Returns why the combination is invalid, as text. */
function checkCombination(cells: readonly string[]): Combination | string {
  const unknown = named.find(([column, names]) => !names.has(cells[column] ?? ''));
  if (unknown !== undefined) return unknown[2];
  const [date, , bolts = '', settings = '', esim, order, orderName] = cells.slice(6, lastShared + 1);
  if (date !== 'auto' && !expiryShape.test(date ?? '')) return 'invalid date';
  const ids = listOf(bolts);
  if (!ids.every((id) => boltOns.has(id))) return 'unknown bolt-on';
  const pairs = listOf(settings).map((pair) => pair.split('='));
  if (!pairs.every(([name = '']) => services.has(name))) return 'unknown service';
  if ((order === '') === (orderName === '')) return 'one provisioning order is needed';
  const [portType, target, source, tariff] = named.map(([column, names]) => names.get(cells[column] ?? ''));
  const head = { portType, target, source, date, tariff, boltOns: ids.map(Number).sort(), services: pairs };
  return { head: JSON.stringify({ ...head, esim: esim === 'true', order, orderName }), rows: [] };
}

const listOf = (text: string): string[] => (text === '' ? [] : text.split(';'));

/** Returns why the row is invalid, as text. */
function checkRow(
  cells: readonly string[],
  line: number,
  numbers: Set<string>,
  sims: Set<string>,
): { json: string } | string {
  const [written = '', sim = '', pac = ''] = cells;
  const national = digitsOnly.test(written) ? written : written.replace(/[\s()+-]/g, '');
  const number = national.replace(/^(?:0044|44|0)/, '');
  if (!mobile.test(number)) return 'invalid number';
  if (numbers.has(number)) return 'number repeated';
  if (!isSim(sim)) return 'invalid SIM';
  if (sims.has(sim)) return 'SIM repeated';
  if (!pacShape.test(pac)) return 'invalid PAC';
  const expiry = cells[14];
  if (expiry !== undefined && !(expiryShape.test(expiry) && expiry >= '2026-07-01')) return 'the PAC expires too early';
  numbers.add(number);
  sims.add(sim);
  const wire = { msisdn: `0${number}`, serialNo: sim, pac, esim: cells[10] === 'true' };
  return {
    json: JSON.stringify({ line, subject: `44${number}`, wire: expiry ? { ...wire, pacExpiry: expiry } : wire }),
  };
}

function isSim(text: string): boolean {
  if ((text.length !== 19 && text.length !== 20) || !text.startsWith('89') || !digitsOnly.test(text)) return false;
  let sum = 0;
  for (let place = 0; place < text.length; place += 1) {
    const digit = text.charCodeAt(text.length - 1 - place) - 48;
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const quoted = (cell: string): string => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
