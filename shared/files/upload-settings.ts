// Settings for a whole upload, in the metadata of its object: how the file is to be read, and what to do with it.
import type { ImportItem } from '#shared/import/import.ts';
import type { FileSettings } from '#shared/import/saved-settings.ts';
import { type DateOrder, dateOrders } from '#shared/row/date-order.ts';
import { count, truncate } from '#shared/text/wording.ts';
import { encodingNames } from './csv/decode-text.ts';
import type { Delimiter, FileLayout, OtherSheet } from './csv/record-batch.ts';
import type { ValueMeanings } from './map-header.ts';
import { addReading, type SecretReading } from './secret-columns.ts';

/** `wait`: until a person acts. `remove`: they are removed from their port after some time, and the others go on. */
export const onInvalidPac = ['wait', 'remove'] as const;
export type OnInvalidPac = (typeof onInvalidPac)[number];

export interface UploadSettings {
  /** Plan the file and wait for approval. */
  readonly planOnly?: boolean | undefined;
  /** The same, for a person who only wants to know what is wrong: lists leave the import out, and it expires soon. */
  readonly validation?: boolean | undefined;
  /** Values for empty cells of whole columns, by the column name as the uploader wrote it. S3 makes it lower case. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Names in the header to column names; '' keeps a column as the user's own. */
  readonly mapping: Readonly<Record<string, string>>;
  /** What texts in a column mean. @default - nothing but what the service calls so */
  readonly meanings?: ValueMeanings | undefined;
  readonly layout: FileLayout;
  /** The order of day, month and year in every date. @default - detected for each column */
  readonly dateOrder?: DateOrder | undefined;
  /**
   * The highest percentage of invalid rows at which the others are still submitted.
   * @default the environment's setting
   */
  readonly toleratedFailurePercentage?: number | undefined;
  /** Rows of one request, and so of one port: an invalid PAC blocks fewer rows. @default the environment's setting */
  readonly maxRowsPerPort?: number | undefined;
  /** What happens to rows whose PAC turns out to be invalid. @default the environment's setting */
  readonly onInvalidPac?: OnInvalidPac | undefined;
  /** The most rows that are ported on one day, where the file leaves the date open. @default no limit */
  readonly perDay?: number | undefined;
  /** Rows whose PAC expires soon after the connection date are in separate ports: they block only each other. */
  readonly separateExpiringPacs?: boolean | undefined;
  /** What earlier readings of the same file called secret: the API adds it to a copy of the file. */
  readonly secretReadings?: readonly SecretReading[] | undefined;
}

export interface ReadSettings extends UploadSettings {
  /** Why a setting cannot be read. The default is not used, because the uploader may have meant something else. */
  readonly problem?: string;
}

/** Everything is detected, and the environment decides. */
export const defaultSettings: UploadSettings = { defaults: {}, mapping: {}, layout: {} };

/** Names in many languages have no hyphens, so `setBoltOns` means `set-boltons`. */
const defaultPrefix = 'set';
const percentage = /^(100|\d{1,2})(\.\d+)?$/;

/** Separators by the words that stand for them where a character cannot be typed. */
export const separatorNames: Readonly<Record<string, Delimiter>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
};

const yesOrNo = {
  expected: 'true or false',
  read: (text: string) => (/^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined),
};

const oneOf = <Value extends string>(values: readonly Value[], text: string): Value | undefined =>
  values.find((value) => value === text);

