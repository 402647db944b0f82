// Write units per row from upload to Complete, for requests of 1, 10 and 100 rows. Prints one line of JSON.

import { writeUnitsOfRequest } from '../test/support/embedded/measured-write-units.ts';
import { startResultsServices } from '../test/support/embedded/services.ts';

const sizes = [1, 10, 100] as const;

/** Separate services for each size, because their client counts the units. */
async function measure(rows: number) {
  const services = await startResultsServices();
  const closing: (() => Promise<void>)[] = [services.stop];
  try {
    const units = await writeUnitsOfRequest(services, { importId: `import-${rows}`, rows }, (close) =>
      closing.unshift(close),
    );
    return { rows, units, unitsPerRow: units / rows };
  } finally {
    for (const close of closing) await close();
  }
}

const requests: Awaited<ReturnType<typeof measure>>[] = [];
for (const rows of sizes) requests.push(await measure(rows));
// Of a request of 100 rows.
console.log(JSON.stringify({ unitsPerRow: requests.at(-1)?.unitsPerRow ?? 0, requests }));
