// The list of imports, and the archive.
import type { texts as english } from '../en/imports.ts';
import { count } from '../format.ts';
import { counted, numbers } from './quantities.ts';

export const texts: typeof english = {
  imports: {
    title: 'Importe',
    description: 'Alle Dateien und was mit ihren Rufnummern geschehen ist.',
    upload: 'Datei hochladen',
    search: 'Datei oder Person',
    filter: 'Status',
    anyState: 'Alle Status',
    archived: 'Archiviert',
    time: 'Eingegangen',
    anyTime: 'Jederzeit',
    today: 'Heute',
    lastDays: (days) => (days === 1 ? 'Am letzten Tag' : `In den letzten ${counted(days, 'Tag', 'Tagen')}`),
    received: (at, by) => (by === undefined ? at : `${at} von ${by}`),
    numbers,
    actionRequired: (value) => `Handlungsbedarf bei ${numbers(value)}`,
    reads: 'Datei wird gelesen',
    empty: {
      title: 'Laden Sie die erste Datei hoch',
      text: 'Eine Excel- oder CSV-Datei mit den Rufnummern, die portiert werden sollen. Vor Ihrer Freigabe wird nichts gesendet.',
      example: 'Beispiel laden',
    },
    emptyFilter: {
      title: 'Kein Import entspricht den Filtern',
      text: 'Ändern Sie die Filter, um andere Importe zu sehen.',
    },
    accounted: (known, all) => `${count(known)} von ${count(all)} erfasst`,
  },
  archive: {
    button: 'Archivieren',
    of: (file) => `${file} archivieren`,
    failed: 'Der Import wurde nicht archiviert',
    done: (file) => `${file} ist archiviert und steht in der Liste unter dem Status „Archiviert“`,
    undo: 'Wieder in der Liste anzeigen',
    undoFailed: 'Der Import ist weiterhin archiviert',
    isArchived: 'Archiviert',
  },
};
