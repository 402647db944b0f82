// An operation: its columns, how rows are validated and grouped into requests, and the one call of a request. The
// rest of the pipeline treats all operations alike.
import type { ValueKind } from '#shared/files/column-values.ts';
import type { PortRowReading } from '#shared/port/port-change.ts';
import type { NumberPrediction } from '#shared/request/number-claim.ts';
import type { ExcludedRow, PlannedRequest, PlannedRow } from '#shared/request/request.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import type { Finding, Issue } from '#shared/row/issue.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { PortingClient } from '#shared/service/client.ts';
import type { PortDetail, ServiceSetting } from '#shared/service/contract.ts';
import type { OperationName } from '#shared/text/identity.ts';
import type { Catalogue, ChangeablePort } from './catalogue.ts';

/** One CSV column. Columns that repeat are validated once for each distinct combination of their texts. */
export interface Column {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly required: boolean;
  /** Which rows need it where it is not `required`, such as `portType Port`. */
  readonly neededFor?: string;
  readonly repeats: boolean;
  /** What its cells are. */
  readonly valueKind?: ValueKind;
  /** Its values are days, which are read in other notations, too. */
  readonly isDate?: boolean;
  /** Its cells are yes or no. */
  readonly isYesNo?: boolean;
  /** Its days may have a time of day. */
  readonly hasTime?: boolean;
  /** A name for people: a column of the file that only contains it is not asked about. */
  readonly isLabel?: boolean;
  /** Other words by which it is asked about, because they may mean something else. */
  readonly mayBeNamed?: readonly string[];
  /** What else the mapping of a file takes for such a column. */
  readonly alsoMappedTo?: readonly string[];
  /** What a cell of this column looks like. A column with other cells is not taken for a typo of its name. */
  readonly looksLike?: RegExp;
  /** Its text is used exactly as written. */
  readonly isVerbatim?: boolean;
  /** An apostrophe may be part of its text: only a guard that simporter wrote is removed. */
  readonly isText?: boolean;
  /** Its cells name items of a list of the service, so a person may say what another text means. */
  readonly namesItems?: boolean;
  /** No lookup shows which values are valid, so a valid row may still be declined because of this column. */
  readonly onlyServiceChecks?: boolean;
  /** Its values can be written and never read, and each row has its own. */
  readonly isSecret?: boolean;
  readonly help: string;
  readonly example: string;
}

/** Settings of the account that decide how rows are read and written (spec gaps 9, 14, 17, 20, 23). */
export interface AccountSettings {
  readonly zone: string;
  readonly callingCode: string;
  readonly msisdnFormat: 'national' | 'e164' | 'e164plus';
  readonly maxRowsPerRequest: number;
  /** Names or numbers of the networks with bundle control. @default the French networks of the spec */
  readonly bundleControlNetworks?: readonly string[] | undefined;
  /** What a row is whose number was ported before: invalid, or valid with a warning. @default 'error' */
  readonly alreadyPorted?: 'error' | 'warning' | undefined;
}

export interface ValidationContext {
  readonly catalogue: Catalogue;
  readonly settings: AccountSettings;
  /** Calendar time. */
  readonly calendar: Clock;
  /** @default - no import has a limit of numbers a day */
  readonly readDayCycle?: ReadDayCycle | undefined;
  /** An earlier call of the request may have made its change; else it was made by somebody else. @default false */
  readonly mayBeMade?: boolean;
}

/**
 * After how many working days the days of an import repeat where a date has passed; undefined: it has no limit of
 * numbers a day.
 */
export type ReadDayCycle = (importId: string) => Promise<number | undefined>;

/** What one import remembers from row to row, in limited memory. */
export interface UniquenessChecks {
  /**
   * The earlier line with the same value in this column; undefined the first time, which is remembered.
   * @param value up to 20 digits, or a longer text
   */
  earlierLine(column: string, value: string): number | undefined;
  /** Records what a name means in the first valid row with it. False if it means something else there. */
  hasOneMeaning(name: string, meaning: string): boolean;
}

export interface ImportContext extends ValidationContext {
  /** The account's day on which the file is validated; it does not change while the file is read. */
  readonly today: CalendarDate;
  readonly uniqueness: UniquenessChecks;
  /** What would happen to a number if it were sent now; absent where the table is not read. */
  readonly predictNumber?: ((number: string) => NumberPrediction | undefined) | undefined;
  /** The caller does not have the text of a cell of this column, and whoever has it validates it. */
  readonly isWithheld?: ((column: string) => boolean) | undefined;
  /** What people said that texts of a column mean, by column and `nameKey` (decision 73). @default - nothing */
  readonly meanings?: Meanings | undefined;
  /** Absent where any number of rows may be ported on one day. */
  readonly dailyCapacity?: DailyCapacity | undefined;
}

