// What a screen shows while it is loaded, and when something failed.

export const texts = {
  loading: {
    text: 'Loading',
    unavailable: 'Waiting for simporter to answer',
    failed: 'This cannot be shown',
    tryAgain: 'Try again',
  },
  notLoaded: {
    title: 'This screen is not loaded yet',
    waits:
      'There is no connection to simporter, or it was updated. The screen opens by itself as soon as it can be loaded.',
    uploads: 'It can be loaded once the page is reloaded. That happens by itself when your upload has ended.',
    failed:
      'It was reloaded and is still missing. Reload the page in a minute, or ask your administrator whether an update of simporter has ended.',
    reload: 'Reload now',
  },
  failure: {
    title: 'This page failed',
    text: (message: string) => `Your imports are not affected. Reload the page to continue. (${message})`,
    reload: 'Reload',
    unknown: 'The reason is unknown. Try again.',
  },
  conflict: {
    title: (failed: string) => `${failed}: another person changed it`,
    now: (name: string, value: string) => `${name} is now: ${value}`,
    nothing: 'nothing',
  },
};
