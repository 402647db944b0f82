// The column `services`: `Roaming=on;Premium=block`. The service's own values turn a Bar upside down (`false` blocks), so
// people write what they mean and only an option's exact text is passed through (decision 24).
import { didYouMean } from '#shared/domain/did-you-mean.ts';
import { error, type Finding } from '#shared/domain/issue.ts';
import { wordsOf } from '#shared/domain/service-words.ts';
import type { Service, ServiceGroup, ServiceSetting } from '#shared/porting/contract.ts';
import { listCell, type ShapeReport } from './shape-report.ts';

type Read = { readonly setting: ServiceSetting } | { readonly finding: Finding };

/** Reads a `services` cell against what the network offers. Answers settings sorted by name, each name once (decision 16). */
export function readServiceSettings(
  text: string,
  groups: readonly ServiceGroup[],
  report: ShapeReport,
): ServiceSetting[] {
  const offered = groups.flatMap((group) => group.services);
  const settings = new Map<string, ServiceSetting>();
  for (const part of listCell(text)) {
    const read = readSetting(part, offered);
    const finding = 'finding' in read ? read.finding : contradiction(settings.get(read.setting.name), read.setting);
    if (finding !== undefined) report.add('services', finding);
    else if ('setting' in read) settings.set(read.setting.name, read.setting);
  }
  return [...settings.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function readSetting(part: string, offered: readonly Service[]): Read {
  const equals = part.lastIndexOf('=');
  const name = part.slice(0, equals).trim();
  const wish = part.slice(equals + 1).trim();
  if (equals < 1 || name === '' || wish === '') {
    return {
      finding: error('SERVICE_SHAPE', `"${part}" is not of the form Name=value, as in Roaming=on;Premium=block`),
    };
  }
  const service = offered.find((candidate) => candidate.name === name);
  if (service === undefined) {
    return { finding: error('SERVICE_UNKNOWN', unknownService(name, offered)) };
  }
  if (service.readOnly) return { finding: error('SERVICE_READ_ONLY', `${name} is set by the network: leave it out`) };
  const value = valueToSend(service, wish);
  return value === undefined ? { finding: unknownOption(service, wish) } : { setting: { name, value } };
}

/** The value to send: a plain word where it fits the type and the option exists, else one of the options as it is written. */
function valueToSend(service: Service, wish: string): string | undefined {
  const value = wordsOf(service.type).get(wish) ?? wish;
  return service.availableOptions.includes(value) ? value : undefined;
}

function unknownOption(service: Service, wish: string): Finding {
  const possible = wishes(service);
  const message = `${service.name} takes ${possible.join(', ')}, not "${wish}"${didYouMean(wish, possible)}`;
  return error('SERVICE_OPTION_UNKNOWN', message);
}

/** What may be written for a service: the plain words that have an option, and options that no word stands for. */
export function wishes(service: Service): string[] {
  const options = service.availableOptions.filter((option) => option !== null);
  const plain = [...wordsOf(service.type)].filter(([, value]) => options.includes(value));
  const covered = new Set(plain.map(([, value]) => value));
  return [...plain.map(([word]) => word), ...options.filter((option) => !covered.has(option))];
}

function unknownService(name: string, offered: readonly Service[]): string {
  const names = offered.map((service) => service.name);
  const known = didYouMean(name, names) || `; there are ${names.join(', ') || 'none'}`;
  return `there is no service "${name}" for this tariff${known}`;
}

function contradiction(earlier: ServiceSetting | undefined, setting: ServiceSetting): Finding | undefined {
  if (earlier === undefined || earlier.value === setting.value) return undefined;
  return error('SERVICE_CONTRADICTION', `${setting.name} is set twice, to different values`);
}
