// The files and the history of an import.
import type { texts as english } from '../en/files-and-history.ts';

const declined = 'Abgelehnte Zeilen zum Korrigieren und erneuten Importieren';

export const texts: typeof english = {
  files: {
    title: 'Dateien',
    description: 'Ohne PACs. Ein Link ist eine Minute lang gültig.',
    content: 'Inhalt',
    changed: 'Geändert',
    download: 'Herunterladen',
    downloadFile: (label, name) => `${label}: ${name}`,
    empty: 'Es wurde noch keine Datei geschrieben.',
    failed: (name) => `${name} wurde nicht heruntergeladen`,
    noAddress: 'Der Link ist keine Webadresse.',
    contents: {
      results: 'Das Ergebnis jeder Zeile dieser Datei. Eine Korrektur hat eigene Ergebnisse',
      'correct-update-port':
        'Rufnummern, die in ihrer Portierung einen neuen PAC benötigen oder deren Änderung abgelehnt wurde',
      'correct-create-port': 'Rufnummern, die abgelehnt wurden oder einen neuen PAC und eine neue Portierung benötigen',
      'correct-cancel-port': declined,
      'correct-provision': declined,
      'correct-change-provision': declined,
      'correct-bar-service-config': declined,
      'correct-send-sms': declined,
      'correct-create-bundle': declined,
      'correct-configure-bundle-control': declined,
      'correct-bar': declined,
      'correct-unbar': declined,
      'mismatches-bar-service-config': 'SIMs mit anderen Diensten als beauftragt',
      issues: 'Alle Befunde, für Programme',
    },
    formats: {
      xlsx: (size) => `Excel (${size})`,
      csv: (size) => `CSV (${size})`,
      ndjson: (size) => `NDJSON (${size})`,
    },
  },
  audit: {
    title: 'Wer hat was getan',
    empty: 'Bisher hat niemand etwas mit diesem Import getan.',
    by: (name) => `von ${name}`,
    because: (text) => `Notiz: ${text}`,
    notVerified: 'nicht verifiziert',
    actions: {
      uploaded: 'Hochgeladen',
      approved: 'Freigegeben',
      'approval-declined': 'Freigabe abgelehnt',
      stopped: 'Angehalten',
      resumed: 'Fortgesetzt',
      rescheduled: 'Verschoben',
      cancelled: 'Stornierung geplant',
      corrected: 'Korrigiert',
      resolved: 'Klärung veranlasst',
      adopted: 'Portierung übernommen',
      archived: 'Archiviert',
      restored: 'Wieder in der Liste angezeigt',
      dismissed: 'Als erledigt markiert',
      assigned: 'Zugewiesen',
      unassigned: 'Zuweisung aufgehoben',
      downloaded: 'Link zu einer Datei erstellt',
    },
  },
};
