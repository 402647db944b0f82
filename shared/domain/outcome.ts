// What became of one CSV line, in the words of results.csv.
import { type DriftedSim, describeDrift } from './drift.ts';
import type { IssueCode } from './issue.ts';
import type { PortRowState, RequestItem, RequestState, WithdrawnRow } from './ledger.ts';
import { portStatus, type RowStatus, rowStatus } from './lifecycle.ts';
import { unpackLines } from './lines.ts';
import { notInPort } from './port-look.ts';

/**
 * rejected: the row is wrong. waiting: its request was not sent yet. refused: the service said no. withdrawn: it was taken
 * out of its request, because its number is in another live import or its line takes no such change. unknown: the service
 * has not said. in-progress: on its way. attention: a person must act. accepted: the service took the submission or the
 * change, and says no more of it (decision 34). complete, cancelled: the end of a port. not-sent: nothing of the file was
 * sent.
 */
export const outcomes = [
  'rejected',
  'waiting',
  'refused',
  'withdrawn',
  'unknown',
  'in-progress',
  'attention',
  'accepted',
  'complete',
  'cancelled',
  'not-sent',
] as const;
export type Outcome = (typeof outcomes)[number];

export interface LineResult {
  readonly outcome: Outcome;
  /** The port that was made or changed, or the ticket of another submission; empty while there is none. */
  readonly portId: string;
  /** The row's status where it differs from its port's course, else the port's; as the service writes it. */
  readonly status: string;
  readonly message: string;
  readonly whatToDo: string;
  /** The operation by whose correction file the line can be mended. */
  readonly mendedBy?: 'update-port' | 'create-port';
}

const result = (outcome: Outcome, parts: Partial<Omit<LineResult, 'outcome'>> = {}): LineResult => ({
  outcome,
  portId: '',
  status: '',
  message: '',
  whatToDo: '',
  ...parts,
});

/** A row that never became part of a request. */
export const rejectedResult = (messages: readonly string[]): LineResult =>
  result('rejected', { message: messages.join('; '), whatToDo: 'mend the row in rejected.csv and drop that file' });

/** A good row of which no request knows yet. */
export const waitingResult = result('waiting', { whatToDo: 'nothing: it will be sent' });
/** A good row of a plan that waits for approval. */
export const plannedResult = result('waiting', { whatToDo: 'approve the import to send it' });
/** A good row of a file that was refused as a whole. */
export const notSentResult = result('not-sent', {
  message: 'nothing of this file was sent',
  whatToDo: 'mend the file and drop it again',
});

const withdrawnAdvice: Partial<Record<IssueCode, string>> = {
  MSISDN_IN_LIVE_IMPORT: 'drop the row again once that import has ended with it',
  LINE_NOT_CHANGEABLE: 'do what the message says; where the line is as you want it, nothing',
};

export const withdrawnResult = (row: WithdrawnRow): LineResult =>
  result(row.code === 'ROW_REFUSED' ? 'refused' : 'withdrawn', {
    message: row.message,
    whatToDo: withdrawnAdvice[row.code] ?? 'mend what the message says and drop the row again',
  });

const byState: Readonly<Record<RequestState, (item: RequestItem) => LineResult>> = {
  planned: (item) => result('waiting', { message: item.error?.message ?? '', whatToDo: waitingResult.whatToDo }),
  'in-flight': () => result('in-progress', { message: 'being sent' }),
  unknown: (item) =>
    result('unknown', {
      message: item.error?.message ?? '',
      whatToDo: 'nothing: it is being found out whether the service has it',
    }),
  created: (item) => result('in-progress', { portId: item.portId ?? '', status: item.portStatus ?? '' }),
  accepted: (item) => result('accepted', { portId: item.ticket ?? item.changedPortId ?? '', message: item.note ?? '' }),
  refused: (item) =>
    result('refused', {
      message: item.error?.message ?? '',
      whatToDo: 'mend what the message says and drop the row again',
    }),
  withdrawn: () => result('withdrawn'),
  'needs-human': (item) =>
    result('attention', {
      message: item.error?.message ?? '',
      whatToDo: `look for it at the service, then decide: simporter decide ${item.importId}/${item.request}`,
    }),
};

