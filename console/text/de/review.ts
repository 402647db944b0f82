// The grid in which invalid numbers are fixed.
import type { texts as english } from '../en/review.ts';
import { count } from '../format.ts';
import { counted, numbers } from './quantities.ts';

const corrected = (value: number): string => counted(value, 'korrigierte Rufnummer', 'korrigierte Rufnummern');

export const texts: typeof english = {
  review: {
    title: 'Prüfen und korrigieren',
    description: 'Rufnummern, die ungültig sind oder vom Dienst abgelehnt wurden. Die anderen sind nicht betroffen.',
    loading: (known, all) => `${count(known)} von ${numbers(all)} geladen`,
    none: {
      title: 'Es gibt nichts zu korrigieren',
      text: 'Jede Rufnummer der Datei kann gesendet werden oder wurde gesendet.',
    },
    tooMany: (most, all) =>
      `Die ersten ${count(most)} von ${numbers(all)} werden angezeigt. Korrigieren Sie die übrigen in Ihrer Tabelle und laden Sie sie erneut hoch.`,
    groups: 'Probleme',
    all: (value) => (value === 1 ? '1 Rufnummer' : `Alle ${numbers(value)}`),
    group: (column, rows, fixed) => `${column}: ${fixed} von ${rows} korrigiert`,
    wholeRow: 'Zeile',
    declined: 'Vom Dienst abgelehnt',
    split: (requests, calls) =>
      `${counted(requests, 'abgelehnter Auftrag wurde', 'abgelehnte Aufträge wurden')} in Hälften erneut gesendet, um die abgelehnten Rufnummern zu finden: bisher ${counted(calls, 'Aufruf', 'Aufrufe')}.`,
    sort: (column) => `Nach ${column} sortieren`,
    notInFile: 'Nicht in der Datei',
    filter: 'Enthält',
    filterOf: (column) => `Nach ${column} filtern`,
    filters: 'Spalten filtern',
    noneShown: 'Keine Zeile entspricht den Filtern.',
    shown: (rows, all) => `${count(rows)} von ${numbers(all)} angezeigt`,
    replacement: {
      title: 'Suchen und ersetzen',
      find: 'Suchen',
      replace: 'Ersetzen durch',
      column: 'In',
      everyColumn: 'Alle Spalten',
      apply: (cells) => `In ${counted(cells, 'Zelle', 'Zellen')} ersetzen`,
    },
    grid: 'Ungültige Rufnummern',
    editor: (column) => `Neuer Wert für ${column}`,
    typed: '••••••',
    progress: { invalid: 'ungültig', checking: 'wird geprüft', fixed: 'korrigiert' },
    line: (line) => `Zeile ${count(line)}`,
    issue: (column, message) => `${column}: ${message}`,
    alike: (value, text) =>
      `${value === 1 ? '1 andere Rufnummer hat' : `${count(value)} andere Rufnummern haben`} in dieser Spalte „${text}“.`,
    fixAlike: (value) => (value === 1 ? 'Ebenso korrigieren' : `Alle ${count(value)} ebenso korrigieren`),
    count: (fixed, all) => `${count(fixed)} von ${numbers(all)} korrigiert`,
    leftOut: (value) =>
      `${counted(value, 'eingefügter Wert wurde', 'eingefügte Werte wurden')} ausgelassen: Die Tabelle hat dafür keine änderbare Zelle`,
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    send: (value) => (value === 0 ? 'Korrigierte Rufnummern senden' : `${corrected(value)} senden`),
    draft: {
      saving: 'Wird gespeichert',
      saved: (at) => `Gespeichert um ${at} Uhr`,
      failed: (reason) => `Nicht gespeichert: ${reason}`,
      discard: 'Änderungen verwerfen',
      of: (by, rows, at) => `${by} hat ${numbers(rows)} geändert und noch nicht gesendet. Gespeichert: ${at}.`,
      take: 'Mit diesen Änderungen fortfahren',
      replace: 'Meine durch diese Änderungen ersetzen',
      notOpened: 'Die Änderungen wurden nicht geöffnet',
    },
    sendFailed: 'Die korrigierten Rufnummern wurden nicht gesendet',
    sent: (value) =>
      `${corrected(value)} als Korrektur hochgeladen. Geben Sie den Plan frei, um ${value === 1 ? 'sie' : 'alle'} zu senden`,
  },
};
