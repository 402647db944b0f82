// Settings without the properties that were left out.

/** A property that was left out keeps its default. */
export function withoutUndefined(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, isGroup(value) ? withoutUndefined(value) : value]),
  );
}

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
