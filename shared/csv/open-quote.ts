// Where the quote opened that nobody closed: the line a person has to look at.
import { createLineCounter } from './line-breaks.ts';

const quote = 0x22;

/** The line on which the quote opens that is still open at the end of `record`, which starts on `firstLine`. */
export function openQuoteLine(record: Buffer, delimiter: string, firstLine: number): number | undefined {
  const opening = openQuoteAt(record, delimiter.charCodeAt(0));
  return opening === undefined ? undefined : firstLine + createLineCounter().count(record.subarray(0, opening));
}

function openQuoteAt(record: Buffer, delimiter: number): number | undefined {
  let opening: number | undefined;
  let cellStart = true;
  for (let index = 0; index < record.length; index++) {
    const byte = record[index];
    if (byte === quote && opening !== undefined) {
      if (record[index + 1] === quote) index++;
      else opening = undefined;
    } else if (byte === quote && cellStart) {
      opening = index;
    }
    cellStart = byte === delimiter || byte === 10 || byte === 13;
  }
  return opening;
}
