// Filter patterns of event source mappings, as far as our stacks use them: literals, prefix, exists, anything-but.
import * as z from 'zod';
import { TemplateError } from '../template/template.ts';

/** Stands in an event for what is not known yet: any pattern may hold for it. */
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
 * The filter of a mapping: an event passes when any pattern holds for it; without patterns every event does.
 * @throws TemplateError for a pattern that the engine cannot judge
 */
export function createFilter(patterns: readonly string[]): Filter {
  const parsed = patterns.map((text) => {
    const result = pattern.safeParse(JSON.parse(text));
    if (!result.success) throw new TemplateError(`the engine cannot judge the filter ${text}`);
    return result.data;
  });
  const filters = parsed.map(compiled);
  return (event) => filters.length === 0 || filters.some((holds) => holds(event));
}

/** Every write of the line is held against every pattern: what a pattern is made of is looked up once. */
function compiled(wanted: Pattern): Filter {
  if (isLeaf(wanted)) return (value) => value === notKnown || wanted.some((one) => meets(one, value));
  const members = Object.entries(wanted).map(([member, inner]) => ({ member, holds: compiled(inner) }));
  return (value) =>
    value === notKnown || members.every(({ member, holds }) => holds((value as Record<string, unknown>)?.[member]));
}

const isLeaf = (wanted: Pattern): wanted is readonly Condition[] => Array.isArray(wanted);

function meets(wanted: Condition, value: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if ('exists' in wanted) return (value !== undefined) === wanted.exists;
  if ('prefix' in wanted) return typeof value === 'string' && value.startsWith(wanted.prefix);
  return value !== undefined && !wanted['anything-but'].some((other) => other === value);
}
