// What each status of a port and of a row means to us (spec, States and transitions; decisions 27 to 30).
// Statuses are known by name only. Any move between them is accepted: the service decides, we describe.

export interface PortStatus {
  /** Letters of the status name, lower case: `paccheckfailed`. */
  readonly key: string;
  /** The name as the spec writes it, or as it came where it is unknown. */
  readonly label: string;
  readonly known: boolean;
  /** Nothing will change any more. */
  readonly terminal: boolean;
  /** The service still cancels (decision 28). */
  readonly beforeLocked: boolean;
  /** Somebody has to do something. */
  readonly attention: boolean;
  /** Row statuses can change while the port status stays, so the detail is worth reading. */
  readonly rowsMayMove: boolean;
  /** What to do, empty where there is nothing to do but wait. */
  readonly advice: string;
}

export interface RowStatus {
  readonly key: string;
  readonly label: string;
  readonly known: boolean;
  /** While one row is like this, no row of its port goes to the network (spec: only PacValid or Cancelled pass). */
  readonly blocksGate: boolean;
  readonly attention: boolean;
  /** A new PAC mends it (spec, Update Port). */
  readonly amendable: boolean;
  /** Amended or being cancelled: the service has it and will look again (decision 30). */
  readonly rechecking: boolean;
  readonly terminal: boolean;
  readonly advice: string;
}

type Traits = 'terminal' | 'beforeLocked' | 'attention' | 'rowsMayMove';
type RowTraits = 'blocksGate' | 'attention' | 'amendable' | 'rechecking' | 'terminal';

const portStatuses: readonly (readonly [string, readonly Traits[], string])[] = [
  ['Created', ['beforeLocked', 'rowsMayMove'], ''],
  ['Network Validating', ['beforeLocked', 'rowsMayMove'], ''],
  ['Network Rejected', ['beforeLocked', 'attention', 'rowsMayMove'], 'cancel the rejected lines, or the whole port'],
  ['Pac Check Failed', ['beforeLocked', 'attention', 'rowsMayMove'], 'amend the invalid PACs, or cancel those lines'],
  ['Submitted', ['beforeLocked', 'rowsMayMove'], ''],
  ['Cancelled', ['terminal'], ''],
  ['Locked', [], ''],
  ['Ported', [], ''],
  ['Awaiting Serial', ['rowsMayMove'], ''],
  ['Create RA', [], ''],
  ['Awaiting RA', [], ''],
  ['Create Configuration', [], ''],
  ['Awaiting Configuration', [], ''],
  ['Complete', ['terminal'], ''],
  ['SubmittedWithErrors', ['attention', 'rowsMayMove'], 'the service operator has been told; ask them if it stays so'],
  ['Error', ['attention', 'rowsMayMove'], 'the service operator has been told; ask them if it stays so'],
];

const rowStatuses: readonly (readonly [string, readonly RowTraits[], string])[] = [
  ['PacInvalid', ['blocksGate', 'attention', 'amendable'], 'get a new PAC and amend the line, or cancel it'],
  [
    'PacInvalidDate',
    ['blocksGate', 'attention', 'amendable'],
    'the PAC does not cover the port date: get a new one, or cancel the line',
  ],
  ['PacValid', [], ''],
  ['Submitted', [], ''],
  ['Cancelled', ['terminal'], ''],
  ['Amended', ['blocksGate', 'rechecking'], ''],
  ['CancellationRequested', ['blocksGate', 'rechecking'], ''],
];

/** Letters only, lower case: "Pac Check Failed" and "PacCheckFailed" are one (decision 27). */
export const normaliseStatus = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

const portStatusByKey: ReadonlyMap<string, PortStatus> = new Map(
  portStatuses.map(([label, traits, advice]) => {
    const has = (trait: Traits) => traits.includes(trait);
    const key = normaliseStatus(label);
    const status: PortStatus = {
      key,
      label,
      known: true,
      terminal: has('terminal'),
      beforeLocked: has('beforeLocked'),
      attention: has('attention'),
      rowsMayMove: has('rowsMayMove'),
      advice,
    };
    return [key, status];
  }),
);

const rowStatusByKey: ReadonlyMap<string, RowStatus> = new Map(
  rowStatuses.map(([label, traits, advice]) => {
    const has = (trait: RowTraits) => traits.includes(trait);
    const key = normaliseStatus(label);
    const status: RowStatus = {
      key,
      label,
      known: true,
      blocksGate: has('blocksGate'),
      attention: has('attention'),
      amendable: has('amendable'),
      rechecking: has('rechecking'),
      terminal: has('terminal'),
      advice,
    };
    return [key, status];
  }),
);

/** The status behind a name. An unknown one keeps its name, is never terminal and never called failed. */
export function portStatus(name: string): PortStatus {
  const key = normaliseStatus(name);
  return (
    portStatusByKey.get(key) ?? {
      key,
      label: name,
      known: false,
      terminal: false,
      beforeLocked: false,
      attention: false,
      rowsMayMove: true,
      advice: '',
    }
  );
}

/** The row status behind a name. An unknown one holds the gate, because the spec lets only two statuses pass. */
export function rowStatus(name: string): RowStatus {
  const key = normaliseStatus(name);
  return (
    rowStatusByKey.get(key) ?? {
      key,
      label: name,
      known: false,
      blocksGate: true,
      attention: false,
      amendable: false,
      rechecking: false,
      terminal: false,
      advice: '',
    }
  );
}
