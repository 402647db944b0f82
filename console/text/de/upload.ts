// The upload of a file, and what to do with its numbers.
import type { texts as english } from '../en/upload.ts';

export const texts: typeof english = {
  operations: {
    'create-port': {
      label: 'Rufnummern portieren',
      description: 'Rufnummern aus anderen Netzen in Ihres übernehmen',
    },
    'update-port': { label: 'Neue PACs eingeben', description: 'PACs bestehender Portierungen ersetzen' },
    'cancel-port': {
      label: 'Portierungen stornieren',
      description: 'Portierungen oder einzelne ihrer Rufnummern stornieren',
    },
    provision: { label: 'SIMs aktivieren', description: 'SIMs mit einem Tarif aktivieren' },
    'change-provision': {
      label: 'SIMs ändern',
      description: 'Den Tarif oder die Zusatzoptionen von SIMs ändern',
    },
    'bar-service-config': {
      label: 'Dienste und Sperren setzen',
      description: 'Dienste und Sperren von SIMs setzen',
    },
    'send-sms': { label: 'SMS senden', description: 'Eine SMS an SIMs senden' },
    'create-bundle': { label: 'Datenpakete anlegen', description: 'Datenpakete für SIMs anlegen' },
    'configure-bundle-control': {
      label: 'Datenpakete steuern',
      description: 'Festlegen, was am Ende eines Datenpakets geschieht',
    },
    bar: {
      label: 'SIMs sperren',
      description: 'Sperren setzen (frühere Form von „Dienste und Sperren setzen“)',
    },
    unbar: {
      label: 'SIMs entsperren',
      description: 'Sperren aufheben (frühere Form von „Dienste und Sperren setzen“)',
    },
  },
  upload: {
    title: 'Datei hochladen',
    description:
      'simporter liest die Datei, prüft jede Rufnummer und zeigt einen Plan. Erst nach Ihrer Freigabe wird etwas gesendet.',
    noRole: {
      title: 'Sie dürfen Importe lesen, aber keine Dateien hochladen',
      text: 'Bitten Sie einen Administrator um die Rolle „uploader“.',
    },
    chooser: {
      label: 'Datei',
      constraint: 'Excel-Arbeitsmappe (.xlsx) oder CSV, mit beliebiger Zeichencodierung und beliebigem Trennzeichen.',
      invitation: 'Excel- oder CSV-Datei hierher ziehen',
      release: 'Datei hier ablegen',
      button: 'Datei auswählen',
      another: 'Andere Datei auswählen',
      remove: 'Datei entfernen',
      error: 'Fehler',
    },
    problems: {
      empty: (name) => `„${name}“ ist leer. Wählen Sie eine andere Datei.`,
      tooLarge: (size, most) =>
        `Die Datei ist ${size} groß; zulässig sind höchstens ${most}. Teilen Sie sie in kleinere Dateien auf.`,
      otherSpreadsheet: (extension) =>
        `Eine .${extension}-Datei kann nicht gelesen werden. Öffnen Sie sie in Ihrer Tabellenkalkulation und speichern Sie sie als .xlsx.`,
      noTable: (extension) => `Eine .${extension}-Datei enthält keine Tabelle. Wählen Sie eine Excel- oder CSV-Datei.`,
    },
    operation: 'Was mit den Rufnummern geschehen soll',
    operationLabel: 'Vorgang',
    template: {
      label: 'Vorlage zum Ausfüllen',
      xlsx: 'Excel',
      csv: 'CSV',
      failed: 'Die Vorlage wurde nicht heruntergeladen',
    },
    values: {
      title: 'Gleicher Wert für alle Zeilen',
      description: 'Für Spalten, die in der Datei fehlen, z. B. das Netz oder der Tarif',
      add: 'Spalte auswählen',
      use: (text) => `„${text}“ verwenden`,
      noSuggestion: 'Kein Vorschlag. Geben Sie den Wert ein',
      remove: (column) => `${column} entfernen`,
    },
    separate: {
      label: 'Eigene Portierungen für Rufnummern, deren PAC bald abläuft',
      description:
        'Am Portierungstermin oder bis zu 3 Tage danach (Spalte „pacExpiry“). Verzögert sich eine solche Portierung, wartet keine andere Rufnummer auf sie.',
    },
    firstRows: {
      label: 'Zuerst zu sendende Rufnummern',
      description: 'Die übrigen warten, bis eine Person die Ergebnisse gesehen hat und den Import fortsetzt.',
      none: 'Alle',
    },
    perDay: {
      label: 'Höchstzahl der Rufnummern pro Tag',
      description: 'Gilt für den Termin „auto“: Die Zeilen werden auf die buchbaren Tage verteilt.',
      none: 'Unbegrenzt',
    },
    failed: 'Die Datei wurde nicht hochgeladen',
    failedFile: (name) => `${name} wurde nicht hochgeladen`,
    running: (name) => `${name} wird hochgeladen`,
    runs: 'Uploads laufen weiter, während Sie andere Seiten öffnen.',
    done: (name) => `${name} ist hochgeladen`,
    show: 'Plan anzeigen',
    unfinished: {
      title: (name) => `${name} wurde nicht vollständig hochgeladen`,
      text: 'Wählen Sie dieselbe Datei noch einmal aus: Nur die fehlenden Teile werden gesendet.',
      discard: 'Diesen Upload verwerfen',
    },
    chooseFirst: 'Wählen Sie zuerst eine Datei aus',
    start: 'Hochladen und prüfen',
    nothingIsSent: 'Vor Ihrer Freigabe des Plans wird nichts an ein Netz gesendet.',
    phases: {
      sending: 'Wird hochgeladen. Sie können jederzeit pausieren.',
      paused: 'Pausiert. Die übertragenen Teile bleiben einen Tag lang erhalten.',
      waiting: 'Die Verbindung ist abgebrochen. Neuer Versuch alle paar Sekunden.',
      completing: 'Die Datei ist angekommen. Das Einlesen beginnt.',
    },
    sent: (sent, all) => `${sent} von ${all}`,
    buttons: { pause: 'Pausieren', resume: 'Fortsetzen', discard: 'Verwerfen' },
  },
};
