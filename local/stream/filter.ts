// Filter patterns of event source mappings, with these conditions: literals, prefix, exists, anything-but.
import * as z from 'zod';
import { TemplateError } from '../template/template.ts';

/** The place of a value in an event that is not known yet: it matches every pattern. */
export const notKnown = Symbol('not known');

export type Filter = (event: unknown) => boolean;

const literal = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const condition = z.union([
  literal,
  z.strictObject({ prefix: z.string() }),
  z.strictObject({ exists: z.boolean() }),
  z.strictObject({ 'anything-but': z.array(literal) }),
]);
type Condition = z.infer<typeof condition>;
type Pattern = readonly Condition[] | { readonly [member: string]: Pattern };
const pattern: z.ZodType<Pattern> = z.lazy(() => z.union([z.array(condition).min(1), z.record(z.string(), pattern)]));

/**
 * The filter of a mapping: an event passes when it matches any pattern; without patterns every event passes.
 * @throws TemplateError for a condition that the emulator does not know
 */
export function createFilter(patterns: readonly string[]): Filter {
  const parsed = patterns.map((text) => {
    const result = pattern.safeParse(JSON.parse(text));
    if (!result.success) throw new TemplateError(`the emulator does not know a condition of the filter ${text}`);
    return result.data;
  });
  const filters = parsed.map(compile);
  return (event) => filters.length === 0 || filters.some((holds) => holds(event));
}

/** Every write is matched against every pattern, so the patterns are taken apart once. */
function compile(wanted: Pattern): Filter {
  if (isLeaf(wanted)) return (value) => value === notKnown || wanted.some((one) => matches(one, value));
  const members = Object.entries(wanted).map(([member, inner]) => ({ member, holds: compile(inner) }));
  return (value) =>
    value === notKnown || members.every(({ member, holds }) => holds((value as Record<string, unknown>)?.[member]));
}

const isLeaf = (wanted: Pattern): wanted is readonly Condition[] => Array.isArray(wanted);

function matches(wanted: Condition, value: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if ('exists' in wanted) return (value !== undefined) === wanted.exists;
  if ('prefix' in wanted) return typeof value === 'string' && value.startsWith(wanted.prefix);
  return value !== undefined && !wanted['anything-but'].some((other) => other === value);
}