/** Each setting: its name in metadata, and what values it takes. */
const readers = {
  'plan-only': yesOrNo,
  validation: yesOrNo,
  tolerate: {
    expected: 'a percentage from 0 to 100',
    read: (text: string) => (percentage.test(text) && Number(text) <= 100 ? Number(text) : undefined),
  },
  'max-rows-per-port': {
    expected: 'a number from 1 to 1000',
    read: (text: string) => (/^([1-9]\d{0,2}|1000)$/.test(text) ? Number(text) : undefined),
  },
  'on-invalid-pac': {
    expected: onInvalidPac.join(', '),
    read: (text: string) => oneOf(onInvalidPac, text.toLowerCase()),
  },
  'per-day': {
    expected: 'a number from 1 to 999999',
    read: (text: string) => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined),
  },
  'separate-expiring-pacs': yesOrNo,
  map: { expected: 'NAME=COLUMN, URI-encoded and joined by &', read: readMapping },
  means: { expected: 'COLUMN:TEXT=VALUE, URI-encoded and joined by &', read: readMeanings },
  'header-row': {
    expected: 'the number of a row',
    read: (text: string) => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined),
  },
  sheet: { expected: 'the name of a sheet', read: (text: string) => decode(text) || undefined },
  'other-sheets': { expected: 'names of sheets, URI-encoded and joined by /', read: readOtherSheets },
  'visible-rows-only': yesOrNo,
  dates: { expected: dateOrders.join(', '), read: (text: string) => oneOf(dateOrders, text.toLowerCase()) },
  encoding: { expected: encodingNames.join(', '), read: (text: string) => oneOf(encodingNames, text.toLowerCase()) },
  separator: { expected: Object.keys(separatorNames).join(', '), read: readSeparator },
  'secret-columns': { expected: 'what the API wrote', read: readSecretReadings },
} as const;

/** Names in many languages have no hyphens, so `plan_only` and `planOnly` mean `plan-only`: S3 ignores their case. */
const toName = (name: string): string => name.toLowerCase().replaceAll('_', '-');
const withoutHyphens = (name: string): string => name.replaceAll('-', '');

export function readUploadSettings(metadata: Readonly<Record<string, string>>): ReadSettings {
  const { settings, problems } = readMetadata(metadata);
  if (problems.length === 0) return settings;
  return { ...settings, problem: `the metadata has ${problems.join('; ')}. Nothing was submitted` };
}

/** What S3 or ingest would decline, before the file is uploaded. */
export function findSettingsProblems(settings: UploadSettings): readonly string[] {
  const long = findLongSettings(settings);
  const { problems } = readMetadata(toUploadMetadata(settings));
  if (long === undefined) return problems;
  const parts = long.parts.map(
    ({ name, column, bytes }) => `${name}${column ? ` ${column}` : ''} (${count(bytes)} bytes)`,
  );
  return [...problems, `${parts.join(', --')}: ${long.message}`];
}

/** S3 takes 2 KB of names and values. The API adds more. */
const maxMetadataBytes = 2_000;
/** A part with more bytes is named. */
const longPart = 300;

/** The long settings of an upload whose metadata S3 would decline, by their names in metadata. undefined: it fits. */
export function findLongSettings(settings: UploadSettings) {
  const columns = new Map(Object.keys(settings.defaults).map((column) => [metadataName(column), column]));
  const parts = Object.entries(toUploadMetadata(settings)).map(([name, value]) => {
    const column = columns.get(name);
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(value);
    return { name: column === undefined ? name : defaultPrefix, column, bytes };
  });
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  if (bytes <= maxMetadataBytes) return undefined;
  const sorted = parts.sort((one, other) => other.bytes - one.bytes);
  const message =
    `the settings of the upload are too long: together they have ${count(bytes)} bytes, and an upload takes ` +
    `${count(maxMetadataBytes)}. Put the values and names into the file`;
  return { parts: sorted.filter((part, place) => place === 0 || part.bytes > longPart), message };
}

