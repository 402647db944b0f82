// The rules for setting services and bars, the same in Create Port and in Bar Service Config.
import type { ServiceSetting } from '#shared/service/contract.ts';
import type { CatalogueServiceGroup } from '../catalogue/catalogue.ts';
import type { FieldError } from '../http/problem.ts';

/** What is wrong with the settings in the member `services`, given the services that can be set. */
export function settingErrors(
  settings: readonly ServiceSetting[],
  groups: readonly CatalogueServiceGroup[],
): FieldError[] {
  const known = new Map(groups.flatMap(({ services }) => services.map((service) => [service.name, service] as const)));
  const seen = new Set<string>();
  return settings.flatMap(({ name, value }, index): FieldError[] => {
    const service = known.get(name);
    if (service === undefined) {
      return [
        { field: `services[${index}].name`, message: `there is no service "${name}" for this network and tariff` },
      ];
    }
    if (seen.has(name)) return [{ field: `services[${index}].name`, message: `"${name}" is set twice` }];
    seen.add(name);
    if (service.readOnly) return [{ field: `services[${index}].name`, message: `"${name}" is read-only` }];
    if (service.availableOptions.includes(value)) return [];
    const options = service.availableOptions.filter((option) => option !== null).join(', ');
    return [
      { field: `services[${index}].value`, message: `"${value}" is not among the options of "${name}": ${options}` },
    ];
  });
}
