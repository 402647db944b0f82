// Columns of a file that are named like a service or a bolt-on of the account, such as `Roaming` with Y and N: each of
// their cells is one more entry of the column `services` or `boltOns`. What has two readings is asked about.
import { valuesOf } from '#shared/csv/column-values.ts';
import { normalizeName, withoutHint } from '#shared/csv/header-words.ts';
import { type ExtraColumn, type HeaderMap, type HeaderOptions, mapHeader } from '#shared/csv/map-header.ts';
import { errorAt, type Issue } from '#shared/domain/imports/issue.ts';
import type { Catalogue } from './catalogue.ts';
import { type CatalogueOption, listBoltOns, listServices, optionsNamed } from './catalogue-options.ts';
import type { Column } from './operation.ts';
import { type BarSense, meaningOf, type OptionColumn } from './option-cells.ts';

/** With the columns that the catalogue decides. */
export interface FileHeader extends HeaderMap {
  readonly options?: readonly OptionColumn[];
}

/** `mapHeader` with those columns. Looks up lists only where a column may be one. */
export async function readHeader(
  cells: readonly string[],
  columns: readonly Column[],
  { line = 1, samples = [], mapping: given = {}, ...others }: HeaderOptions,
  catalogue: Catalogue,
): Promise<FileHeader> {
  const { mapping, answers } = takeAnswers(given, { cells, samples });
  const header = mapHeader(cells, columns, { line, samples, mapping, ...others });
  const readings = await readColumns(header.extras, { columns, samples, answers, catalogue });
  const options = readings.flatMap(({ option }) => option ?? []);
  const read = new Set(readings.map(({ name }) => name));
  const set = new Set<string | null>(options.map(({ option }) => option.column));
  const isSettled = ({ code, column }: Issue) =>
    code === 'HEADER_NEAR_MISS' ? read.has(column ?? '') : code === 'HEADER_MISSING_COLUMN' && set.has(column);
  const unused = [...answers].filter(([name]) => !readings.some((one) => normalizeName(one.name) === name));
  return {
    ...header,
    options,
    extras: header.extras.filter(({ index }) => !options.some((option) => option.index === index)),
    issues: [
      ...header.issues.filter((issue) => !isSettled(issue)),
      ...readings.flatMap(({ name, question }) =>
        question === undefined ? [] : { ...errorAt(line, 'HEADER_NEAR_MISS', question), column: name },
      ),
      ...unused.map(([, { written, answer }]) => {
        const message = `"${written}" cannot be mapped to "${answer}": it is no service or bolt-on of the account`;
        return errorAt(line, 'HEADER_UNKNOWN_MAPPING', message);
      }),
    ],
  };
}

interface Answer {
  readonly written: string;
  /** `block` or `allow` is what yes means; otherwise the column that it sets. */
  readonly answer: BarSense | CatalogueOption['column'];
}

/** By the name of the column. A column of yes and no cannot be the column `services` or `boltOns` itself. */
function takeAnswers(given: HeaderOptions['mapping'] & object, file: { cells: readonly string[]; samples: Samples }) {
  const answers = new Map<string, Answer>();
  const mapping: Record<string, string> = {};
  for (const [written, target] of Object.entries(given)) {
    const index = file.cells.findIndex((cell) => normalizeName(cell) === normalizeName(written));
    const answer = target.trim();
    const isOfList = answer === 'services' || answer === 'boltOns';
    if (isOfList ? hasOnlyMeanings(valuesOf(file.samples, index)) : answer === 'block' || answer === 'allow')
      answers.set(normalizeName(written), { written, answer: answer as Answer['answer'] });
    else mapping[written] = target;
  }
  return { mapping, answers };
}

type Samples = readonly (readonly string[])[];

interface Reading {
  readonly name: string;
  readonly option?: OptionColumn;
  readonly question?: string;
}

interface FileContext {
  readonly columns: readonly Column[];
  readonly samples: Samples;
  readonly answers: ReadonlyMap<string, Answer>;
  readonly catalogue: Catalogue;
}

const hasOnlyMeanings = (values: readonly string[]): boolean =>
  values.length > 0 && values.every((value) => meaningOf(value) !== undefined);