function readMetadata(metadata: Readonly<Record<string, string>>) {
  const entries = Object.entries(metadata).map(([name, value]) => [toName(name), value.trim()] as const);
  const problems: string[] = [];
  const read = <Name extends keyof typeof readers>(name: Name) => {
    const text = entries.find(([one]) => withoutHyphens(one) === withoutHyphens(name))?.[1];
    if (text === undefined) return undefined;
    const value = readers[name].read(text) as ReturnType<(typeof readers)[Name]['read']>;
    if (value === undefined) problems.push(`${name} "${truncate(text, 40)}": use ${readers[name].expected}`);
    return value;
  };
  const settings: UploadSettings = {
    planOnly: read('plan-only') ?? false,
    validation: read('validation'),
    toleratedFailurePercentage: read('tolerate'),
    maxRowsPerPort: read('max-rows-per-port'),
    onInvalidPac: read('on-invalid-pac'),
    perDay: read('per-day'),
    separateExpiringPacs: read('separate-expiring-pacs'),
    secretReadings: read('secret-columns'),
    mapping: read('map') ?? {},
    meanings: read('means'),
    layout: {
      headerLine: read('header-row'),
      sheet: read('sheet'),
      otherSheets: read('other-sheets'),
      visibleRowsOnly: read('visible-rows-only'),
      encoding: read('encoding'),
      delimiter: read('separator'),
    },
    dateOrder: read('dates'),
    defaults: Object.fromEntries(
      entries.flatMap(([name, value]) =>
        name.startsWith(defaultPrefix) ? [[name.slice(defaultPrefix.length).replace(/^-/, ''), decode(value)]] : [],
      ),
    ),
  };
  return { settings, problems };
}

/** The metadata of an upload. It travels as HTTP headers: names are letters and digits, values are ASCII. */
export function toUploadMetadata(settings: UploadSettings): Record<string, string> {
  const { planOnly, toleratedFailurePercentage: tolerate, mapping, layout, dateOrder, defaults } = settings;
  const { headerLine, sheet, otherSheets = [], visibleRowsOnly, encoding, delimiter } = layout;
  const separator = nameOfSeparator(delimiter);
  const values: Readonly<Record<keyof typeof readers, string | undefined>> = {
    'plan-only': planOnly ? 'true' : undefined,
    validation: settings.validation ? 'true' : undefined,
    tolerate: tolerate?.toString(),
    'max-rows-per-port': settings.maxRowsPerPort?.toString(),
    'on-invalid-pac': settings.onInvalidPac,
    'per-day': settings.perDay?.toString(),
    'separate-expiring-pacs': settings.separateExpiringPacs?.toString(),
    map: Object.keys(mapping).length === 0 ? undefined : new URLSearchParams(mapping).toString(),
    means: writeMeanings(settings.meanings ?? {}),
    'header-row': headerLine?.toString(),
    sheet: sheet === undefined ? undefined : encodeURIComponent(sheet),
    'other-sheets': otherSheets.map((other) => encodeURIComponent(other.sheet)).join('/') || undefined,
    'visible-rows-only': visibleRowsOnly ? 'true' : undefined,
    dates: dateOrder,
    encoding,
    separator,
    'secret-columns': writeSecretReadings(settings.secretReadings ?? []),
  };
  const columns = Object.entries(defaults).map(([column, value]) => [metadataName(column), encodeURIComponent(value)]);
  return Object.fromEntries([...Object.entries(values).filter(([, value]) => value !== undefined), ...columns]);
}

const metadataName = (column: string): string => `${defaultPrefix}${column.toLowerCase().replace(/[^a-z0-9]/g, '')}`;

function readMapping(text: string): Record<string, string> | undefined {
  const mapping = Object.fromEntries(new URLSearchParams(text));
  return Object.keys(mapping).length > 0 && text.includes('=') ? mapping : undefined;
}

/** No name of a column contains a colon. */
function readMeanings(text: string): ValueMeanings | undefined {
  const meanings: Record<string, Record<string, string>> = {};
  for (const [written, value] of new URLSearchParams(text)) {
    const [column = '', ...rest] = written.split(':');
    const of = rest.join(':').trim();
    if (column.trim() === '' || of === '' || value.trim() === '') return undefined;
    meanings[column.trim()] = { ...meanings[column.trim()], [of]: value.trim() };
  }
  return Object.keys(meanings).length === 0 ? undefined : meanings;
}

const writeMeanings = (meanings: ValueMeanings): string | undefined =>
  new URLSearchParams(
    Object.entries(meanings).flatMap(([column, values]) =>
      Object.entries(values).map(([text, value]): [string, string] => [`${column}:${text}`, value]),
    ),
  ).toString() || undefined;

/** No name of a sheet contains a slash. */
function readOtherSheets(text: string): OtherSheet[] | undefined {
  const names = text.split('/').map(decode);
  return names.includes('') ? undefined : names.map((sheet) => ({ sheet }));
}

