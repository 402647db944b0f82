// Columns and formats of a file.
import type { texts as english } from '../en/columns.ts';

export const texts: typeof english = {
  columns: {
    title: 'Spalten und Formate',
    description:
      'So hat simporter die Datei gelesen. Es wurde nichts gesendet: Ändern Sie, was nicht stimmt, und lesen Sie die Datei erneut ein.',
    link: 'Spalten und Formate',
    required: {
      title: 'Was jede Rufnummer benötigt',
      filled: (filled, all) => `${filled} von ${all} vorhanden`,
      byColumn: (header) => `Spalte „${header}“`,
      byValue: (value) => `„${value}“ für alle Zeilen`,
      missing: 'Fehlt: Wählen Sie unten die Spalte, oder',
      neededFor: (what) => `Für ${what}`,
      enter: 'geben Sie einen Wert für alle Zeilen ein',
      enterOf: (column) => `Einen Wert von ${column} für alle Zeilen eingeben`,
    },
    readAgain: 'Datei erneut einlesen',
    replaces: 'Der neue Plan ersetzt diesen. Vor Ihrer Freigabe wird nichts gesendet.',
    failed: 'Die Datei wurde nicht erneut eingelesen',
    place: {
      title: 'Wo die Rufnummern stehen',
      sheets: 'Tabellenblätter',
      oneFile: 'Mehrere Blätter mit denselben Spalten werden als eine Datei eingelesen.',
      choose: 'Tabellenblätter wählen',
      headerRow: 'Zeile der Spaltenköpfe',
      show: 'Anzeigen',
    },
    table: {
      title: 'Spalten',
      needed: 'Benötigt',
      filledBy: 'Kommt aus',
      inFile: 'In der Datei',
      values: 'Erste Werte',
      column: 'Bedeutung',
      own: 'Meine eigene Spalte',
      empty: 'Die Datei hat keine Spalten.',
      columnOf: (header) => `Spalte ${header}`,
      optionOf: (option) => `Nur ${option}`,
      bars: { block: 'Sperren, die gesetzt werden', allow: 'Sperren, die aufgehoben werden' },
    },
    formats: {
      title: 'Formate',
      detected: 'Wie erkannt',
      visibleRowsOnly: 'Ausgeblendete, gefilterte und durchgestrichene Zeilen auslassen',
      labels: { dateOrder: 'Reihenfolge im Datum', separator: 'Trennzeichen', encoding: 'Zeichencodierung' },
      choices: {
        dateOrder: {
          dmy: 'Tag zuerst: 31/12/2026',
          mdy: 'Monat zuerst: 12/31/2026',
          ymd: 'Jahr zuerst: 2026/12/31',
        },
        separator: { ',': 'Komma', ';': 'Semikolon', '\t': 'Tabulator', '|': 'Senkrechter Strich' },
        encoding: {
          'utf-8': 'UTF-8',
          'windows-1252': 'Windows-1252 (westeuropäisch)',
          'utf-16le': 'UTF-16, Little Endian',
          'utf-16be': 'UTF-16, Big Endian',
        },
      },
    },
  },
};
