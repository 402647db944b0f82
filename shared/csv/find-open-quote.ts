// Finds the opening quote that is never closed, so that the user knows which line to fix.
import { createLineCounter } from './count-lines.ts';

const quote = 0x22;

/** The line of the quote that is still open at the end of `record`, which starts on `firstLine`. */
export function openQuoteLine(record: Buffer, delimiter: string, firstLine: number): number | undefined {
  const opening = openQuoteIndex(record, delimiter.charCodeAt(0));
  return opening === undefined ? undefined : firstLine + createLineCounter().count(record.subarray(0, opening));
}

function openQuoteIndex(record: Buffer, delimiter: number): number | undefined {
  let opening: number | undefined;
  let isCellStart = true;
  for (let index = 0; index < record.length; index++) {
    const byte = record[index];
    if (byte === quote && opening !== undefined) {
      if (record[index + 1] === quote) index++;
      else opening = undefined;
    } else if (byte === quote && isCellStart) {
      opening = index;
    }
    isCellStart = byte === delimiter || byte === 10 || byte === 13;
  }
  return opening;
}
