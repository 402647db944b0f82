// What requires an action, and the ways to solve it.
import { counted } from '#shared/text/wording.ts';
import { numbers } from './quantities.ts';

export const texts = {
  actions: {
    title: 'Action required',
    description: 'What cannot continue without you, the most urgent first.',
    empty: {
      title: 'No action is required',
      text: 'Every number continues by itself. This page shows when one does not.',
    },
    incomplete: 'There are more actions than this page shows. Solve these first.',
    kinds: {
      port: (value: number) => `${numbers(value)} with an invalid PAC or another problem`,
      request: (value: number) => `Outcome unknown for ${numbers(value)}`,
      mismatch: (value: number) => `${counted(value, 'SIM')} with other services than requested`,
      import: (value: number) =>
        value === 0 ? 'Requests were declined by the service' : `${numbers(value)} declined by the service`,
      rejected: (value: number) => `${numbers(value)} with errors in the file`,
    },
    failedPort: (value: number, status: string) => `${numbers(value)} in a port with the status ${status}`,
    blocks: (value: number) => `${numbers(value)} blocked`,
    cancelBy: (at: string) => `Cancel by ${at}`,
    tooLate: (at: string) => `Could be cancelled until ${at}`,
    links: { port: 'Show the port', import: 'Show the import', review: 'Review and fix' },
    dismissal: {
      button: 'Dismiss',
      title: 'Require no action for these numbers?',
      text: 'They stay as they are, and the import keeps them with their reasons. If more are declined later, they are listed again.',
      because: 'Reason',
      failed: 'The action was not dismissed',
    },
    more: (value: number) => `and ${numbers(value)} more`,
  },
  pacs: {
    label: (number: string) => `New PAC of ${number}`,
    placeholder: 'New PAC',
    shape: 'A PAC has letters and digits only, such as three letters and six digits.',
    send: (value: number) => (value === 0 ? 'Send new PACs' : `Send ${counted(value, 'new PAC')}`),
    sent: (value: number) =>
      `${counted(value, 'new PAC')} sent. The network checks ${value === 1 ? 'it' : 'them'} within minutes.`,
    waiting: (value: number) =>
      `${counted(value, 'new PAC')} uploaded. A person with the role "approver" must approve the import.`,
    failed: 'The new PACs were not sent',
    because: 'New PACs from the console',
    remove: (value: number) => `Remove ${numbers(value)} from the port`,
    removal: {
      title: (value: number) => `Remove ${numbers(value)}?`,
      text: (value: number, blocked: number) =>
        `${numbers(value)} will be cancelled in this port. ${
          blocked > 0 ? `${numbers(blocked)} that ${value === 1 ? 'it blocks' : 'they block'} can then continue. ` : ''
        }You can import removed numbers again with a new PAC.`,
      confirm: 'Remove',
      because: 'Removed in the console',
      failed: 'The numbers were not removed',
      done: (value: number, blocked: number) =>
        blocked > 0
          ? `${numbers(value)} will be removed, and ${numbers(blocked)} can continue`
          : `${numbers(value)} will be removed`,
      waiting: (value: number) => `The removal of ${numbers(value)} waits for approval`,
    },
  },
  typedRows: {
    interrupted: 'The rows were uploaded, but not approved. Find their import in the list.',
    invalid: 'A row is invalid, so nothing was sent.',
    slow: 'Checking takes longer than two minutes. Approve the import from the list when its plan is ready.',
  },
  resolution: {
    question: 'simporter does not know whether the service executed this request. What did you find in the portal?',
    kinds: {
      adopt: { label: 'The port exists', description: 'Adopt it: simporter follows this port' },
      resend: { label: 'The port does not exist', description: 'Resend the request: the numbers are sent again' },
      abandon: { label: 'These numbers are done another way', description: 'Abandon the request: nothing is sent' },
    },
    /** Of operations that create no port. */
    otherKinds: {
      resend: { label: 'The service did not execute it', description: 'Resend the request: everything is sent again' },
      abandon: { label: 'The service executed it', description: 'Abandon the request: nothing is sent again' },
    },
    confirm: { adopt: 'Adopt the port', resend: 'Resend the request', abandon: 'Abandon the request' },
    portId: 'Id of the port',
    role: 'The role "operator" is required to resolve this request.',
    failed: 'The request was not resolved',
    waiting: 'The request is being resolved',
    evidence: {
      content: 'Content',
      attempt: 'Sent',
      sentAt: (attempt: number, at: string) => `${counted(attempt, 'attempt')}, the last at ${at}`,
      answer: 'Last result',
      token: 'Search the portal for',
      numbers: 'Numbers',
      port: 'Port',
      none: 'None',
      copy: 'Copy',
      copied: 'Copied',
      notCopied: 'Not copied',
    },
  },
};
