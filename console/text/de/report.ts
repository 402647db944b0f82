// The report of an import, and of a period.
import type { texts as english } from '../en/report.ts';

export const texts: typeof english = {
  report: {
    title: 'Bericht',
    asOf: (file, at) => `${file}, Stand ${at}`,
    ofPeriod: 'Bericht über einen Zeitraum',
    ofPeriodText: 'Die Rufnummern aller Importe aus diesem Zeitraum, einschließlich der Wirkung ihrer Korrekturen',
    byOperation: 'Nach Vorgang',
    operation: 'Vorgang',
    byPerson: 'Nach Person',
    person: 'Hochgeladen von',
    importColumns: ['Datei', 'Import', 'Vorgang', 'Status', 'Eingegangen', 'Hochgeladen von'],
    byNetwork: 'Nach Netz',
    network: 'Netz',
    byDay: 'Nach Portierungstermin',
    dayCounts: (complete, planned) => `${complete} von ${planned} portiert`,
    column: 'Zusätzlich nach einer Spalte der Datei',
    columnHelp: 'Zum Beispiel nach Kostenstelle',
    noColumn: 'Keine Spalte',
    byColumn: (name) => `Nach ${name}`,
    numbers: 'Rufnummern',
    done: 'Erfolgreich',
    share: 'Ergebnisse',
    noValue: '(leer)',
    xlsx: 'Excel',
    csv: 'CSV',
    print: 'Drucken oder als PDF speichern',
  },
};
