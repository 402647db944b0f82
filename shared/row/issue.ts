// What can be wrong with a file, a row or a request: data from a closed union, never a thrown error.

/** `error` rejects the row, `warning` accepts it with a hint, `notice` reports a repair. */
export type Severity = 'error' | 'warning' | 'notice';

/**
 * Every code that users can see. Each is in `docs/reference/issues.md`, which a test checks.
 */
export const issueCodes = [
  // the file
  'FILE_EMPTY',
  'FILE_GONE',
  'FILE_NOT_CSV',
  'FILE_TOO_LARGE',
  'FILE_TOO_MANY_ROWS',
  'FILE_ENCODING',
  'FILE_ENCODING_DETECTED',
  'FILE_SETTING_INVALID',
  'FILE_WORKBOOK_INVALID',
  'FILE_SHEET_UNKNOWN',
  'FILE_SHEET_CHOSEN',
  'FILE_SHEET_AMBIGUOUS',
  'FILE_ROWS_HIDDEN',
  'FILE_QUOTE_UNCLOSED',
  'FILE_UNKNOWN_OPERATION',
  'FILE_THRESHOLD_EXCEEDED',
  'PLAN_CHANGED',
  'FILE_MANY_COMBINATIONS',
  'FILE_EXPIRING_PACS_SEPARATED',
  'FILE_SPREAD_OVER_DAYS',
  'FILE_NUMBERS_NOT_CHECKED',
  'FILE_PORTS_READ_EARLIER',
  'FILE_SAME_CONTENT',
  // the header
  'HEADER_MISSING_COLUMN',
  'HEADER_DUPLICATE_COLUMN',
  'HEADER_NEAR_MISS',
  'HEADER_UNKNOWN_DEFAULT',
  'HEADER_UNKNOWN_MAPPING',
  'HEADER_DEFAULT_UNUSED',
  'HEADER_BELOW_OTHER_ROWS',
  'HEADER_SECOND',
  'HEADER_OPTION_COLUMNS',
  'HEADER_COLUMNS_NOT_USED',
  'HEADER_COLUMNS_NOT_CHECKED',
  // the record
  'RECORD_TOO_MANY_CELLS',
  'RECORD_TOO_FEW_CELLS',
  'RECORD_QUOTE_INVALID',
  'RECORD_TOO_LONG',
  'RECORD_IS_TOTALS',
  'RECORD_IS_HEADER',
  'RECORD_OF_SEVERAL_LINES',
  'RECORD_LAST_CELLS_EMPTY',
  'ROW_LEFT_OUT',
  'CORRECTION_IMPORT_UNKNOWN',
  'CORRECTION_OPERATION',
  'CORRECTION_ROW_UNKNOWN',
  'CORRECTION_ROW_ANSWERED',
  // any cell
  'CELL_REQUIRED',
  'CELL_PLACEHOLDER',
  'CELL_READ_AS',
  'CELL_CONTROL_CHARACTER',
  'CELL_TOO_LONG',
  'CELL_NOT_A_NUMBER',
  'CELL_NOT_A_BOOLEAN',
  'CELL_NOT_ONE_OF',
  'CELL_NOT_HEX',
  'CELL_OUT_OF_RANGE',
  'CELL_NOT_ALLOWED',
  'CELL_NUMBER_DAMAGED',
  // numbers, SIMs, porting codes
  'MSISDN_SHAPE',
  'MSISDN_EXCEL_SCIENTIFIC',
  'MSISDN_ROUNDED',
  'MSISDN_NOT_MOBILE',
  'MSISDN_RANGE_UNKNOWN',
  'MSISDN_COUNTRY_NOT_SUPPORTED',
  'MSISDN_LEADING_ZERO_RESTORED',
  'MSISDN_TRUNK_ZERO_DROPPED',
  'MSISDN_DUPLICATE_IN_FILE',
  'MSISDN_IN_LIVE_IMPORT',
  'MSISDN_ALREADY_PORTED',
  'MSISDN_CANCELLED_BEFORE',
  'MSISDN_OF_SIM_ON_HIRE',
  'ICCID_SHAPE',
  'ICCID_EXCEL_SCIENTIFIC',
  'ICCID_ROUNDED',
  'ICCID_CHECK_DIGIT',
  'ICCID_PADDING_REMOVED',
  'ICCID_DUPLICATE_IN_FILE',
  'PAC_SHAPE',
  'PAC_IS_STAC',
  'PAC_REQUIRED',
  'PAC_RIO_KEY',
  'PAC_EXPIRES_BEFORE_DATE',
  // dates
  'DATE_SHAPE',
  'DATE_ORDER_DETECTED',
  'DATE_ORDER_AMBIGUOUS',
  'DATE_SERIAL_CONVERTED',
  'DATE_TOO_EARLY',
  'DATE_TOO_LATE',
  'DATE_SCHEDULED',
  'DATE_NOT_WORKING_DAY',
  'DATE_HOLIDAY',
  'DATE_NONE_AVAILABLE',
  'DATE_NO_LONGER_AVAILABLE',
  'DATE_END_BEFORE_START',
  // the catalogue
  'PORT_TYPE_UNKNOWN',
  'TARGET_NETWORK_UNKNOWN',
  'SOURCE_NETWORK_UNKNOWN',
  'NETWORK_UNKNOWN',
  'NETWORK_NOT_SUPPORTED',
  'ESIM_NOT_ALLOWED',
  'TARIFF_UNKNOWN',
  'TARIFF_LEGACY',
  'TARIFF_NEEDS_DATA_BOLT_ON',
  'BOLT_ON_UNKNOWN',
  'BOLT_ON_NOT_AVAILABLE',
  'BOLT_ON_CONTRADICTION',
  'BOLT_ON_LEGACY',
  'SERVICE_SHAPE',
  'SERVICE_UNKNOWN',
  'SERVICE_READ_ONLY',
  'SERVICE_OPTION_UNKNOWN',
  'SERVICE_CONTRADICTION',
  'PROVISIONING_ORDER_REQUIRED',
  'PROVISIONING_ORDER_BOTH',
  'PROVISIONING_ORDER_UNKNOWN',
  'PROVISIONING_ORDER_NOT_AVAILABLE',
  'PROVISIONING_ORDER_NAME_SHAPE',
  'PURCHASE_ORDER_SHAPE',
  'IP_GROUP_REQUIRED',
  'IP_GROUP_UNKNOWN',
  'IP_GROUP_NOT_AVAILABLE',
  'BUNDLE_SIZE_UNKNOWN',
  'TEMPLATE_UNKNOWN',
  'ALLOWANCE_SHAPE',
  'BAR_NONE_CHOSEN',
  'OPERATION_LEGACY',
  'GROUP_NAME_CONFLICT',
  // ports that exist
  'PORT_ID_SHAPE',
  'PORT_UNKNOWN',
  'MSISDN_NOT_IN_PORT',
  'LINE_NOT_CHANGEABLE',
  'PORT_NOT_CHANGEABLE',
  'PORT_CANCELLED_WHOLE',
  'PORT_NOT_ADOPTABLE',
  // a row that the service declined
  'ROW_REFUSED',
] as const;
export type IssueCode = (typeof issueCodes)[number];

