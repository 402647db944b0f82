// Why the API declined something. A conflict lists what another person changed in the meantime.
import { Problem } from '../api/errors.ts';
import { strings } from '../strings.ts';

export const describeError = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : strings.failure.unknown;

export function ProblemText({ error }: { readonly error: unknown }) {
  const changed = error instanceof Problem ? Object.entries(error.changed) : [];
  if (changed.length === 0) return describeError(error);
  return (
    <>
      {describeError(error)}
      <ul className="changes">
        {changed.map(([name, value]) => (
          <li key={name}>{strings.conflict.now(name, describeValue(value))}</li>
        ))}
      </ul>
    </>
  );
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return strings.conflict.nothing;
  if (typeof value !== 'string') return JSON.stringify(value);
  return (strings.states as Readonly<Record<string, string>>)[value] ?? value;
}