export type Meanings = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** How many rows of the file are ported on each day. */
export interface DailyCapacity {
  /** Counts a row whose day the file names. */
  add(day: CalendarDate): void;
  /**
   * Counts a row on the first of the days with room, with the reason if it is a later one. undefined: all are full, or
   * `last` comes before.
   */
  book(days: readonly CalendarDate[], last: CalendarDate | undefined): DayBooked | undefined;
  /** Ends the row. An invalid one is not ported, so it is not counted. */
  endRow(verdict: 'valid' | 'invalid'): void;
}

export interface DayBooked {
  readonly day: CalendarDate;
  readonly why?: string | undefined;
}

/** The text of a cell by canonical column name; '' when the column or the cell is absent. */
export type Cells = (column: string) => string;

/** Reports a finding about a column of the row. */
export type Report = (column: string | null, finding: Finding) => void;

/** The result of the repeating columns of a row: its group, and the part of the call that the group shares. */
export interface Shape {
  /** The name of the group for people. */
  readonly label: string;
  /** The reason for a value that the row left open: the port date. */
  readonly why?: string;
  /** On which its numbers are ported. Absent where nothing is ported. */
  readonly day?: CalendarDate;
  /** What all rows of the request share, as canonical JSON; stored in the plan and read by `Submission`. */
  readonly head: string;
  /** Its rows are in separate requests, apart from other rows with this head. */
  readonly isApart?: true;
  /** Its rows share one request, however few rows others have: it depends on all of them what is done. */
  readonly isTogether?: true;
}

/** What the plan stores of a row for its call, as JSON. */
export type RowWire = Readonly<Record<string, string | boolean | null | undefined>>;

/** A valid row: its subject (a number or a SIM), and its part of the request body. */
export interface ValidatedRow {
  readonly subject: string;
  readonly wire: RowWire | null;
  /** It may block the other rows of its port: its PAC expires soon after the connection date. */
  readonly isAtRisk?: boolean;
  /** Where it is not that of its combination: its date was chosen for this row. */
  readonly shape?: Shape;
}

export type CombinationFinding = Omit<Issue, 'line'>;

export interface ValidatedShape {
  /** Absent when a finding is an error: no row with these texts can be submitted. */
  readonly shape?: Shape;
  readonly findings: readonly CombinationFinding[];
  /** Validates the other columns of one row and reports all their errors, also when the shape is absent. */
  readonly checkRow: (cells: Cells, report: Report) => ValidatedRow | undefined;
}

/**
 * A request just before its call (spec gap 10). `excludedRows` can no longer be sent, each with its reason; they are
 * not in `send`, which may have no rows left. `holidays` come right before the date of a port. `sendOn`: from this day
 * on it can be sent.
 */
export type Revalidation =
  | {
      readonly send: PlannedRequest;
      readonly note?: string;
      readonly excludedRows?: readonly ExcludedRow[];
      readonly holidays?: readonly CalendarDate[];
    }
  | { readonly rejection: Finding; readonly sendOn?: CalendarDate };

/** What decides whether a port can be booked, and when. */
export interface BookingContext extends Pick<ValidationContext, 'catalogue' | 'readDayCycle'> {}