/**
 * One finding. `line` is the 1-based line of the file on which the row starts (the header is line 1); 0 means the whole
 * file. `column` is the canonical column name, or null for the whole row or file.
 */
export interface Issue {
  readonly line: number;
  readonly column: string | null;
  readonly code: IssueCode;
  readonly message: string;
  readonly severity: Severity;
  /** A SIM serial ends in zeros, which a spreadsheet may have written: a file with several of them is no chance. */
  readonly isRounded?: true;
  /** What the cell names, where no list of the service has it: a person may say what it means (decision 73). */
  readonly unknownValue?: string;
}

/** A finding about one cell or value whose line and column are not known yet. */
export type Finding = Omit<Issue, 'line' | 'column'>;

export const error = (code: IssueCode, message: string): Finding => ({ code, message, severity: 'error' });
export const warning = (code: IssueCode, message: string): Finding => ({ code, message, severity: 'warning' });
export const notice = (code: IssueCode, message: string): Finding => ({ code, message, severity: 'notice' });

const duplicateCodes: readonly IssueCode[] = ['MSISDN_DUPLICATE_IN_FILE', 'ICCID_DUPLICATE_IN_FILE'];

/** The row only repeats an earlier one: its number, and perhaps its SIM. */
export const isDuplicate = (errorCodes: readonly IssueCode[]): boolean =>
  errorCodes.includes('MSISDN_DUPLICATE_IN_FILE') && errorCodes.every((code) => duplicateCodes.includes(code));

/** Warnings of rows that may be skipped, which is decided just before they are sent. */
export const mayBeSkipped: ReadonlySet<IssueCode> = new Set(['MSISDN_IN_LIVE_IMPORT', 'LINE_NOT_CHANGEABLE']);

/** Where a person answers an error that rejects a file: in how it is read, in its rows, or in the file itself. */
export type AnsweredIn = 'reading' | 'rows' | 'file';

const answers: Partial<Record<IssueCode, AnsweredIn>> = {
  HEADER_MISSING_COLUMN: 'reading',
  HEADER_DUPLICATE_COLUMN: 'reading',
  HEADER_NEAR_MISS: 'reading',
  HEADER_UNKNOWN_DEFAULT: 'reading',
  HEADER_UNKNOWN_MAPPING: 'reading',
  DATE_ORDER_AMBIGUOUS: 'reading',
  FILE_SHEET_AMBIGUOUS: 'reading',
  FILE_ENCODING: 'reading',
  FILE_THRESHOLD_EXCEEDED: 'rows',
};

export const answeredIn = (code: IssueCode): AnsweredIn => answers[code] ?? 'file';

/** An error about a record, or about the whole file when `line` is 0. */
export const errorAt = (line: number, code: IssueCode, message: string): Issue => ({
  line,
  column: null,
  ...error(code, message),
});

/** The issue without its line, for texts without a column of columns: many messages begin with the column. */
export const describeIssue = ({ column, message }: Issue): string =>
  !column || message.startsWith(`${column} `) ? message : `${column}: ${message}`;

// A stored item that cannot be read: another version wrote it, or a person edited it. Other items are still processed.

/** `place` is its key in the table or its place in a file; never a phone number. */
export class UnreadableItem extends Error {
  override readonly name: string = 'UnreadableItem';
  readonly place: string;

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.place = place;
  }
}

/** An item that the table does not accept, for example because it is too large. */
export class UnwritableItem extends UnreadableItem {
  override readonly name = 'UnwritableItem';
}

/** Gets an item that is left out of a result. */
export type OnUnreadable = (item: UnreadableItem) => void;
