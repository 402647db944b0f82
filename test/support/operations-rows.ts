// Judges rows of any operation against the small catalogue of the create-port tests, and catches the call of a request.
import type { Finding } from '#shared/domain/issue.ts';
import type { PlannedRequest } from '#shared/domain/plan.ts';
import type { JudgedRow, Operation, Shape } from '#shared/operations/operation.ts';
import type { PortingClient } from '#shared/porting/client.ts';
import { type SubmissionPath, submissionBodies } from '#shared/porting/submission-path.ts';
import { type RowsContext, rowsContext } from './rows-catalogue.ts';

export type Cells = Readonly<Record<string, string>>;

export interface JudgedOperationRow {
  readonly findings: readonly (Finding & { readonly column: string | null })[];
  /** `column CODE` of each error. */
  readonly errors: readonly string[];
  readonly shape?: Shape | undefined;
  readonly row?: JudgedRow | undefined;
}

export async function judgeRow(
  operation: Operation,
  cells: Cells,
  context: RowsContext = rowsContext(),
): Promise<JudgedOperationRow> {
  const read = (column: string) => cells[column] ?? '';
  const judged = await operation.judgeShape(read, context);
  const findings = [...judged.findings];
  const row = judged.judgeRow(read, (column, finding) => findings.push({ column, ...finding }));
  const errors = findings.filter(({ severity }) => severity === 'error').map(({ column, code }) => `${column} ${code}`);
  return { findings, errors, shape: judged.shape, row };
}

/** The request that rows with one shape become, after a journey through the plan. */
export async function plannedOf(
  operation: Operation,
  rows: readonly Cells[],
  context: RowsContext = rowsContext(),
): Promise<PlannedRequest> {
  const judged: JudgedOperationRow[] = [];
  for (const cells of rows) {
    judged.push(await judgeRow(operation, cells, context));
    context.line += 1;
  }
  const request = {
    importId: '0123456789abcdef',
    request: 1,
    operation: operation.name,
    token: 'sim1-0123456789abcdef',
    label: judged[0]?.shape?.label ?? '',
    head: JSON.parse(judged[0]?.shape?.head ?? 'null'),
    rows: judged.map(({ row }, index) => ({ line: index + 2, ...row })),
  };
  return JSON.parse(JSON.stringify(request)) as PlannedRequest;
}

/** What is sent, and where to, of a request of tickets; the body must be one that the service describes. */
export async function callOf(operation: Operation, request: PlannedRequest): Promise<{ path: string; body: unknown }> {
  const calls: { path: string; body: unknown }[] = [];
  const client = {
    submit: async (path: SubmissionPath, body: unknown) => {
      submissionBodies[path].parse(body);
      calls.push({ path, body: JSON.parse(JSON.stringify(body)) });
      return 'ticket';
    },
  };
  await operation.submission.call(client as unknown as PortingClient, request, 'the name of the request');
  const [call] = calls;
  if (call === undefined || calls.length > 1) throw new Error(`expected one call, got ${calls.length}`);
  return call;
}
