// Settings without the properties that were left out.

/** A property that was left out keeps its default. */
export function withoutUndefined<Settings extends object>(settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, isGroup(value) ? withoutUndefined(value) : value]),
  ) as Settings;
}

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
