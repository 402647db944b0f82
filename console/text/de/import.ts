// One import: its summary, numbers and requests, and what a person can do with them.
import type { texts as english } from '../en/import.ts';
import { count } from '../format.ts';
import { counted, numbers, requests } from './quantities.ts';

export const texts: typeof english = {
  import: {
    missing: {
      title: 'Diesen Import gibt es nicht',
      text: 'Er wurde nie hochgeladen oder ist abgelaufen. Möglicherweise ist die Adresse unvollständig.',
    },
    awaited: {
      title: 'Warten auf die Datei',
      text: (importId) => `Import ${importId} beginnt in wenigen Sekunden. Die Seite öffnet ihn, sobald es ihn gibt.`,
    },
    report: 'Bericht',
    tabs: { plan: 'Plan', rows: 'Rufnummern', requests: 'Aufträge', files: 'Dateien', audit: 'Verlauf' },
    planning: {
      title: 'Datei wird gelesen',
      text: 'Jede Rufnummer wird mit dem aktuellen Katalog abgeglichen. Es wird nichts gesendet.',
      interrupted: (time) =>
        `Das Lesen wurde unterbrochen. Es beginnt wenige Minuten nach ${time} erneut. Nichts geht verloren.`,
    },
    figure: {
      valid: (rows) => `von ${numbers(rows)} gültig`,
      of: (rows, word) => `von ${numbers(rows)} ${word}`,
    },
    facts: {
      accounted: 'Erfasst',
      accountedFor: (known, all) => `${count(known)} von ${count(all)}`,
      expected: 'Voraussichtlicher Termin',
      none: '–',
      inPlan: 'Siehe Plan',
      requests: 'Aufträge',
    },
    rejected: {
      title: 'Die Datei wurde zurückgewiesen: Es wurde nichts gesendet',
      noneValid: (rows) =>
        `Keine Rufnummer kann gesendet werden: ${rows === 1 ? 'Die einzige Rufnummer ist' : `Alle ${numbers(rows)} sind`} ungültig`,
      text: 'Korrigieren Sie die Datei und laden Sie sie erneut hoch.',
      fixRows: 'Korrigieren Sie die Rufnummern hier, oder korrigieren Sie die Datei und laden Sie sie erneut hoch.',
      columns: 'Spalten zuordnen',
      upload: 'Andere Datei hochladen',
    },
    absent: {
      title: (column, rows) => `Bei ${numbers(rows)} fehlt „${column}“, und die Datei hat keine solche Spalte`,
      act: 'Spalte oder einen Wert für alle Zeilen wählen',
    },
    finished: {
      title: (done, rows, word) => `Abgeschlossen: ${count(done)} von ${numbers(rows)} ${word}`,
      all: 'Alle Rufnummern der Datei sind erledigt.',
      some: (known, all) => `${count(known)} von ${numbers(all)} sind erfasst.`,
    },
    next: {
      review: 'Prüfen und korrigieren',
      act: 'Handlungsbedarf anzeigen',
      actionRequired: (value) =>
        `${numbers(value)} ${value === 1 ? 'kommt' : 'kommen'} ohne Ihr Eingreifen nicht weiter.`,
      invalid: (value, isPlanned) =>
        `${numbers(value)} ${value === 1 ? 'ist' : 'sind'} ungültig und ${
          isPlanned
            ? `${value === 1 ? 'wird' : 'werden'} nicht gesendet`
            : `${value === 1 ? 'wurde' : 'wurden'} nicht gesendet`
        }.`,
      declined: (value) => `${numbers(value)} ${value === 1 ? 'wurde' : 'wurden'} vom Dienst abgelehnt.`,
      mismatches: (value) => `${counted(value, 'SIM hat', 'SIMs haben')} andere Dienste als beauftragt.`,
    },
  },
  rows: {
    title: 'Rufnummern der Datei',
    search: 'Rufnummer oder Text suchen',
    outcome: 'Ergebnis',
    anyOutcome: 'Alle Ergebnisse',
    none: 'Keine Rufnummer entspricht dem Filter.',
    blocked: 'blockiert',
    selection: 'Ausgewählte Rufnummern',
    selectAll: 'Alle Rufnummern dieser Seite auswählen',
    selectRow: (line) => `Zeile ${count(line)} auswählen`,
    cancel: (value) => (value === 0 ? 'Rufnummern stornieren' : `${numbers(value)} stornieren`),
    columns: {
      line: 'Zeile',
      number: 'Rufnummer',
      outcome: 'Ergebnis',
      status: 'Status',
      message: 'Meldung',
      whatToDo: 'Was zu tun ist',
      review: 'Prüfen und korrigieren',
      port: 'Portierung',
      openPort: 'Öffnen',
    },
  },
  cancellation: {
    title: (rows) => `Stornierung von ${numbers(rows)} planen?`,
    text: 'Dadurch wird ein Plan angelegt. Storniert werden die Rufnummern erst mit der Freigabe des Plans.',
    confirm: 'Plan anlegen',
    failed: 'Die Stornierung wurde nicht geplant',
    planned: (rows) => `Die Stornierung von ${numbers(rows)} ist geplant. Geben Sie den Plan frei, um sie auszuführen`,
    left: (rows) =>
      rows === 0
        ? ''
        : `${numbers(rows)} ${rows === 1 ? 'kann' : 'können'} nicht storniert werden, weil keine laufende Portierung besteht.`,
  },
  requests: {
    title: 'Aufträge',
    request: 'Auftrag',
    content: 'Inhalt',
    numbers: 'Rufnummern',
    state: 'Status',
    port: 'Portierung',
    note: 'Hinweis',
    sendOn: (date) => `Wird am ${date} gesendet, sobald der Termin buchbar ist`,
    empty: 'Es wurde noch kein Auftrag gesendet.',
    more: 'Weitere Aufträge anzeigen',
    selection: 'Ausgewählte Aufträge',
    selectAll: 'Alle Aufträge auswählen',
    selectRequest: (request) => `Auftrag ${count(request)} auswählen`,
    reschedule: (value) => (value === 0 ? 'Alle verschieben' : `${requests(value)} verschieben`),
  },
  rescheduling: {
    title: (value) =>
      value === 0
        ? 'Alle Portierungen auf einen anderen Termin verschieben'
        : `${counted(value, 'Portierung', 'Portierungen')} auf einen anderen Termin verschieben`,
    text: 'Ein neuer Import storniert die Portierungen und legt sie zum anderen Termin neu an. Eine Portierung, deren Termin feststeht, bleibt unverändert.',
    date: 'Termin',
    auto: 'Der erste mögliche Tag',
    autoDescription: 'Der früheste Werktag, den das Netz annimmt',
    chosen: 'Ein Tag meiner Wahl',
    confirm: 'Verschieben',
    failed: 'Die Portierungen wurden nicht verschoben',
  },
  stopping: {
    stoppedBy: (by, at) => `Angehalten von ${by} am ${at}`,
    stop: {
      button: 'Anhalten',
      title: 'Diesen Import anhalten?',
      text: 'Was noch nicht gesendet ist, wartet, bis der Import fortgesetzt wird. Bestehende Portierungen laufen weiter.',
      failed: 'Der Import wurde nicht angehalten',
    },
    resumesFirst:
      'Jetzt werden die ersten Zeilen gesendet. Die übrigen warten, bis diese beantwortet sind und der Import erneut fortgesetzt wird.',
    firstRows: (outcomes) => `Bisher wurden nur die ersten Zeilen gesendet. Stand: ${outcomes}.`,
    resume: {
      button: 'Fortsetzen',
      title: 'Diesen Import fortsetzen?',
      text: 'Was noch nicht gesendet wurde, wird jetzt gesendet.',
      failed: 'Der Import wurde nicht fortgesetzt',
    },
    end: {
      button: 'Endgültig beenden',
      title: 'Diesen Import endgültig beenden?',
      text: 'Was noch nicht gesendet ist, wird nie gesendet. Bestehende Portierungen laufen weiter. Sie können sie danach stornieren.',
      failed: 'Der Import wurde nicht beendet',
    },
    undo: {
      button: 'Alle Rufnummern stornieren',
      title: 'Stornierung aller Rufnummern planen?',
      text: 'Ein Plan führt alle Rufnummern dieses Imports auf, die noch in Bearbeitung sind. Vor Ihrer Freigabe wird nichts storniert.',
      failed: 'Die Stornierung wurde nicht geplant',
    },
  },
};
