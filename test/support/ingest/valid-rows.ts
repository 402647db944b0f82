// Create-port files with valid rows, each with a number and a SIM of its own.
import { validCells } from './catalogue.ts';

const fileColumns = [...Object.keys(validCells), 'boltOns', 'reference'];

/** A create-port file. Each row states the cells that differ from a valid row with its own number and SIM. */
export function csvOf(rows: readonly Record<string, string>[], columns: readonly string[] = fileColumns): string {
  const lines = rows.map((row, index) => {
    const cells: Record<string, string> = { ...validCells, msisdn: numberAt(index), serialNo: simAt(index), ...row };
    return columns.map((column) => quoted(cells[column] ?? '')).join(',');
  });
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}

/** That many valid rows. */
export const goodRows = (count: number): Record<string, string>[] => Array.from({ length: count }, () => ({}));

const quoted = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

export const numberAt = (index: number): string => `07700${String(900_000 + index)}`;

export function simAt(index: number): string {
  const payload = `89441100${String(index).padStart(10, '0')}`;
  const sum = [...payload].reverse().reduce((total, digit, place) => {
    const doubled = place % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${payload}${(10 - (sum % 10)) % 10}`;
}
