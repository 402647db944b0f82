// What all submissions on SIMs have in common: options that a request's rows share, serials, one POST, a ticket.
// The spec describes no state of a ticket, so an accepted one is the end that we know of (decision 34).
import type * as z from 'zod/mini';
import type { PlannedRequest } from '#shared/domain/plan.ts';
import type { SubmissionPath } from '#shared/porting/submission-path.ts';
import type { Cells, ImportContext, JudgedShape, Shape, Submission } from './operation.ts';
import { createShapeReport, type ShapeReport } from './shape-report.ts';
import { judgeSimRow } from './sim-row.ts';

/** What the repeating columns say: the options of the call, and what a person calls them. */
export interface Options<Head> {
  readonly head: Head;
  readonly label: string;
}

type ChooseOptions<Head> = (
  cells: Cells,
  context: ImportContext,
  report: ShapeReport,
) => Promise<Options<Head> | undefined>;

/** Judges the repeating columns by `choose`, and rows by `judgeRow`. Rows with identical options share a request. */
export const judgeOptions =
  <Head>(choose: ChooseOptions<Head>, judgeRow = judgeSimRow) =>
  async (cells: Cells, context: ImportContext): Promise<JudgedShape> => {
    const report = createShapeReport();
    const options = await choose(cells, context, report);
    const shape = report.broken || options === undefined ? undefined : shapeOf(options);
    return {
      ...(shape === undefined ? {} : { shape }),
      findings: report.findings,
      judgeRow: (rowCells, rowReport) => judgeRow(rowCells, rowReport, context),
    };
  };

const shapeOf = <Head>({ head, label }: Options<Head>): Shape => ({ label, head: JSON.stringify(head) });

interface TicketCall<Head> {
  readonly path: SubmissionPath;
  /** The plan is read back from a file, so what it says is parsed. */
  readonly head: z.ZodMiniType<Head>;
  /** The body of the call; `name` is the request's own. */
  readonly bodyOf: (head: Head, request: PlannedRequest, name: string) => unknown;
  /** @default nothing of the request depends on what the catalogue says today */
  readonly recheck?: Submission['recheck'];
}

/** One call that answers a ticket. SIMs are not claimed: a service that is set twice is set, a text sent twice is asked for. */
export const ticketSubmission = <Head>({ path, head, bodyOf, recheck }: TicketCall<Head>): Submission => ({
  makes: 'ticket',
  claims: false,
  recheck: recheck ?? (async (request) => ({ send: request })),
  call: (client, request, name) => client.submit(path, bodyOf(head.parse(request.head), request, name)),
});

/** The SIMs of a request. */
export const serialNumbersOf = ({ rows }: PlannedRequest): string[] => rows.map(({ subject }) => subject);
