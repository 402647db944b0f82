// A later row can change how the file must be read. The file is then read again from its start.

import type { RecordBatch } from '#shared/csv/record-batch.ts';
import { findRecordThatAsks } from '#shared/files/column-values.ts';
import type { HeaderMap } from '#shared/files/map-header.ts';
import type { RowsForDates } from './validate/recognise-dates.ts';

export interface Foresight {
  readonly rowsForDates: RowsForDates;
  /** Later rows that ask what a column is. */
  readonly samples: readonly (readonly string[])[];
}

/** A later row has a date that contradicts the order in which the first rows were read. */
export class ContradictingDate extends Error {
  override readonly name = 'ContradictingDate';
}

/** A later row has a value with which the file asks what a column is. */
class LateValue extends Error {
  override readonly name = 'LateValue';
  readonly record: readonly string[];

  constructor(record: readonly string[]) {
    super();
    this.record = record;
  }
}

/** @throws LateValue */
export function checkLateValues(batch: RecordBatch, { watched }: HeaderMap): void {
  const late = findRecordThatAsks(batch, watched);
  if (late !== undefined) throw new LateValue(late);
}

/** Plans again with the new settings until no further row changes them. */
export async function withForesight<Plan>(plan: (foresight: Foresight) => Promise<Plan>): Promise<Plan> {
  let foresight: Foresight = { rowsForDates: 'first', samples: [] };
  for (;;) {
    try {
      return await plan(foresight);
    } catch (error) {
      if (error instanceof ContradictingDate) foresight = { ...foresight, rowsForDates: 'all' };
      else if (error instanceof LateValue) foresight = { ...foresight, samples: [...foresight.samples, error.record] };
      else throw error;
    }
  }
}
