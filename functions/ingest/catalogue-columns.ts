// Recognises columns that are named like a service or a bolt-on, such as `Roaming` with Y and N. They would change what
// is sent, and no column of the operation has the name: so the person must decide.
import { valuesOf } from '#shared/csv/column-values.ts';
import type { ExtraColumn } from '#shared/csv/map-header.ts';
import { error, type Issue } from '#shared/domain/imports/issue.ts';
import type { Catalogue } from '#shared/operations/kit/catalogue.ts';
import type { Column } from '#shared/operations/kit/operation.ts';

const toggle = /^(?:y|n|yes|no|true|false|1|0|x|\u2713|\u2714|on|off|tick|allow(?:ed)?|block(?:ed)?|barred)$/i;

interface FileHeader {
  readonly line: number;
  readonly extras: readonly ExtraColumn[];
  readonly samples: readonly (readonly string[])[];
}

/** An error for each such column that the person has not kept with `--map "NAME="`. Looks up lists only for some. */
export async function askAboutCatalogueColumns(
  { line, extras, samples }: FileHeader,
  columns: readonly Column[],
  catalogue: Catalogue,
): Promise<Issue[]> {
  const takes = (name: string) => columns.some((column) => column.name === name);
  const possible = extras.filter((extra) => extra.isChosen !== true && extra.name !== '' && hasToggles(extra, samples));
  if (possible.length === 0 || !takes('services')) return [];
  const services = await serviceNames(catalogue);
  const boltOns = takes('boltOns') ? await boltOnNames(catalogue) : new Map<string, string>();
  return possible.flatMap(({ name }): Issue[] => {
    const service = services.get(name.toLowerCase());
    const boltOn = boltOns.get(name.toLowerCase());
    if (service === undefined && boltOn === undefined) return [];
    const written = service === undefined ? `boltOns: ${boltOn}` : `services: ${service}`;
    const message =
      `"${name}" is a ${service === undefined ? 'bolt-on' : 'service'} of the account, and no column of the operation. ` +
      `To send it, write it into the column ${written}. To keep it as your own column: --map "${name}="`;
    return [{ line, column: name, ...error('HEADER_NEAR_MISS', message) }];
  });
}

function hasToggles({ index }: ExtraColumn, samples: FileHeader['samples']): boolean {
  const values = valuesOf(samples, index);
  return values.length > 0 && values.every((value) => toggle.test(value));
}

const networkNumbers = async (catalogue: Catalogue): Promise<Set<number>> => {
  const types = await catalogue.networks();
  return new Set(types.flatMap(({ targetNetworks }) => targetNetworks.map(({ networkNumber }) => networkNumber)));
};

/** By the name in lower case, how a `services` cell sets it. */
async function serviceNames(catalogue: Catalogue): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const networkNumber of await networkNumbers(catalogue)) {
    for (const { services } of await catalogue.services(networkNumber)) {
      for (const { name, type } of services)
        names.set(name.toLowerCase(), `${name}=${type === 'Bar' ? 'block' : 'on'}`);
    }
  }
  return names;
}

/** By the name in lower case, as a `boltOns` cell has it. */
async function boltOnNames(catalogue: Catalogue): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const networkNumber of await networkNumbers(catalogue)) {
    if (!(await catalogue.capabilities(networkNumber)).boltOns) continue;
    for (const { number } of await catalogue.tariffs(networkNumber)) {
      for (const boltOn of await catalogue.boltOns(number)) names.set(boltOn.name.toLowerCase(), boltOn.name);
    }
  }
  return names;
}
