// What can be done to a port that exists, and to its lines (spec, Update Port and Cancel Port; decisions 28 and 31). Pure and
// told the port as it was just read, so that a change that was made already is seen as made: that is what makes a repeat
// harmless.
import { portStatus, rowStatus } from './lifecycle.ts';
import { plainPac } from './pac.ts';

/** One line of a port as Port Detail shows it. */
export interface LineReading {
  readonly statusName: string;
  readonly pac?: string | null | undefined;
}

/** `due`: it can be asked for. `done`: the service has it already. Else: why it can never be. */
export type ChangeVerdict = 'due' | 'done' | { readonly never: string };

/** Statuses of a port, not before Locked, in which a cancel is tried all the same: the service decides (decision 28). */
const triedAnyway: ReadonlySet<string> = new Set(['awaitingserial', 'submittedwitherrors', 'error']);

/** Whether the whole port can be cancelled. */
export function judgePortCancel(statusName: string): ChangeVerdict {
  const status = portStatus(statusName);
  if (status.key === 'cancelled') return 'done';
  if (status.beforeLocked || !status.known || triedAnyway.has(status.key)) return 'due';
  return { never: `the port is ${status.label}, and only one that is not Locked yet can be cancelled` };
}

/** Row statuses that Update Port cancels by itself (spec). */
const cancellable: ReadonlySet<string> = new Set(['pacinvalid', 'pacinvaliddate', 'submitted']);

/** Whether one line can be cancelled while others stay. */
export function judgeLineCancel(portStatusName: string, line: LineReading): ChangeVerdict {
  const status = rowStatus(line.statusName);
  if (isLeaving(line)) return 'done';
  const ofPort = judgePortCancel(portStatusName);
  if (ofPort !== 'due') return ofPort;
  const rejected = portStatus(portStatusName).key === 'networkrejected';
  if (rejected || !status.known || cancellable.has(status.key)) return 'due';
  const others = 'only PacInvalid, PacInvalidDate and Submitted lines can be cancelled by themselves';
  return { never: `the line is ${status.label}: ${others}; wait, or cancel the whole port` };
}

/** Whether a line takes this PAC; the line shows the PAC it has, so a change that was made is known again. */
export function judgeAmend(line: LineReading, pac: string): ChangeVerdict {
  const status = rowStatus(line.statusName);
  if (isLeaving(line)) return { never: `the line is ${status.label}` };
  const same = line.pac != null && plainPac(line.pac) === plainPac(pac);
  if (!status.attention && same) return 'done';
  if (status.attention && same) {
    return {
      never: `the line is ${status.label} with this very PAC: get a new one from the network the number leaves`,
    };
  }
  if (status.attention || !status.known) return 'due';
  return { never: `the line is ${status.label}: only PacInvalid and PacInvalidDate lines take a new PAC` };
}

/** The line is cancelled, or will be. */
const isLeaving = ({ statusName }: LineReading): boolean =>
  ['cancelled', 'cancellationrequested'].includes(rowStatus(statusName).key);

/** What a request asks of a port; numbers are E.164 digits. */
export interface ChangeWish {
  readonly action: 'amend' | 'cancel';
  /** The whole port was asked for, without a word of its lines. */
  readonly whole: boolean;
  /** The PAC is null where the line is to be cancelled. */
  readonly lines: ReadonlyMap<string, string | null>;
}

export interface ChangeDecision {
  /** The one call to make: none where all of it is done already. */
  readonly call: 'amend' | 'cancel-lines' | 'cancel-port' | 'nothing';
  /** Numbers that the call is about; empty for the whole port. */
  readonly due: ReadonlySet<string>;
  /** Why a number can never be changed as it was wished. */
  readonly never: ReadonlyMap<string, string>;
  /** Why nothing of the port can. */
  readonly refusal?: string;
}

export interface PortNow {
  readonly statusName: string;
  /** By number. */
  readonly lines: ReadonlyMap<string, LineReading>;
}

/** Decides the call. Cancelling every line that is left is cancelling the port (spec, Update Port). */
export function decideChange(wish: ChangeWish, port: PortNow): ChangeDecision {
  const live = [...port.lines].filter(([, line]) => !isLeaving(line)).map(([number]) => number);
  const leavesNone = wish.whole || live.every((number) => wish.lines.has(number));
  if (wish.action === 'amend' || !leavesNone) return decideLines(wish, port);
  const never = new Map(
    [...wish.lines.keys()].filter((number) => !port.lines.has(number)).map((number) => [number, notHeld]),
  );
  const verdict = live.length === 0 ? 'done' : judgePortCancel(port.statusName);
  if (typeof verdict === 'object') return { call: 'nothing', due: new Set(), never, refusal: verdict.never };
  return { call: verdict === 'due' ? 'cancel-port' : 'nothing', due: new Set(), never };
}

const notHeld = 'the port does not hold this number';

function decideLines({ action, lines }: ChangeWish, port: PortNow): ChangeDecision {
  const due = new Set<string>();
  const never = new Map<string, string>();
  for (const [number, pac] of lines) {
    const verdict = judgeLine(port, number, pac);
    if (verdict === 'due') due.add(number);
    else if (verdict !== 'done') never.set(number, verdict.never);
  }
  const call = action === 'amend' ? 'amend' : 'cancel-lines';
  return { call: due.size === 0 ? 'nothing' : call, due, never };
}

function judgeLine(port: PortNow, number: string, pac: string | null): ChangeVerdict {
  const line = port.lines.get(number);
  if (line === undefined) return { never: notHeld };
  return pac === null ? judgeLineCancel(port.statusName, line) : judgeAmend(line, pac);
}
