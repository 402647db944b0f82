// The frame of every screen, its notices and its dialogs.

export const texts = {
  product: 'simporter',
  title: (screen: string) => `${screen} · simporter`,
  shell: {
    skip: 'Skip to the content',
    layout: {
      navigation: 'Main navigation',
      navigationClose: 'Close the navigation',
      navigationToggle: 'Open the navigation',
      notifications: 'Notices',
    },
  },
  navigation: {
    imports: 'Imports',
    upload: 'Upload a file',
    actions: 'Action required',
    number: 'Find a number',
    ports: 'Ports',
    simulator: 'Simulator',
  },
  topBar: {
    logo: 'Logo',
    search: 'Find a number, such as 07700 900123',
    useDark: 'Use dark colours',
    useLight: 'Use light colours',
    description: (environment: string, account: number, roles: readonly string[]) =>
      `${environment}, account ${account}. ${roles.length === 0 ? 'No role' : roles.join(', ')}`,
    apiDescription: 'API description',
    signOut: 'Sign out',
    notify: 'Notify me in this browser',
    doNotNotify: 'Do not notify me in this browser',
    notificationsBlocked: 'The browser blocks notifications of this page. Allow them in its settings.',
    i18n: {
      searchIconAriaLabel: 'Search',
      searchDismissIconAriaLabel: 'Close the search',
      overflowMenuTriggerText: 'More',
      overflowMenuTitleText: 'All',
      overflowMenuBackIconAriaLabel: 'Back',
      overflowMenuDismissIconAriaLabel: 'Close the menu',
    },
  },
  environment: {
    label: 'Environment',
    simulator: 'SIMULATOR',
    nothingIsSent: 'Nothing reaches a network.',
    account: (account: number) => `Account ${account}`,
    times: (zone: string) => `Times of ${zone}`,
    calendar: (at: string) => `Calendar of the ports: ${at}`,
  },
  notifications: {
    finished: 'An import has finished',
    rejected: 'A file was rejected',
    action: 'Action required',
  },
  notices: { dismiss: 'Close this notice' },
  dialog: { close: 'Close', back: 'Go back' },
  notFound: {
    title: 'There is no such page',
    text: 'The address may be incomplete.',
    toImports: 'Show the imports',
  },
};
