// Saved settings: how files with a certain header are read.
import type { texts as english } from '../en/saved.ts';

export const texts: typeof english = {
  saved: {
    title: 'Gespeicherte Einstellungen',
    description:
      'So werden Dateien mit einer bestimmten Kopfzeile eingelesen. Die nächste Datei mit dieser Kopfzeile wird ebenso eingelesen, auch bei Ihren Kolleginnen und Kollegen.',
    empty: {
      title: 'Keine gespeicherten Einstellungen',
      text: 'Wenn Sie eine Datei unter „Spalten und Formate“ erneut einlesen, werden ihre Einstellungen hier gespeichert.',
    },
    readAs: (name, by, at) => `Eingelesen als „${name}“, gespeichert von ${by} am ${at}`,
    chosen: (name, by, at) => `Die Auswahl unten ist die von „${name}“, gespeichert von ${by} am ${at}`,
    nameOfNew: 'Name der gespeicherten Einstellungen',
    saves: 'Die nächste Datei mit dieser Kopfzeile wird ebenso eingelesen. Ohne Namen wird nichts gespeichert.',
    failed: 'Die Einstellungen wurden nicht gespeichert und die Datei daher nicht erneut eingelesen',
    columns: {
      name: 'Name',
      operation: 'Vorgang',
      columns: 'Spalten',
      by: 'Gespeichert von',
      at: 'Gespeichert',
      act: 'Aktionen',
    },
    isColumn: (header, column) => `„${header}“: ${column}`,
    isValue: (column, value) => `${column} „${value}“ für alle Zeilen`,
    sheet: (names) => `Tabellenblatt ${names}`,
    headerRow: (row) => `Kopfzeile in Zeile ${row}`,
    rename: 'Umbenennen',
    renameOf: (name) => `„${name}“ umbenennen`,
    newName: 'Neuer Name',
    notRenamed: 'Die gespeicherten Einstellungen wurden nicht umbenannt',
    delete: 'Löschen',
    deleteOf: (name) => `„${name}“ löschen`,
    deleteTitle: (name) => `Die gespeicherten Einstellungen „${name}“ löschen?`,
    deleteText:
      'Die nächste Datei mit dieser Kopfzeile wird wie erkannt eingelesen. Dateien, die schon eingelesen sind, ändern sich nicht.',
    notDeleted: 'Die gespeicherten Einstellungen wurden nicht gelöscht',
  },
};
