// What an operation is: its columns, how a row is judged, how rows become requests, and the one call that a request makes.
// Everything else of the pipeline treats all operations alike.
import type { CalendarDate } from '#shared/domain/calendar-date.ts';
import type { Finding, Issue } from '#shared/domain/issue.ts';
import type { WithdrawnRow } from '#shared/domain/ledger.ts';
import type { OperationName } from '#shared/domain/operation-name.ts';
import type { PlainFormName } from '#shared/domain/plain-forms.ts';
import type { PlannedRequest } from '#shared/domain/plan.ts';
import type { PortingClient } from '#shared/porting/client.ts';
import type { PortDetail, ServiceSetting } from '#shared/porting/contract.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Catalogue } from './catalogue.ts';

/** One CSV column. `repeats` columns are judged once per distinct text of all of them together, not once per row. */
export interface Column {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly required: boolean;
  readonly repeats: boolean;
  /**
   * Promises that all cells of this form are judged alike, however the rest of the row reads: only their digits differ in
   * what is sent. Such rows need not be judged one by one.
   */
  readonly form?: PlainFormName;
  readonly help: string;
  readonly example: string;
}

/** Settings of the account that decide how rows are read and written (decisions 9, 14, 17, 20, 23). */
export interface AccountSettings {
  readonly zone: string;
  readonly callingCode: string;
  readonly msisdnFormat: 'national' | 'e164' | 'e164plus';
  readonly maxRowsPerRequest: number;
  /** Names or networkNumbers of the networks with bundle control. @default the French LMVNO and M2M networks of the spec */
  readonly bundleControlNetworks?: readonly string[] | undefined;
}

export interface JudgeContext {
  readonly catalogue: Catalogue;
  readonly settings: AccountSettings;
  /** Calendar time. */
  readonly calendar: Clock;
}

/** What one import remembers from row to row, in bounded space. */
export interface ImportMemory {
  /** The line on which the same digits stood before in this column; undefined the first time, which is remembered. */
  earlierLine(column: string, digits: string): number | undefined;
  /** Whether the name stands for this meaning throughout the import; the first meaning given to a name is its meaning. */
  standsFor(name: string, meaning: string): boolean;
}

export interface ImportContext extends JudgeContext {
  /** The account's day on which the file is judged; it does not change while the file is read. */
  readonly today: CalendarDate;
  readonly memory: ImportMemory;
}

/** The text of a cell by canonical column name; '' when the column or the cell is absent. */
export type Cells = (column: string) => string;

/** A finding at its column; the line is the row's. */
export type Report = (column: string | null, finding: Finding) => void;

/** What the repeating columns of a row say, once looked up: the key of its group and the part that its group shares. */
export interface Shape {
  /** What a person calls the group. */
  readonly label: string;
  /** Why it is as it is, where the row left a choice to us: the day of a port. */
  readonly why?: string;
  /** What all rows of the request share, as canonical JSON; kept in the plan, read by `Submission`. */
  readonly head: string;
}

/** A row that may be sent: what it is about, and its part of the request body. */
export interface JudgedRow {
  readonly subject: string;
  readonly wire: unknown;
}

export type ShapeFinding = Omit<Issue, 'line'>;

export interface JudgedShape {
  /** Absent when one of the findings is an error: no row of this shape can be sent. */
  readonly shape?: Shape;
  readonly findings: readonly ShapeFinding[];
  /** Judges the other columns of one row. It reports everything that is wrong with them, also when the shape is broken. */
  readonly judgeRow: (cells: Cells, report: Report) => JudgedRow | undefined;
}

/**
 * What became of a request between plan and call (decision 10). `withdrawn` are rows that cannot be sent any more, each with
 * its reason; they are not in `send`, of which no row may be left. `holidays` come right before the date of a port.
 */
export type Rechecked =
  | {
      readonly send: PlannedRequest;
      readonly note?: string;
      readonly withdrawn?: readonly WithdrawnRow[];
      readonly holidays?: readonly CalendarDate[];
    }
  | { readonly refuse: Finding };

/** The part of a catalogue that tells when a port can be booked. */
export type NetworksOffered = Pick<Catalogue, 'networks'>;

export interface Submission {
  /**
   * What the call makes, and so what follows it and how doubt about it is settled. `port`: read back, followed by sync until
   * it ends; in doubt it is looked for at the service. `ticket`: ends when the service accepted it (decision 34); in doubt a
   * person is asked. `change` of a port that exists: read back; in doubt it is made again, because it first reads what is
   * done already (decision 31).
   */
  readonly makes: 'port' | 'ticket' | 'change';
  /** Whether each row's subject is claimed, so that no number is in two live requests. */
  readonly claims: boolean;
  /** Judges the request again against a fresh catalogue, just before it is sent. */
  recheck(request: PlannedRequest, context: JudgeContext): Promise<Rechecked>;
  /**
   * Why its recheck would refuse the request on this day of the account's, undefined where it would not. Asked before a port
   * is cancelled to make room for it; absent where no request ever replaces a port.
   */
  obstacle?(request: PlannedRequest, today: CalendarDate, offered: NetworksOffered): Promise<Finding | undefined>;
  /**
   * The one API call. Answers the id of the port that was made or changed, or the ticket. `name` is the deterministic port
   * name.
   * @throws the classified errors of `shared/porting/errors.ts`
   */
  call(client: PortingClient, request: PlannedRequest, name: string): Promise<string>;
  /**
   * The request that ports the lines which are still live in `port` on another date; `date` is a day, or `auto`. Absent where
   * there is nothing that could be moved.
   */
  reschedule?(
    request: PlannedRequest,
    port: PortDetail,
    date: CalendarDate | 'auto',
    context: JudgeContext,
  ): Promise<Rescheduled>;
  /** What the SIMs of a request should be set to once it is done; undefined where nothing was asked for. */
  servicesAsked?(request: PlannedRequest): ServicesAsked | undefined;
}

export type Rescheduled =
  | { readonly move: Pick<PlannedRequest, 'label' | 'head' | 'rows'>; readonly why?: string | undefined }
  | { readonly refuse: Finding };

/** Services and bars that were asked for, and of which SIMs. */
export interface ServicesAsked {
  readonly networkNumber: number;
  readonly services: readonly ServiceSetting[];
  /** `msisdn` is E.164 digits; a serial is null where only the service knows it. */
  readonly sims: readonly { readonly line: number; readonly msisdn: string; readonly serialNumber: string | null }[];
}

export interface Operation {
  readonly name: OperationName;
  readonly columns: readonly Column[];
  /** Judges the repeating columns against the live catalogue, all of them, whatever is wrong with the others. */
  judgeShape(cells: Cells, context: ImportContext): Promise<JudgedShape>;
  readonly submission: Submission;
}
