// Words for the values of services and bars. `false` blocks a bar but disables a service (spec, Service Setting), so
// each type has its own words (spec gap 24).

const aliasesByType: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  Service: new Map([
    ['on', 'true'],
    ['off', 'false'],
  ]),
  Bar: new Map([
    ['allow', 'true'],
    ['block', 'false'],
  ]),
};

const noAliases: ReadonlyMap<string, string> = new Map();

/** The words of a service type, each with its value. */
export const aliasesOf = (type: string): ReadonlyMap<string, string> => aliasesByType[type] ?? noAliases;

/** The word for a value; the value itself where it has no word. */
export const aliasFor = (type: string, value: string): string =>
  [...aliasesOf(type)].find(([, aliased]) => aliased === value)?.[0] ?? value;
