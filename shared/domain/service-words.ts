// What people write for the value of a service or a bar: `false` blocks a bar and disables a service (spec, Service
// Setting), so each type has words of its own (decision 24).

const valuesByWord: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  Service: new Map([
    ['on', 'true'],
    ['off', 'false'],
  ]),
  Bar: new Map([
    ['allow', 'true'],
    ['block', 'false'],
  ]),
};

const noWords: ReadonlyMap<string, string> = new Map();

/** The words of a service's type, each with the value that it stands for. */
export const wordsOf = (type: string): ReadonlyMap<string, string> => valuesByWord[type] ?? noWords;

/** The word for a value where there is one, else the value as it is. */
export const wordFor = (type: string, value: string): string =>
  [...wordsOf(type)].find(([, stands]) => stands === value)?.[0] ?? value;
