// What Athena and DuckDB answer to a query.
export interface QueryAnswer {
  readonly columns: readonly { readonly name: string; readonly isNumber: boolean }[];
  /** In batches; a cell is a text as they write it, and null where it has no value. */
  readonly rows: AsyncIterable<readonly (readonly (string | null)[])[]>;
}
