// The options of every command that uploads a file.

import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import * as z from 'zod/mini';
import { encodingNames } from '#shared/files/csv/decode-text.ts';
import { findSecretDefault, secretDefault, type ValueMeanings } from '#shared/files/map-header.ts';
import {
  defaultSettings,
  findSettingsProblems,
  mergeSettings,
  type OnInvalidPac,
  onInvalidPac as onInvalidPacChoices,
  readSeparator,
  separatorNames,
  type UploadSettings,
} from '#shared/files/upload-settings.ts';
import { operationNamed, operations } from '#shared/operations/registry.ts';
import { type DateOrder, dateOrders } from '#shared/row/date-order.ts';
import { parseJson } from '#shared/text/stored-values.ts';
import type { CliContext } from '../context/cli-context.ts';
import { usageError } from '../context/cli-error.ts';
import { fileToWrite } from '../imports/save-report.ts';
import type { UploadRequest } from '../imports/upload.ts';
import { parseCount, parsePercentage } from './common-options.ts';

export interface UploadOptions {
  readonly operation: string;
  readonly set: readonly string[];
  readonly map: readonly string[];
  readonly means: readonly string[];
  readonly tolerate?: string;
  readonly maxRowsPerPort?: string;
  readonly onInvalidPac?: OnInvalidPac;
  readonly separateExpiringPacs?: boolean;
  readonly perDay?: string;
  readonly planOnly?: boolean;
  readonly validation?: boolean;
  readonly sheet: readonly string[];
  readonly visibleRowsOnly?: boolean;
  readonly headerRow?: string;
  readonly dates?: DateOrder;
  readonly encoding?: (typeof encodingNames)[number];
  readonly separator?: string;
  readonly mapping?: string;
  readonly saveMapping?: string;
}

export const createOperationOption = (): Option =>
  new Option('--operation <name>', 'what to do with the rows').choices([...operations.keys()]).default('create-port');

const repeated = (flags: string, description: string): Option =>
  new Option(flags, description)
    .default([] as string[], 'none')
    .argParser((value: string, earlier: readonly string[]) => [...earlier, value]);

/** How the file is to be read, and what to do with it. */
export const addUploadOptions = (command: Command): Command =>
  command
    .addOption(createOperationOption())
    .addOption(repeated('--set <column=value>', 'a value for the empty cells of a column; may be repeated'))
    .addOption(repeated('--map <name=column>', 'read the column "name" of the file as this column; may be repeated'))
    .addOption(
      repeated('--means <column:text=value>', 'read this text in a column as a value of the service; may be repeated'),
    )
    .option('--mapping <file>', 'use the settings of a mapping file')
    .option('--save-mapping <file>', 'save --map, --set, --means and how the file is read as a mapping file')
    .addOption(repeated('--sheet <name>', 'the sheet of a workbook; repeat it to read several sheets as one file'))
    .option('--visible-rows-only', 'leave out rows that the workbook hides, filters out or strikes out')
    .option('--header-row <number>', 'the row with the names of the columns')
    .addOption(new Option('--dates <order>', 'the order of day, month and year').choices([...dateOrders]))
    .addOption(new Option('--encoding <name>', 'the encoding of a CSV').choices([...encodingNames]))
    .option('--separator <name>', `what separates the cells of a CSV: ${Object.keys(separatorNames).join(', ')}`)
    .option('--max-rows-per-port <count>', 'make smaller ports, so that an invalid PAC blocks fewer rows')
    .option('--per-day <count>', 'book at most this many numbers on one day, where the date is auto')
    .option('--separate-expiring-pacs', 'put rows whose PAC expires soon into separate ports')
    .addOption(
      new Option(
        '--on-invalid-pac <what>',
        'what happens to rows with invalid PACs: they wait, or leave their port',
      ).choices([...onInvalidPacChoices]),
    )
    .option('--tolerate <percent>', 'send nothing if more rows than this are rejected; 0 is all or nothing');

/** The only way to send rows to a simulator that no other command started. */
export const createSimulateOption = (): Option =>
  new Option('--simulate', 'use a simulator that ends with the command; no number is ported');

/** Reads the mapping file, and saves one if that was requested. @throws CliError (usage) for an invalid option */
export async function readUploadRequest(
  context: CliContext,
  file: string,
  options: UploadOptions,
): Promise<UploadRequest> {
  const { operation, mapping, saveMapping } = options;
  const given = toSettings(options);
  const settings = mapping === undefined ? given : mergeSettings(await readMappingFile(context, mapping), given);
  const secret = findSecretDefault(settings.defaults, operationNamed(operation)?.columns ?? []);
  if (secret !== undefined) throw usageError(`--set ${secretDefault(secret)}.`, 'Nothing was uploaded.');
  const [problem] = findSettingsProblems(settings);
  if (problem !== undefined) throw usageError(`--${problem}.`, 'Nothing was uploaded.');
  if (saveMapping !== undefined)
    await writeFile(await fileToWrite(context.folder, saveMapping), formatMappingFile(settings));
  return { file, operation, settings };
}

function toSettings(options: UploadOptions): UploadSettings {
  const { set, map, means, tolerate, maxRowsPerPort, onInvalidPac, planOnly, headerRow, dates, encoding, separator } =
    options;
  return {
    ...defaultSettings,
    planOnly,
    ...(options.validation && { validation: true }),
    toleratedFailurePercentage: ifGiven(parsePercentage, '--tolerate', tolerate),
    maxRowsPerPort: ifGiven(parseCount, '--max-rows-per-port', maxRowsPerPort),
    perDay: ifGiven(parseCount, '--per-day', options.perDay),
    onInvalidPac,
    separateExpiringPacs: options.separateExpiringPacs,
    defaults: parsePairs('--set', set, 'targetNetwork=UK Mobile A'),
    mapping: parsePairs('--map', map, 'Porting date=connectionDate'),
    meanings: parseMeanings(means),
    dateOrder: dates,
    layout: {
      headerLine: ifGiven(parseCount, '--header-row', headerRow),
      ...sheetsOf(options.sheet),
      visibleRowsOnly: options.visibleRowsOnly,
      encoding,
      delimiter: separator === undefined ? undefined : parseSeparator(separator),
    },
  };
}

