// What a statement of a role says.

/** A right: what may be done, and to which ARNs. `wildcard` says why an ARN ends in `*`, where one does. */
export interface Permission {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions?: Readonly<Record<string, unknown>>;
  readonly wildcard?: string;
}
