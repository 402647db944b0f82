// A program that imports a file of eight rows with 126,000 entries in a list, and prints the state of the import. A
// test runs it with little memory. Its argument is the column of the list.
import { csvRow } from '#shared/files/csv/csv-row.ts';
import { validCells } from './catalogue.ts';
import { ingestBench } from './ingest.ts';
import { numberAt, simAt } from './valid-rows.ts';

/** Eight rows with a list of 126,000 entries in `column`. */
export function longLists(column: string): string {
  const rows = Array.from({ length: 8 }, (_, index) => {
    const cells = { ...validCells, msisdn: numberAt(index), serialNo: simAt(index) };
    const list = Array.from({ length: 126_000 }, (_, entry) => (entry + index) % 10).join(';');
    return csvRow([...Object.values(cells), list]);
  });
  return csvRow([...Object.keys(validCells), column]) + rows.join('');
}

if (import.meta.main) {
  const item = await ingestBench().upload(longLists(process.argv[2] ?? ''));
  console.log(item?.state);
}
