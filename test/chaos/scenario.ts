// What users do in one simulation: the files they upload, when, and what they do in the portal.
import { numberAt, simAt } from '../support/ingest/valid-rows.ts';
import { type Kind, kinds } from './decisions.ts';
import type { Dice } from './dice.ts';

export interface Row {
  readonly msisdn: string;
  readonly serialNo: string;
  readonly pac: string;
  readonly boltOns: string;
}

export interface Upload {
  /** Milliseconds after the start. */
  readonly at: number;
  readonly key: string;
  readonly rows: readonly Row[];
  /** How often S3 delivers the event. */
  readonly notifications: number;
  /** Its plan waits for an approval that never comes. @default false */
  readonly isHeld?: boolean;
  /** @default auto */
  readonly connectionDate?: string | undefined;
}

export interface Scenario {
  readonly uploads: readonly Upload[];
  /** Milliseconds after the start at which a person cancels a port in the portal. */
  readonly cancels: readonly number[];
  /** Milliseconds after the start at which a person cancels one row of a port in the portal. @default never */
  readonly leaves?: readonly number[];
  /** Milliseconds after the start at which a person moves an import to another day. @default never */
  readonly moves?: readonly number[];
  /** Milliseconds after the start at which unknown outcomes require action and are resolved. @default never */
  readonly decisions?: readonly { readonly at: number; readonly kind: Kind }[];
  /** Faults end this many milliseconds after the start. */
  readonly calmAt: number;
  /** Ports are followed for this many milliseconds. */
  readonly horizonMs: number;
  /** How often sync runs until `calmAt`. @default - every 5 minutes */
  readonly syncEveryMs?: number;
  /** Whether every port is complete, cancelled or requires action by then. */
  readonly isWhole: boolean;
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** One that the service declines (simulator/ports/check-pac.ts). */
export const formerNumber = '07700900994';

/** Rows of one combination with these PACs. */
export const rowsFrom = (first: number, pacs: readonly string[]): Row[] =>
  pacs.map((pac, index) => ({ msisdn: numberAt(first + index), serialNo: simAt(first + index), pac, boltOns: '' }));

export const validRows = (first: number, count: number): Row[] =>
  rowsFrom(
    first,
    Array.from({ length: count }, (_, index) => `ABC${100_000 + index}`),
  );

/**
 * Most numbers complete; some PACs fail, are rejected later or end in an error state, by the rules of the simulator.
 */
const prefixes = ['INV', 'EXP', 'REJ', 'SLO', 'SWE', 'ERR'] as const;

/** Two combinations, so that every file becomes several requests. */
const combinations = ['', '101'] as const;

/** Sometimes a person cancels the port in the portal while it is about to be moved. */
function randomMoves(dice: Dice) {
  const leaves = dice.chance(0.2) ? [dice.between(2 * minute, 60 * minute)] : [];
  const moves = dice.chance(0.3) ? [dice.between(2 * minute, 40 * minute)] : [];
  const cancelled = dice.chance(0.7) ? moves.map((at) => at + dice.between(-minute, 3 * minute)) : [];
  return { leaves, moves, cancelled };
}

export function randomScenario(dice: Dice): Scenario {
  const uploads: Upload[] = [];
  let used = dice.between(0, 40);
  const isTroubled = dice.chance(0.3);
  for (let file = 0; file < dice.between(1, 3); file += 1) {
    // Some files start with numbers of an earlier file.
    const first = used > 3 && dice.chance(0.25) ? used - dice.between(1, 3) : used;
    const rows = Array.from({ length: dice.between(1, 6) }, (_, place) =>
      rowAt(first + place, dice, isTroubled && dice.chance(0.3) ? dice.pick(prefixes) : 'ABC'),
    );
    used = first + rows.length;
    if (dice.chance(0.2)) rows.push({ ...rowAt(80, dice, 'ABC'), msisdn: '4.477E+11' });
    // 0: the event is lost, and the inbox sweep must find the file.
    const notifications = dice.pick([0, 1, 1, 1, 1, 1, 1, 2, 2, 3]);
    // Some files overwrite an earlier one.
    const place = file > 0 && dice.chance(0.25) ? file - 1 : file;
    uploads.push({ at: dice.between(0, 4 * minute), key: `create-port/file-${place}.csv`, rows, notifications });
  }
  const cancels = dice.chance(0.2) ? [dice.between(2 * minute, 30 * minute)] : [];
  const decisions = dice.chance(0.5)
    ? Array.from({ length: dice.between(4, 16) }, () => ({
        at: dice.between(5 * minute, 30 * minute),
        kind: dice.pick(kinds),
      }))
    : [];
  const { leaves, moves, cancelled } = randomMoves(dice);
  const isWhole = dice.chance(0.25);
  const horizonMs = isWhole ? 10 * day : 6 * 60 * minute;
  return {
    uploads,
    cancels: [...cancels, ...cancelled],
    leaves,
    moves,
    decisions,
    calmAt: dice.between(5 * minute, 40 * minute),
    horizonMs,
    isWhole,
  };
}

/** Sometimes the service declines one of the rows by its number, which was on the service before. */
export function withFormerNumber(scenario: Scenario, dice: Dice): Scenario {
  if (!dice.chance(0.25)) return scenario;
  const file = dice.between(0, scenario.uploads.length - 1);
  const uploads = scenario.uploads.map((upload, index) => {
    if (index !== file) return upload;
    const place = dice.between(0, upload.rows.length - 1);
    return { ...upload, rows: upload.rows.map((row, at) => (at === place ? { ...row, msisdn: formerNumber } : row)) };
  });
  return { ...scenario, uploads };
}

/** Three rows in two combinations. */
export const smallScenario: Scenario = {
  uploads: [
    {
      at: 0,
      key: 'create-port/file.csv',
      rows: ['', '101', ''].map((boltOns, index) => ({
        msisdn: numberAt(index),
        serialNo: simAt(index),
        pac: `QZX73514${index}`,
        boltOns,
      })),
      notifications: 1,
    },
  ],
  cancels: [],
  calmAt: 0,
  horizonMs: 60 * minute,
  isWhole: false,
};

/** The same, followed until both ports are complete. */
export const wholeLife: Scenario = { ...smallScenario, horizonMs: 10 * day, isWhole: true };

const rowAt = (index: number, dice: Dice, letters: string): Row => ({
  msisdn: numberAt(index),
  serialNo: simAt(index),
  pac: `${letters}${dice.between(100_000, 999_999)}`,
  boltOns: dice.pick(combinations),
});

const shared = {
  portType: 'Port',
  targetNetwork: 'UK Mobile A',
  sourceNetwork: 'Source Mobile One',
  tariff: '2001',
  provisioningOrder: '5001',
};

/** The PACs are valid on the connection date. */
export const csvTextOf = (rows: readonly Row[], connectionDate = 'auto'): string => {
  const pacExpiry = connectionDate === 'auto' ? '' : connectionDate;
  const cells = { ...shared, connectionDate, pacExpiry };
  const columns = ['msisdn', 'serialNo', 'pac', 'boltOns', ...Object.keys(cells)];
  const lines = rows.map(({ msisdn, serialNo, pac, boltOns }) =>
    [msisdn, serialNo, pac, boltOns, ...Object.values(cells)].join(','),
  );
  return `${[columns.join(','), ...lines].join('\n')}\n`;
};