const ifGiven = <Value>(
  parse: (option: string, text: string) => Value,
  option: string,
  text: string | undefined,
): Value | undefined => (text === undefined ? undefined : parse(option, text));

const sheetsOf = ([sheet, ...others]: readonly string[]) => ({
  sheet,
  otherSheets: others.length === 0 ? undefined : others.map((other) => ({ sheet: other })),
});

async function readMappingFile({ folder }: CliContext, file: string): Promise<UploadSettings> {
  const text = await readFile(resolve(folder, file), 'utf8').catch(() => undefined);
  if (text === undefined) throw usageError(`There is no file "${file}".`, 'Save one with --save-mapping FILE.');
  const parsed = parseMappingFile(text);
  if ('settings' in parsed) return parsed.settings;
  throw usageError(`--mapping "${file}": ${parsed.problem}.`, 'Save one with --save-mapping FILE.');
}

/** The values of all options such as `--set column=value`. @throws CliError (usage) for any other text */
function parsePairs(option: string, texts: readonly string[], example: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const text of texts) {
    // A value of --set may contain "=", and so may a name in --map.
    const split = option === '--set' ? text.indexOf('=') : text.lastIndexOf('=');
    if (split < 1) throw usageError(`${option} "${text}" has no "=".`, `For example: ${option} "${example}"`);
    pairs[text.slice(0, split).trim()] = text.slice(split + 1).trim();
  }
  return pairs;
}

/** undefined where there are none. @throws CliError (usage) for another text */
function parseMeanings(texts: readonly string[]): ValueMeanings | undefined {
  const example = 'targetNetwork:EE Biz=UK Mobile A';
  const meanings: Record<string, Record<string, string>> = {};
  for (const [written, value] of Object.entries(parsePairs('--means', texts, example))) {
    const [column = '', ...rest] = written.split(':');
    const text = rest.join(':').trim();
    const isWhole = column.trim() !== '' && text !== '' && value !== '';
    if (!isWhole) throw usageError(`--means "${written}=${value}" is incomplete.`, `For example: --means "${example}"`);
    meanings[column.trim()] = { ...meanings[column.trim()], [text]: value };
  }
  return texts.length === 0 ? undefined : meanings;
}

function parseSeparator(text: string) {
  const separator = readSeparator(text);
  if (separator !== undefined) return separator;
  throw usageError(
    `--separator "${text}" is not a separator.`,
    `Use one of ${Object.keys(separatorNames).join(', ')}.`,
  );
}

const texts = z.record(z.string(), z.string());

const mappingFile = z.strictObject({
  /** Names in the header to column names. */
  map: z.optional(texts),
  /** Values for whole columns. */
  set: z.optional(texts),
  /** What texts in a column mean, by column. */
  means: z.optional(z.record(z.string(), texts)),
  sheet: z.optional(z.string()),
  otherSheets: z.optional(z.array(z.string())),
  visibleRowsOnly: z.optional(z.boolean()),
  headerRow: z.optional(z.int().check(z.positive())),
  dates: z.optional(z.enum(dateOrders)),
  encoding: z.optional(z.enum(encodingNames)),
  separator: z.optional(z.enum(Object.keys(separatorNames) as [string, ...string[]])),
});

/** Editors on Windows write a byte order mark. */
const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** The settings, or why the text is not a mapping file. */
export function parseMappingFile(text: string): { settings: UploadSettings } | { problem: string } {
  const parsed = mappingFile.safeParse(parseJson(withoutByteOrderMark(text)));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? '' : ` at "${issue.path.join('.')}"`;
    return { problem: `it is not a mapping file${place}: ${issue?.message ?? 'not JSON'}` };
  }
  const {
    map = {},
    set = {},
    means,
    sheet,
    otherSheets = [],
    visibleRowsOnly,
    headerRow,
    dates,
    encoding,
    separator,
  } = parsed.data;
  const delimiter = separator === undefined ? undefined : readSeparator(separator);
  const sheets = sheet === undefined ? {} : sheetsOf([sheet, ...otherSheets]);
  const layout = { headerLine: headerRow, ...sheets, visibleRowsOnly, encoding, delimiter };
  return { settings: { mapping: map, defaults: set, meanings: means, dateOrder: dates, layout } };
}

export function formatMappingFile({ mapping, defaults, meanings, dateOrder, layout }: UploadSettings): string {
  const { headerLine, encoding, delimiter, otherSheets = [], ...ofSheet } = layout;
  const separator = Object.entries(separatorNames).find(([, character]) => character === delimiter)?.[0];
  const isFilled = (value: unknown): boolean =>
    value !== undefined && (typeof value !== 'object' || Object.keys(value as object).length > 0);
  const members = {
    map: mapping,
    set: defaults,
    means: meanings,
    ...ofSheet,
    otherSheets: otherSheets.map(({ sheet }) => sheet),
    headerRow: headerLine,
    dates: dateOrder,
    encoding,
    separator,
  };
  const filled = Object.entries(members).filter(([, value]) => isFilled(value));
  return `${JSON.stringify(Object.fromEntries(filled), undefined, 2)}\n`;
}
