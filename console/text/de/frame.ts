// The frame of every screen, its notices and its dialogs.
import type { texts as english } from '../en/frame.ts';

export const texts: typeof english = {
  product: 'simporter',
  title: (screen) => `${screen} · simporter`,
  shell: {
    skip: 'Zum Inhalt springen',
    layout: {
      navigation: 'Hauptnavigation',
      navigationClose: 'Navigation schließen',
      navigationToggle: 'Navigation öffnen',
      notifications: 'Meldungen',
    },
  },
  navigation: {
    imports: 'Importe',
    upload: 'Datei hochladen',
    actions: 'Handlungsbedarf',
    number: 'Rufnummer suchen',
    ports: 'Portierungen',
    simulator: 'Simulator',
  },
  topBar: {
    logo: 'Logo',
    search: 'Rufnummer suchen, z. B. 07700 900123',
    useDark: 'Dunkle Farben verwenden',
    useLight: 'Helle Farben verwenden',
    notLoaded: 'Die Sprache konnte nicht geladen werden',
    description: (environment, account, roles) =>
      `${environment}, Konto ${account}. ${roles.length === 0 ? 'Keine Rolle' : roles.join(', ')}`,
    apiDescription: 'API-Beschreibung',
    signOut: 'Abmelden',
    notify: 'In diesem Browser benachrichtigen',
    doNotNotify: 'In diesem Browser nicht mehr benachrichtigen',
    notificationsBlocked:
      'Der Browser blockiert Benachrichtigungen dieser Seite. Erlauben Sie sie in seinen Einstellungen.',
    i18n: {
      searchIconAriaLabel: 'Suchen',
      searchDismissIconAriaLabel: 'Suche schließen',
      overflowMenuTriggerText: 'Mehr',
      overflowMenuTitleText: 'Alle',
      overflowMenuBackIconAriaLabel: 'Zurück',
      overflowMenuDismissIconAriaLabel: 'Menü schließen',
    },
  },
  environment: {
    label: 'Umgebung',
    simulator: 'SIMULATOR',
    nothingIsSent: 'Nichts erreicht ein echtes Netz.',
    account: (account) => `Konto ${account}`,
    times: (zone) => `Zeitzone ${zone}`,
    calendar: (at) => `Kalender der Portierungen: ${at}`,
  },
  notifications: {
    finished: 'Ein Import ist abgeschlossen',
    rejected: 'Eine Datei wurde zurückgewiesen',
    action: 'Handlungsbedarf',
  },
  notices: { dismiss: 'Meldung schließen' },
  dialog: { close: 'Schließen', cancel: 'Abbrechen' },
  notFound: {
    title: 'Diese Seite gibt es nicht',
    text: 'Möglicherweise ist die Adresse unvollständig.',
    toImports: 'Importe anzeigen',
  },
};
