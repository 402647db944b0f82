// A mapping file: how files of one kind are to be read, saved once and used again for the next file.
import * as z from 'zod/mini';
import { encodingNames } from '#shared/csv/detect-encoding.ts';
import { readSeparator, separatorNames, type UploadSettings } from '#shared/csv/upload-settings.ts';
import { dateOrders } from '#shared/domain/dates/date-order.ts';
import { parseJson } from '#shared/domain/text/parse-json.ts';

const texts = z.record(z.string(), z.string());

const mappingFile = z.strictObject({
  /** Names in the header to column names. */
  map: z.optional(texts),
  /** Values for whole columns. */
  set: z.optional(texts),
  sheet: z.optional(z.string()),
  headerRow: z.optional(z.int().check(z.positive())),
  dates: z.optional(z.enum(dateOrders)),
  encoding: z.optional(z.enum(encodingNames)),
  separator: z.optional(z.enum(Object.keys(separatorNames) as [string, ...string[]])),
});

/** Editors on Windows write one. */
const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** The settings, or why the text is no mapping file. */
export function parseMappingFile(text: string): { settings: UploadSettings } | { problem: string } {
  const parsed = mappingFile.safeParse(parseJson(withoutByteOrderMark(text)));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? '' : ` at "${issue.path.join('.')}"`;
    return { problem: `it is not a mapping file${place}: ${issue?.message ?? 'not JSON'}` };
  }
  const { map = {}, set = {}, sheet, headerRow, dates, encoding, separator } = parsed.data;
  const delimiter = separator === undefined ? undefined : readSeparator(separator);
  const layout = { headerLine: headerRow, sheet, encoding, delimiter };
  return { settings: { mapping: map, defaults: set, dateOrder: dates, layout } };
}

export function formatMappingFile({ mapping, defaults, dateOrder, layout }: UploadSettings): string {
  const { headerLine, sheet, encoding, delimiter } = layout;
  const separator = Object.entries(separatorNames).find(([, character]) => character === delimiter)?.[0];
  const isFilled = (value: unknown): boolean =>
    value !== undefined && (typeof value !== 'object' || Object.keys(value as object).length > 0);
  const members = { map: mapping, set: defaults, sheet, headerRow: headerLine, dates: dateOrder, encoding, separator };
  const filled = Object.entries(members).filter(([, value]) => isFilled(value));
  return `${JSON.stringify(Object.fromEntries(filled), undefined, 2)}\n`;
}