/** `1+4;comma` or `2;comma;July`, URI-encoded and joined by a slash. */
const writeSecretReadings = (readings: readonly SecretReading[]): string | undefined =>
  readings
    .map(({ columns, delimiter, sheet }) => [columns.join('+'), nameOfSeparator(delimiter), sheet])
    .map((parts) => parts.flatMap((part) => (part === undefined ? [] : encodeURIComponent(part))).join(';'))
    .join('/') || undefined;

function readSecretReadings(text: string): SecretReading[] | undefined {
  const readings = text.split('/').map((reading) => reading.split(';').map(decode));
  if (!readings.every(([columns = '', name = '']) => /^\d+(\+\d+)*$/.test(columns) && name in separatorNames))
    return undefined;
  return readings.map(([columns = '', name = '', sheet]) => ({
    columns: columns.split('+').map(Number),
    delimiter: separatorNames[name] ?? ',',
    ...(sheet !== undefined && { sheet }),
  }));
}

const nameOfSeparator = (delimiter: string | undefined): string | undefined =>
  Object.entries(separatorNames).find(([, character]) => character === delimiter)?.[0];

/** A separator by its name or itself. */
export function readSeparator(text: string): Delimiter | undefined {
  return separatorNames[text.toLowerCase()] ?? oneOf(Object.values(separatorNames), text);
}

/** A value that does not decode is taken as it is. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

// The settings with which the file of an import is read: those of its upload, and saved ones of its header.

export const toUploadSettings = (settings: FileSettings): UploadSettings => ({
  defaults: settings.columnValues ?? {},
  mapping: settings.mapping ?? {},
  meanings: settings.meanings,
  layout: {
    headerLine: settings.headerRow,
    sheet: settings.sheet,
    otherSheets: settings.otherSheets?.map((sheet) => ({ sheet })),
    visibleRowsOnly: settings.visibleRowsOnly,
    encoding: settings.encoding,
    delimiter: settings.separator,
  },
  dateOrder: settings.dateOrder,
});

/** @param metadata of its object */
export function settingsOf({ readWith }: ImportItem, metadata: Readonly<Record<string, string>>): UploadSettings {
  const settings = readUploadSettings(metadata);
  return readWith === undefined ? settings : mergeSettings(toUploadSettings(readWith.settings), settings);
}

/** What this and earlier readings of the file called secret. @param metadata of its object */
export function secretReadingsOf(
  { secretReadings, layout, columnIndexes = {}, columnIndexesForPeople = columnIndexes }: ImportItem,
  metadata: Readonly<Record<string, string>> = {},
): readonly SecretReading[] {
  const before = secretReadings ?? readUploadSettings(metadata).secretReadings ?? [];
  const { pac } = columnIndexesForPeople;
  return pac === undefined || layout === undefined ? before : addReading(before, layout, [pac]);
}

/** Whether a person chose how the file is read. Values for all rows do not count. */
export const describesFile = ({ mapping, layout, dateOrder }: UploadSettings): boolean =>
  dateOrder !== undefined ||
  Object.keys(mapping).length > 0 ||
  Object.values(layout).some((setting) => setting !== undefined);

export const mergeSettings = (earlier: UploadSettings, given: UploadSettings): UploadSettings => ({
  ...earlier,
  ...withoutUndefined(given),
  mapping: { ...earlier.mapping, ...given.mapping },
  defaults: { ...earlier.defaults, ...given.defaults },
  ...((earlier.meanings ?? given.meanings) && { meanings: mergeMeanings(earlier.meanings, given.meanings) }),
  layout: {
    ...earlier.layout,
    // Sheets are named together.
    ...(given.layout.sheet !== undefined && { otherSheets: undefined }),
    ...withoutUndefined(given.layout),
  },
});

const mergeMeanings = (earlier: ValueMeanings = {}, given: ValueMeanings = {}): ValueMeanings => ({
  ...earlier,
  ...Object.fromEntries(Object.entries(given).map(([column, values]) => [column, { ...earlier[column], ...values }])),
});

const withoutUndefined = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;
