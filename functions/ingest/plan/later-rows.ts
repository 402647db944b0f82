// A later row can change how the file must be read. The file is then read again from its start.
import { findRecordThatAsks } from '#shared/files/column-values.ts';
import type { RecordBatch } from '#shared/files/csv/record-batch.ts';
import type { HeaderMap } from '#shared/files/map-header.ts';
import type { RowsForDates } from '#shared/files/recognise-dates.ts';

/** What an earlier reading of the file found behind its first rows. */
export interface LaterRows {
  readonly rowsForDates: RowsForDates;
  /** Those that ask what a column is. */
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

/** Plans again until no further row changes how the file must be read. */
export async function withLaterRows<Plan>(plan: (laterRows: LaterRows) => Promise<Plan>): Promise<Plan> {
  let laterRows: LaterRows = { rowsForDates: 'first', samples: [] };
  for (;;) {
    try {
      return await plan(laterRows);
    } catch (error) {
      if (error instanceof ContradictingDate) laterRows = { ...laterRows, rowsForDates: 'all' };
      else if (error instanceof LateValue) laterRows = { ...laterRows, samples: [...laterRows.samples, error.record] };
      else throw error;
    }
  }
}