export interface Submission {
  /**
   * What the call makes, which decides what follows. `port`: read back, and polled by sync until it ends; with an
   * unknown outcome it is searched at the service. `ticket`: ends when the service accepts it (spec gap 34), and with
   * `requestedServices` once its SIMs show them; with an unknown outcome it needs action. `change` of an existing port:
   * read back; with an unknown outcome it is made again, because it first reads what is done already (spec gap 31).
   */
  readonly makes: 'port' | 'ticket' | 'change';
  /** Whether the subject of each row is claimed, so that no number is in two requests in progress. */
  readonly claims: boolean;
  /** Whether the service declines the same ticket a second time, because the first has put the SIMs on hire. */
  readonly conflictsWithItself?: boolean;
  /**
   * Whether the rows of a declined request may be sent again in parts: a decline must prove that nothing was done, and
   * the rows must not depend on each other (docs/decisions/0037).
   */
  readonly splitsWhenDeclined: boolean;
  /** Validates the request again with a fresh catalogue, just before it is sent. */
  revalidate(request: PlannedRequest, context: ValidationContext): Promise<Revalidation>;
  /**
   * Why `revalidate` would reject the request on this day, or the service would decline what it names; undefined where
   * neither would. Called before a port is cancelled to be replaced by the request; absent where requests never replace
   * a port.
   */
  precheck?(request: PlannedRequest, today: CalendarDate, booking: BookingContext): Promise<Finding | undefined>;
  /**
   * The one API call. Returns the id of the port that was created or changed, or the ticket. `name` is the
   * deterministic port name.
   * @throws the classified errors of `shared/service/errors.ts`
   */
  call(client: PortingClient, request: PlannedRequest, name: string): Promise<string>;
  /**
   * The id of the port that has the whole change already; undefined where something is left to change. Called only
   * where a call of the request may have made it: after a decline, and before an attempt of unknown outcome is stopped.
   * Absent where nothing is changed.
   * @throws the classified errors of `shared/service/errors.ts`
   */
  madeAlready?(request: PlannedRequest, context: ValidationContext): Promise<string | undefined>;
  /** The request that ports the rows of `port` on another date. Absent where nothing has a date. */
  reschedule?(
    request: PlannedRequest,
    port: MovablePort,
    date: CalendarDate | 'auto',
    context: ValidationContext,
  ): Promise<Rescheduled>;
  /** The rows that are still to be ported, with the PACs that the port has now. Present where `reschedule` is. */
  rowsLeft?(request: PlannedRequest, port: MovablePort, callingCode: string): PlannedRow[];
  /** The services that the SIMs of a request should have once it is done; undefined where none were requested. */
  requestedServices?(request: PlannedRequest): RequestedServices | undefined;
}

/** What decides whether and how a port is moved. A reading of the table has no PACs. */
export interface MovablePort extends Pick<PortDetail, 'statusName' | 'connectionDate'>, Pick<ChangeablePort, 'rows'> {}

export type Rescheduled =
  | { readonly move: Pick<PlannedRequest, 'label' | 'head' | 'rows'>; readonly why?: string | undefined }
  | { readonly rejection: Finding };

/** Requested services and bars, and their SIMs. */
export interface RequestedServices {
  readonly networkNumber: number;
  readonly services: readonly ServiceSetting[];
  /** `msisdn` is E.164 digits, or empty; `serialNumber` is null where only the porting service knows it. */
  readonly sims: readonly { readonly line: number; readonly msisdn: string; readonly serialNumber: string | null }[];
}

export interface Operation {
  readonly name: OperationName;
  /** What a file in its folder does, as an instruction to the reader. */
  readonly purpose: string;
  readonly columns: readonly Column[];
  /** Validates all repeating columns with the live catalogue, even if some of them are invalid. */
  checkShape(cells: Cells, context: ImportContext): Promise<ValidatedShape>;
  /**
   * Whether the port allows the change of a row. If an earlier reading does not, the port is read again before the row
   * is validated. `row` is absent where the port does not have the number, or none is named. Absent where rows name no
   * port.
   */
  readonly allowsChange?: (cells: Cells, port: ChangeablePort, row: PortRowReading | undefined) => boolean;
  readonly submission: Submission;
}

// How the columns of an operation are declared.

type ColumnText = Pick<Column, 'help' | 'example'>;

/** By default a column is optional, validated row by row and without aliases. */
export const column = (name: string, rest: ColumnText & Partial<Omit<Column, 'name'>>): Column => ({
  name,
  aliases: [],
  required: false,
  repeats: false,
  ...rest,
});

/** A column that is validated once for each distinct combination of texts, not row by row. */
export const repeatingColumn = (name: string, rest: Parameters<typeof column>[1]): Column =>
  column(name, { ...rest, repeats: true });

/** Names of a column with a number. */
export const msisdnAliases = [
  'mobile number',
  'mobile',
  'mobile no',
  'phone number',
  'phone',
  'phone no',
  'number',
  'telephone number',
  'telephone',
  'telephone no',
  'tel',
  'ctn',
  'msisdns',
  'cli',
];

/** Names of a column with the serial of a SIM. */
export const simAliases = [
  'iccid',
  'icc',
  'sim',
  'sim number',
  'sim no',
  'sim serial',
  'sim serial number',
  'sim serial no',
  'serial',
  'iccid number',
  'sim iccid',
  'sim card',
  'sim card number',
  'sim card no',
  'sim id',
  'new sim',
  'new sim number',
  'new sim serial',
  'ssn',
  'sim ssn',
];

/** A value of the user that every operation copies into the results. */
export const referenceColumn: Column = column('reference', {
  aliases: ['your reference', 'customer reference'],
  help: 'Your own reference. It is copied into the results.',
  example: 'Order 4711',
  isVerbatim: true,
  isText: true,
});