/** What is known of every line of a request, as long as nothing is known of its rows. */
export const requestResult = (item: RequestItem): LineResult => byState[item.state](item);

/** Of a refused request: the lines the service named carry its reason, the others say with whom they were refused. */
export function refusedResult(item: RequestItem, line: number): LineResult {
  const named = item.error?.lines ?? [];
  const whole = requestResult(item);
  if (item.state !== 'refused' || named.length === 0 || named.includes(line)) return whole;
  const message = `refused together with line ${named.join(', ')}: the service takes a request whole or not at all`;
  return { ...whole, message, whatToDo: 'drop the row again' };
}

/** What became of the row of a port. `holders` are the lines that hold the good lines of this port. */
export function rowResult(item: RequestItem, row: PortRowState, holders: readonly number[]): LineResult {
  const port = portStatus(item.portStatus ?? '');
  const status = rowStatus(row.status);
  const common = { portId: item.portId ?? '', message: row.message ?? '' };
  if (status.terminal || port.key === 'cancelled') return cancelledResult(common, row, isEvicted(item, row));
  if (port.key === 'complete') return result('complete', { ...common, status: port.label });
  if (row.status === notInPort) {
    return result('attention', { ...common, status: row.status, whatToDo: 'ask the service operator: it was sent' });
  }
  if (status.attention) return badResult(common, row, status);
  if (status.rechecking) return result('in-progress', { ...common, status: row.status, message: 're-checking' });
  if (port.attention && holders.length === 0) {
    return result('attention', { ...common, status: port.label, whatToDo: port.advice });
  }
  const held =
    holders.length === 0 ? '' : `held by line ${holders.slice(0, 5).join(', ')}${holders.length > 5 ? ', …' : ''}`;
  return result('in-progress', { ...common, status: port.label, message: common.message || held });
}

/** A completed row whose SIM has other services than were asked for. */
export const driftedResult = (complete: LineResult, sim: DriftedSim): LineResult => ({
  ...complete,
  message: [complete.message, describeDrift(sim)].filter((text) => text !== '').join('; '),
  whatToDo: 'drop drift-bar-service-config.csv of this import to set the services again',
});

type Common = Pick<LineResult, 'portId' | 'message'>;

const badResult = (common: Common, row: PortRowState, { amendable, advice }: RowStatus): LineResult => ({
  ...result('attention', { ...common, status: row.status, whatToDo: advice }),
  ...(amendable ? { mendedBy: 'update-port' } : {}),
});

/** Cancelled by us or by the network: the network's reason stands on the row (decision 29). */
function cancelledResult(common: Common, row: PortRowState, evicted: boolean): LineResult {
  const cancelled = { ...common, status: row.status === '' ? 'Cancelled' : row.status };
  if (evicted) {
    const whatToDo = 'it was taken out because it held others: fill its new PAC in correct-create-port.csv and drop it';
    return result('cancelled', { ...cancelled, whatToDo, mendedBy: 'create-port' });
  }
  const whatToDo = common.message === '' ? '' : 'mend what the message says and drop the row again';
  return result('cancelled', { ...cancelled, whatToDo });
}

const isEvicted = ({ evicted }: RequestItem, { line }: PortRowState): boolean =>
  evicted !== undefined && unpackLines(evicted).includes(line);

/** Lines of a port that hold the others: bad ones, and ones that are being checked again (decision 30). */
export const holdersOf = (item: RequestItem, rows: readonly PortRowState[]): number[] =>
  portStatus(item.portStatus ?? '').beforeLocked && !rows.every(({ status }) => rowStatus(status).blocksGate)
    ? rows.filter(({ status }) => rowStatus(status).blocksGate && status !== '').map(({ line }) => line)
    : [];
