// The plan of an import and its approval.
import { count, counted } from '#shared/text/wording.ts';
import { numbers } from './quantities.ts';

export const texts = {
  plan: {
    title: 'What will be sent',
    summary: (rows: number, requests: number) => `${numbers(rows)} in ${counted(requests, 'request')}`,
    warning: (rows: number) => `Warning about ${numbers(rows)}`,
    lines: (lines: readonly number[], message: string) =>
      `${lines.length === 1 ? 'Line' : 'Lines'} ${lines.map(count).join(', ')}: ${message}`,
    otherRows: (rows: number) => `and ${numbers(rows)} more`,
    group: 'Numbers with the same',
    more: (groups: number) => `${counted(groups, 'more group')} with fewer numbers`,
    numbers: 'Numbers',
    requests: 'Requests',
    date: 'Why this date',
    asInFile: 'As in the file',
    sizes: (sizes: readonly number[]) => {
      const largest = Math.max(0, ...sizes);
      return sizes.length <= 1 ? `1 of ${count(largest)}` : `${count(sizes.length)}, at most ${count(largest)} each`;
    },
    empty: 'The plan is empty: no number of the file is valid.',
    expired: 'The plan has expired. Upload the file again.',
    approve: (rows: number) => `Approve ${numbers(rows)}`,
    beingSent: 'Approved, being sent',
    reasons: {
      role: 'The role "approver" is required',
      expired: 'The plan has expired. Upload the file again',
      empty: 'No number of the file is valid',
    },
    declined: {
      title: 'Nothing was sent',
      text: (by: string, reason: string) => `The approval by ${by} was declined: ${reason}.`,
    },
    approval: {
      title: (rows: number) => `Send ${numbers(rows)}?`,
      real: (rows: number, requests: number) =>
        `${numbers(rows)} will be sent to the porting service in ${counted(requests, 'request')}.`,
      simulated: (rows: number, requests: number) =>
        `${numbers(rows)} will be sent to the simulator in ${counted(requests, 'request')}. Nothing reaches a network.`,
      leavesOut: (rows: number) => `${numbers(rows)} with errors will not be sent. You can fix them now or later.`,
      because: 'Note for the history (optional)',
      confirm: 'Approve and send',
      failed: 'The plan was not approved',
      done: (rows: number) => `Approved: ${numbers(rows)} will be sent`,
    },
  },
};
