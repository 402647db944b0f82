// The submissions on SIMs: options that the rows of a request share, SIM serials, one POST, and a ticket. The spec
// describes no states of a ticket, so an accepted ticket is the final state (spec gap 34), except where the service
// shows what the SIMs have.
import type * as z from 'zod/mini';
import type { PlannedRequest } from '#shared/domain/imports/plan.ts';
import { checkSimRow } from '#shared/operations/kit/sim-row.ts';
import type {
  Cells,
  ImportContext,
  RequestedServices,
  Submission,
  ValidatedShape,
} from '#shared/operations/operation.ts';
import type { SubmissionPath } from '#shared/porting/submission-contract.ts';
import { CellReader } from './cell-reader.ts';

/** What the repeating columns contain: the options of the call, and a label for people. */
export interface Options<Head> {
  readonly head: Head;
  readonly label: string;
}

type ChooseOptions<Head> = (cells: CellReader, context: ImportContext) => Promise<Options<Head> | undefined>;

/** Validates the repeating columns with `choose`, rows with `checkRow`. Rows with equal options share a request. */
export const checkOptions =
  <Head>(choose: ChooseOptions<Head>, checkRow = checkSimRow) =>
  async (cells: Cells, context: ImportContext): Promise<ValidatedShape> => {
    const reader = new CellReader(cells);
    const options = await choose(reader, context);
    const shape = options && { label: options.label, head: JSON.stringify(options.head) };
    return {
      ...(reader.hasErrors || shape === undefined ? {} : { shape }),
      findings: reader.findings,
      checkRow: (rowCells, rowReport) => checkRow(rowCells, rowReport, context),
    };
  };

interface TicketCall<Head> {
  readonly path: SubmissionPath;
  /** The plan is read back from a file, so its content is parsed. */
  readonly head: z.ZodMiniType<Head>;
  /** The body of the call; `name` is the name of the request. */
  readonly bodyOf: (head: Head, request: PlannedRequest, name: string) => unknown;
  /** @default nothing in the request depends on today's catalogue */
  readonly revalidate?: Submission['revalidate'];
  /** What the service shows of the SIMs once the ticket is done. @default - it shows nothing */
  readonly requestedServices?: (head: Head) => Omit<RequestedServices, 'sims'>;
  /** See `Submission`. @default false */
  readonly conflictsWithItself?: boolean;
}

/** SIMs are not claimed: setting a service twice does no harm, and a text is sent as often as it is requested. */
export const ticketSubmission = <Head>({
  path,
  head,
  bodyOf,
  revalidate,
  requestedServices,
  conflictsWithItself = false,
}: TicketCall<Head>): Submission => ({
  makes: 'ticket',
  claims: false,
  conflictsWithItself,
  // The SIMs of a call share only its options. A conflict that may answer a repeated call is never believed.
  splitsWhenDeclined: true,
  revalidate: revalidate ?? (async (request) => ({ send: request })),
  ...(requestedServices && {
    requestedServices: (request) => ({ ...requestedServices(head.parse(request.head)), sims: simsOf(request) }),
  }),
  call: (client, request, name) => client.submit(path, bodyOf(head.parse(request.head), request, name)),
});

const simsOf = ({ rows }: PlannedRequest): RequestedServices['sims'] =>
  rows.map(({ line, subject }) => ({ line, msisdn: '', serialNumber: subject }));

/** The SIMs of a request. */
export const serialNumbersOf = ({ rows }: PlannedRequest): string[] => rows.map(({ subject }) => subject);
