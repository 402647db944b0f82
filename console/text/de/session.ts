// Signing in, and the connection to simporter.
import type { texts as english } from '../en/session.ts';

export const texts: typeof english = {
  signIn: {
    title: 'Anmeldung bei simporter',
    text: 'Ihr Administrator legt Konten an. Nach der Anmeldung kehren Sie auf diese Seite zurück.',
    button: 'Anmelden',
    failed: 'Sie wurden nicht angemeldet',
    failures: {
      access_denied: 'Die Anmeldung wurde abgebrochen.',
      invalid_grant: 'Die Anmeldung hat zu lange gedauert. Melden Sie sich erneut an.',
      invalid_state: 'Dieser Tab hat diese Anmeldung nicht angefordert. Melden Sie sich erneut an.',
    },
    failure: (reason) => `Der Anmeldedienst hat geantwortet: ${reason}`,
    noConfig: (status) =>
      `/config.json kann nicht gelesen werden (${status}). Führen Sie den Befehl aus der Ausgabe UploadConfig des Stacks aus.`,
  },
  session: {
    loading: 'simporter wird geöffnet',
    signedOut: {
      title: 'Dieser Browser ist nicht angemeldet',
      text: 'Starten Sie simporter auf diesem Rechner neu: Die Seite öffnet sich dann in Ihrem Browser. Danach funktioniert diese Adresse hier, solange die Daten aufbewahrt werden.',
    },
    unavailable: {
      title: 'simporter antwortet nicht',
      text: 'Die Seite verbindet sich, sobald simporter antwortet. Sie müssen sie nicht neu laden.',
    },
    failed: 'simporter kann nicht geöffnet werden',
  },
  connection: {
    unavailable: {
      title: 'simporter antwortet nicht. Neuer Versuch alle paar Sekunden',
      text: (shown) =>
        `${shown === undefined ? '' : `Sie sehen den Stand von ${shown} Uhr. `}Importe laufen auch ohne diese Seite weiter.`,
    },
    expired: {
      title: 'Ihre Sitzung ist abgelaufen',
      text: 'Melden Sie sich erneut an, um fortzufahren. Geänderte Zeilen bleiben erhalten, ebenso Ihre Eingaben auf dieser Seite, bis Sie sie verlassen.',
      localText:
        'Starten Sie simporter auf diesem Rechner neu: Die Seite öffnet sich dann in Ihrem Browser. Geänderte Zeilen bleiben erhalten.',
    },
    serviceOutage: {
      title: (since) => `Der Portierungsdienst ist seit ${since} Uhr nicht erreichbar`,
      text: (reason, next) =>
        `${reason}. Aufträge warten, bis er wieder antwortet; keiner geht verloren. Der nächste Versuch erfolgt um ${next} Uhr.`,
    },
  },
};
