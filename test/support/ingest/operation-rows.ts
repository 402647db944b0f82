// Validates rows of any operation against the small catalogue of the create-port tests, and records the call of a
// request.
import { expect } from 'vitest';
import type { Operation, Shape, ValidatedRow } from '#shared/operations/operation.ts';
import type { PlannedRequest } from '#shared/request/request.ts';
import type { Finding } from '#shared/row/issue.ts';
import type { PortingClient } from '#shared/service/client.ts';
import { type SubmissionPath, submissionBodies } from '#shared/service/contract.ts';
import { type RowsContext, rowsContext } from './catalogue.ts';

export type Cells = Readonly<Record<string, string>>;

export interface CheckedOperationRow {
  readonly findings: readonly (Finding & { readonly column: string | null })[];
  /** `column CODE` of each error. */
  readonly errors: readonly string[];
  readonly shape?: Shape | undefined;
  readonly row?: ValidatedRow | undefined;
}

export async function checkRow(
  operation: Operation,
  cells: Cells,
  context: RowsContext = rowsContext(),
): Promise<CheckedOperationRow> {
  const read = (column: string) => cells[column] ?? '';
  const checked = await operation.checkShape(read, context);
  const findings = [...checked.findings];
  const row = checked.checkRow(read, (column, finding) => findings.push({ column, ...finding }));
  const errors = findings.filter(({ severity }) => severity === 'error').map(({ column, code }) => `${column} ${code}`);
  return { findings, errors, shape: checked.shape, row };
}

/** The request of rows with one shape, written to a plan and read back. */
export async function plannedOf(
  operation: Operation,
  rows: readonly Cells[],
  context: RowsContext = rowsContext(),
): Promise<PlannedRequest> {
  const checked: CheckedOperationRow[] = [];
  for (const cells of rows) {
    checked.push(await checkRow(operation, cells, context));
    context.line += 1;
  }
  const request = {
    importId: '0123456789abcdef',
    request: 1,
    operation: operation.name,
    token: 'sim1-0123456789abcdef',
    label: checked[0]?.shape?.label ?? '',
    head: JSON.parse(checked[0]?.shape?.head ?? 'null'),
    rows: checked.map(({ row }, index) => ({ line: index + 2, ...row })),
  };
  return JSON.parse(JSON.stringify(request)) as PlannedRequest;
}

/** The body and path of a request for tickets; the body must have the fields of the specification, and no others. */
export async function callOf(operation: Operation, request: PlannedRequest): Promise<{ path: string; body: unknown }> {
  const calls: { path: string; body: unknown }[] = [];
  const client = {
    submit: async (path: SubmissionPath, body: unknown) => {
      // The client would leave out the others without an error.
      expect(submissionBodies[path].parse(body)).toEqual(body);
      calls.push({ path, body: JSON.parse(JSON.stringify(body)) });
      return 'ticket';
    },
  };
  await operation.submission.call(client as unknown as PortingClient, request, 'the name of the request');
  const [call] = calls;
  if (call === undefined || calls.length > 1) throw new Error(`expected one call, got ${calls.length}`);
  return call;
}
