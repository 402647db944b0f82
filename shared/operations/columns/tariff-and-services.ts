// The column `services`: `Roaming=on;Premium=block`. The values of the service mean opposite things for services and
// bars (`false` blocks a bar), so the file has words, and other options exactly as the service lists them (spec gap
// 24).

import { aliasesOf } from '#shared/domain/ports/service-aliases.ts';
import { findNamed, semicolonHint } from '#shared/operations/kit/choice.ts';
import { repeatingColumn } from '#shared/operations/kit/column.ts';
import { didYouMean } from '#shared/row/did-you-mean.ts';
import { error, type Finding } from '#shared/row/issue.ts';
import type { Service, ServiceGroup, ServiceSetting } from '#shared/service/contract.ts';
import type { CellReader } from './cell-reader.ts';

export const servicesColumn = repeatingColumn('services', {
  aliases: ['service', 'services and bars', 'service settings', 'bars'],
  asksForSimilar: true,
  mayBeNamed: [
    'barring',
    'call barring',
    'restriction',
    'call restriction',
    'feature',
    'network feature',
    'sim feature',
    'setting',
    'network setting',
    'blocked service',
    'enabled service',
  ],
  // For a column that lists bars by their names.
  alsoMappedTo: ['block', 'allow'],
  looksLike: /=|\b(?:calls?|roaming|voice ?mail|sms|mms|data|premium|international|[45]g)\b/i,
  help: 'Services on or off, bars block or allow, separated by semicolons.',
  example: 'Roaming=on;Premium Rate Calls=block',
});

type Read = { readonly setting: ServiceSetting } | { readonly finding: Finding };

/** Reads the cell with the offered services. Returns settings sorted by name, each once (spec gap 16). */
export function readServiceSettings(groups: readonly ServiceGroup[], cells: CellReader): ServiceSetting[] {
  const offered = groups.flatMap((group) => group.services);
  const settings = new Map<string, ServiceSetting>();
  for (const part of cells.list('services')) {
    const read = readSetting(part, offered);
    const finding = 'finding' in read ? read.finding : contradiction(settings.get(read.setting.name), read.setting);
    if (finding !== undefined) cells.report('services', finding);
    else if ('setting' in read) settings.set(read.setting.name, read.setting);
  }
  return [...settings.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function readSetting(part: string, offered: readonly Service[]): Read {
  const equals = part.lastIndexOf('=');
  const name = part.slice(0, equals).trim();
  const written = part.slice(equals + 1).trim();
  if (equals < 1 || name === '' || written === '') {
    const message = `"${part}" is not in the format Name=value, for example Roaming=on;Premium=block`;
    return { finding: error('SERVICE_SHAPE', message) };
  }
  const service = findNamed(name, offered, (candidate) => [candidate.name]);
  if (service === undefined) return { finding: unknownService(name, offered, semicolonHint(part, 'services')) };
  if (service.readOnly) {
    return { finding: error('SERVICE_READ_ONLY', `${service.name} is set by the network. Remove it from the cell`) };
  }
  const value = settingOf(written, service);
  if (value !== undefined) return { setting: { name: service.name, value } };
  const options = writableValues(service);
  const message = `${name} cannot be "${written}". Use one of ${options.join(', ')}${didYouMean(written, options)}`;
  return { finding: error('SERVICE_OPTION_UNKNOWN', message) };
}

/** `true` blocks nothing in a bar, and reads as if it did: a bar takes its words only. */
function settingOf(written: string, service: Service): string | undefined {
  const words = writableValues(service);
  const word = words.find((one) => one === written) ?? words.find((one) => one.toLowerCase() === written.toLowerCase());
  if (word === undefined) return service.type === 'Bar' ? undefined : yesOrNoOf(written, service);
  return aliasesOf(service.type).get(word) ?? word;
}

/** `true`, as the service itself writes that a service is on. */
const yesOrNoOf = (written: string, { availableOptions }: Service): string | undefined =>
  availableOptions.find((option) => option !== null && option === written.toLowerCase()) ?? undefined;

/** What a cell may contain for a service: the words that stand for an option, and options without a word. */
export function writableValues(service: Service): string[] {
  const options = service.availableOptions.filter((option) => option !== null);
  const aliases = [...aliasesOf(service.type)].filter(([, value]) => options.includes(value));
  const covered = new Set(aliases.map(([, value]) => value));
  return [...aliases.map(([word]) => word), ...options.filter((option) => !covered.has(option))];
}

function unknownService(name: string, offered: readonly Service[], commaHint: string): Finding {
  if (commaHint !== '') return error('SERVICE_UNKNOWN', `There is no service "${name}" for this tariff${commaHint}`);
  const names = offered.map((service) => service.name);
  const use = names.length === 0 ? ', which has no services' : `. Use one of ${names.join(', ')}`;
  return error('SERVICE_UNKNOWN', `There is no service "${name}" for this tariff${didYouMean(name, names) || use}`);
}

function contradiction(earlier: ServiceSetting | undefined, setting: ServiceSetting): Finding | undefined {
  if (earlier === undefined || earlier.value === setting.value) return undefined;
  return error('SERVICE_CONTRADICTION', `${setting.name} has two different values. Keep one`);
}
