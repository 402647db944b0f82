// Derives shared/row/mobile-ranges.ts from the metadata of libphonenumber-js, which follows the numbering
// plans of the regulators.
import type { CountryCode } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json';
import examples from 'libphonenumber-js/mobile/examples';

/** One country of each calling code that is supported: their trunk prefix is 0 or absent. */
const countries: readonly CountryCode[] = [
  ...(['AT', 'BE', 'BG', 'CH', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GB', 'GR', 'HR', 'IE'] as const),
  ...(['IS', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'NO', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK', 'US'] as const),
];

const prefixDigits = 3;

const textOf = (kind: unknown): string[] => (Array.isArray(kind) && kind[0] ? [String(kind[0])] : []);

/** The part of the metadata that is needed, by its place in the minified arrays of version 4. */
function planOfCountry(country: CountryCode) {
  const plan = metadata.countries[country] ?? [];
  const [fixedLine, mobile] = plan[11] ?? [];
  // Where mobile and fixed numbers look the same, only the fixed ones have a pattern.
  const [pattern = '', lengths = plan[3]] = mobile?.[0] ? mobile : (fixedLine ?? []);
  return {
    callingCode: String(plan[0]),
    trunkPrefix: plan[5] === '0' ? '0' : '',
    pattern,
    lengths: lengths as number[],
    /** Where mobile and fixed numbers look the same, an unknown range is no mobile one. */
    hasOwnMobile: Boolean(mobile?.[0]),
    /** Of the numbers of all kinds. */
    patterns: (plan[11] ?? []).flatMap(textOf),
    /** Of personal numbers and pagers, which begin like mobile numbers. */
    personal: [plan[11]?.[4], plan[11]?.[7]].flatMap(textOf),
  };
}

/** The pattern for texts in which `*` stands for any digit. */
const withWildcard = (pattern: string): RegExp => {
  if (/\(\?[^:]/.test(pattern)) throw new Error(`a lookahead cannot be tested with a wildcard: ${pattern}`);
  const parts = /\\d|\[[^\]]*\]|\{[^}]*\}|\(\?:|\d/g;
  const loose = pattern.replace(parts, (part) => {
    if (part === '(?:' || part.startsWith('{')) return part;
    return part.startsWith('[') ? `${part.slice(0, -1)}*]` : `[${part}*]`;
  });
  return new RegExp(`^(?:${loose})$`);
};

/** The leading digits of mobile numbers in the countries that share the calling code, each with the lengths. */
function lengthsByPrefix(callingCode: string): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  const sharing = metadata.country_calling_codes[callingCode as keyof typeof metadata.country_calling_codes];
  for (const country of sharing ?? []) {
    const { pattern, lengths } = planOfCountry(country);
    const loose = withWildcard(pattern);
    for (const length of lengths) {
      for (let prefix = 0; prefix < 10 ** prefixDigits; prefix += 1) {
        const leading = String(prefix).padStart(prefixDigits, '0');
        if (!loose.test(leading + '*'.repeat(length - prefixDigits))) continue;
        found.set(prefix, (found.get(prefix) ?? new Set()).add(length));
      }
    }
  }
  return found;
}

const allPrefixes = Array.from({ length: 10 ** prefixDigits }, (_, prefix) => prefix);

/**
 * The leading digits that no kind of number has: they begin with a digit of mobile numbers, and not with two digits of
 * pagers or personal numbers. A regulator may have given them to mobile numbers since.
 */
function unassignedPrefixes(callingCode: string, mobile: ReadonlyMap<number, ReadonlySet<number>>): number[] {
  const sharing = metadata.country_calling_codes[callingCode as keyof typeof metadata.country_calling_codes] ?? [];
  const plans = sharing.map((country) => planOfCountry(country as CountryCode));
  const startsWith = (patterns: readonly string[], digits: string): boolean =>
    patterns.some((pattern) => {
      const loose = withWildcard(pattern);
      return Array.from({ length: 12 }, (_, more) => digits + '*'.repeat(more)).some((text) => loose.test(text));
    });
  const known = plans.flatMap(({ patterns }) => patterns);
  const personal = plans.flatMap((plan) => plan.personal);
  const firstDigits = new Set([...mobile.keys()].map((prefix) => Math.floor(prefix / 100)));
  return allPrefixes.filter((prefix) => {
    const leading = String(prefix).padStart(prefixDigits, '0');
    if (prefix < 100 || !firstDigits.has(Number(leading[0])) || startsWith(known, leading)) return false;
    return !startsWith(personal, leading.slice(0, 2));
  });
}

/** `710-759 762 770-799` */
function inRanges(prefixes: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const prefix of [...prefixes].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last?.[1] === prefix - 1) last[1] = prefix;
    else ranges.push([prefix, prefix]);
  }
  return ranges.map((range) => [...new Set(range)].join('-')).join(' ');
}

/** The source of the file. */
export function mobileRangesSource(): string {
  const entries = countries.map((country) => {
    const { callingCode, trunkPrefix, hasOwnMobile } = planOfCountry(country);
    const mobile = lengthsByPrefix(callingCode);
    const found = [...mobile];
    const free = hasOwnMobile ? inRanges(unassignedPrefixes(callingCode, mobile)) : '';
    const byLengths = Map.groupBy(found, ([, lengths]) => [...lengths].sort((one, other) => one - other).join(' '));
    const ranges = [...byLengths]
      .map(([lengths, prefixes]) => ({ lengths, prefixes: inRanges(prefixes.map(([prefix]) => prefix)) }))
      .sort((one, other) => one.prefixes.localeCompare(other.prefixes))
      .map(({ lengths, prefixes }) => `${lengths.includes(' ') ? `'${lengths}'` : lengths}: '${prefixes}'`);
    const example = `example: '${examples[country]}'`;
    const trunk = trunkPrefix === '' ? '' : `trunk: '${trunkPrefix}', `;
    return `  ${callingCode}: { ${trunk}${example}, mobile: { ${ranges.join(', ')} }${free && `, unassigned: '${free}'`} },\n`;
  });
  return `// Generated from libphonenumber-js, do not edit: npx vitest run test/shared/row/mobile-ranges -u
// By calling code and the lengths of mobile numbers: the first ${prefixDigits} digits of such numbers.
// \`unassigned\` are those that no kind of number has.

interface CountryRanges {
  readonly trunk?: '0';
  readonly example: string;
  readonly mobile: Readonly<Record<string, string>>;
  readonly unassigned?: string;
}

export const mobileRanges: Readonly<Record<string, CountryRanges>> = {
${entries.join('')}};
`;
}
