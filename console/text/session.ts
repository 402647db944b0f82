// Signing in, and the connection to simporter.

export const texts = {
  signIn: {
    title: 'Sign in to simporter',
    text: 'Your administrator creates accounts. Afterwards you return to this page.',
    button: 'Sign in',
    failed: 'You were not signed in',
    failures: {
      access_denied: 'The sign-in was cancelled.',
      invalid_grant: 'The sign-in took too long. Sign in again.',
      invalid_state: 'This tab did not ask for this sign-in. Sign in again.',
    } as Readonly<Record<string, string>>,
    failure: (reason: string) => `The sign-in service answered: ${reason}`,
    noConfig: (status: number) =>
      `/config.json cannot be read (${status}). Run the command in the output UploadConfig of the stack.`,
  },
  session: {
    loading: 'Opening simporter',
    signedOut: {
      title: 'This browser is not signed in',
      text: 'Start simporter again on this machine: it opens this page in your browser. Afterwards this address works here for as long as the data is kept.',
    },
    unavailable: {
      title: 'simporter does not answer',
      text: 'This page connects as soon as it answers. No reload is needed.',
    },
    failed: 'simporter cannot be opened',
  },
  connection: {
    unavailable: {
      title: 'simporter does not answer. Trying again every few seconds',
      text: (shown: string | undefined) =>
        `${shown === undefined ? '' : `You see the state of ${shown}. `}Imports continue without this page.`,
    },
    expired: {
      title: 'Your session has expired',
      text: 'Sign in again to continue. Changes of rows are kept, and what you typed on this page until you leave it.',
      localText: 'Start simporter again on this machine: it opens this page in your browser. Changes of rows are kept.',
    },
    serviceOutage: {
      title: (since: string) => `The porting service has been unavailable since ${since}`,
      text: (reason: string, next: string) =>
        `${reason}. Requests wait until it answers again; none is lost. The next attempt is at ${next}.`,
    },
  },
};