/** The columns that are, or may be, a service or a bolt-on. */
async function readColumns(extras: readonly ExtraColumn[], context: FileContext): Promise<Reading[]> {
  const { columns, samples, answers, catalogue } = context;
  const takes = (name: string) => columns.some((column) => column.name === name);
  if (!takes('services') && !takes('boltOns')) return [];
  const named = extras.filter(({ name, isChosen }) => !isChosen && name !== '');
  const possible = named
    .map(({ name, index }) => ({ name, index, values: valuesOf(samples, index) }))
    .filter(({ values }) => new Set(values).size <= mostValues || values.some(meaningOf));
  if (possible.length === 0) return [];
  const mayBeBoltOns = possible.some(({ values }) => values.length === 0 || values.some(meaningOf));
  const services = takes('services') ? await listServices(catalogue) : [];
  const boltOns = takes('boltOns') && mayBeBoltOns ? await listBoltOns(catalogue) : [];
  return possible.flatMap((column) => {
    const answer = answers.get(normalizeName(column.name))?.answer;
    const reading = readColumn(column, [...services, ...boltOns], answer);
    return reading === undefined ? [] : [{ name: column.name, ...reading }];
  });
}

/** Options of a service that are neither yes nor no: lists are looked up for no column with more different cells. */
const mostValues = 3;

interface NamedColumn {
  readonly name: string;
  readonly index: number;
  readonly values: readonly string[];
}

/** undefined: it is none of the options. */
function readColumn(
  { name, index, values }: NamedColumn,
  options: readonly CatalogueOption[],
  answer: Answer['answer'] | undefined,
): Omit<Reading, 'name'> | undefined {
  const { found: all, isCertain } = optionsNamed(withoutHint(name), options);
  const isOfList = answer === 'services' || answer === 'boltOns';
  const found = all.filter(({ column }) => !isOfList || column === answer);
  const [option, ...others] = found;
  if (option === undefined || (!isCertain && !hasOnlyMeanings(values))) return undefined;
  const ask = (what: string, ways: readonly string[] = []) => ({ question: question(name, what, ways) });
  if (others.length > 0) {
    const lists = new Set(found.map(({ column }) => column));
    return ask(`may be ${found.map(describe).join(' or ')}`, lists.size === found.length ? [...lists] : []);
  }
  if (!isCertain && answer === undefined) return ask(`may be ${describe(option)}`, [option.column]);
  const doubt = findDoubt(option, values);
  if (doubt !== undefined) return ask(`is ${describe(option)}, ${doubt}`);
  const yes = answer === 'block' || answer === 'allow' ? answer : meaningOfYes(name, option);
  const unclear = yes === undefined && values.find((value) => /^(?:yes|no)$/.test(meaningOf(value) ?? ''));
  if (unclear) return ask(`is ${describe(option)}, and "${unclear}" may block or allow it`, ['block', 'allow']);
  return { option: { index, header: name, option, yes } };
}

/** Why the cells cannot be read; only the file can answer it. */
function findDoubt(option: CatalogueOption, values: readonly string[]): string | undefined {
  if (option.isReadOnly) return 'which only the network sets';
  const isReadable = (value: string) => meaningOf(value) !== undefined || option.values.has(value.toLowerCase());
  if (values.length > 0 && !values.some(isReadable)) return 'but its cells are no yes or no';
  const isCross = (value: string) => value.toLowerCase() === 'x';
  const tick = values.find((value) => meaningOf(value) === 'yes' && !isCross(value));
  return tick !== undefined && values.some(isCross) ? `and has both "x" and "${tick}": write Y and N` : undefined;
}

/** Y in `Premium Rate Calls` may mean that the bar is on, or that such calls are possible. */
function meaningOfYes(header: string, { what }: CatalogueOption): OptionColumn['yes'] {
  const isBarred = /\b(?:bar|barr(?:ed|ing)|block(?:ed)?)s?\b/i.test(header);
  const isAllowed = /\b(?:allow(?:ed)?|enabled)\b/i.test(header);
  if (what === 'bar') return isBarred ? 'block' : isAllowed ? 'allow' : undefined;
  return isBarred ? undefined : 'on';
}

const describe = ({ what, name }: CatalogueOption): string => `the ${what} "${name}"`;

function question(name: string, what: string, ways: readonly string[]): string {
  const use = ways.length === 0 ? '' : `. To send it: ${ways.map((way) => `--map "${name}=${way}"`).join(' or ')}`;
  return `"${name}" ${what}${use}. To keep it as your own column: --map "${name}="`;
}
