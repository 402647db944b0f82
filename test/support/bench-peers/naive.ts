// The obvious program: one object per record, a zod schema per row, a Map of groups, JSON of each group. It checks less
// than ingest: no catalogue, no check digits, no RIO key, no line numbers, no file of rejected rows.
import * as z from 'zod';

const row = z.object({
  msisdn: z
    .string()
    .transform((text) => text.replace(/[\s\-()+]/g, ''))
    .pipe(z.string().regex(/^(?:0|44)7\d{9}$/)),
  serialNo: z.string().regex(/^89\d{17,18}$/),
  pac: z.string().regex(/^[A-Z]{3}\d{6}$/),
  portType: z.enum(['Port', 'MigrateIn', 'MigrateInKeep']),
  targetNetwork: z.enum(['UK Mobile A', 'UK Mobile B']),
  sourceNetwork: z.string().min(1),
  connectionDate: z.union([z.literal('auto'), z.iso.date()]),
  tariff: z.string().min(1),
  boltOns: z.string().transform((text) => text.split(';').filter(Boolean).map(Number)),
  services: z.string(),
  esim: z.enum(['true', 'false', '']).transform((text) => text === 'true'),
  provisioningOrder: z.string(),
  provisioningOrderName: z.string(),
});
type Row = z.infer<typeof row>;

const rowsPerRequest = 100;

export interface NaiveProgram {
  add(record: unknown): void;
  /** Returns the number of valid rows. */
  end(): number;
}

/** @param emit takes the JSON of each request */
export function naiveProgram(emit: (json: string) => void): NaiveProgram {
  const groups = new Map<string, Row[]>();
  const seen = new Set<string>();
  let valid = 0;
  const emitGroup = (key: string, rows: Row[]) => {
    emit(JSON.stringify({ combination: key, rows }));
    groups.delete(key);
  };
  return {
    add: (record) => {
      const parsed = row.safeParse(record);
      if (!parsed.success || seen.has(parsed.data.msisdn)) return;
      seen.add(parsed.data.msisdn);
      valid += 1;
      const { msisdn, serialNo, pac, ...combination } = parsed.data;
      const key = JSON.stringify(combination);
      const rows = groups.get(key) ?? [];
      rows.push(parsed.data);
      groups.set(key, rows);
      if (rows.length >= rowsPerRequest) emitGroup(key, rows);
    },
    end: () => {
      for (const [key, rows] of groups) emitGroup(key, rows);
      return valid;
    },
  };
}
