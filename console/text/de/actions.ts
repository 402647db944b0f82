// What requires an action, and the ways to solve it.
import type { texts as english } from '../en/actions.ts';
import { counted, numbers } from './quantities.ts';

const newPacs = (value: number): string => counted(value, 'neuer PAC', 'neue PACs');

export const texts: typeof english = {
  actions: {
    title: 'Handlungsbedarf',
    description: 'Was ohne Sie nicht weitergeht, das Dringendste zuerst.',
    empty: {
      title: 'Kein Handlungsbedarf',
      text: 'Alle Rufnummern laufen von selbst weiter. Diese Seite zeigt, wenn eine nicht weiterkommt.',
    },
    incomplete: 'Es gibt mehr Fälle, als diese Seite zeigt. Lösen Sie zuerst diese.',
    kinds: {
      port: (value) => `${numbers(value)} mit ungültigem PAC oder einem anderen Problem`,
      request: (value) => `${numbers(value)} mit ungeklärtem Ergebnis`,
      mismatch: (value) => `${counted(value, 'SIM', 'SIMs')} mit anderen Diensten als beauftragt`,
      import: (value) =>
        value === 0 ? 'Aufträge wurden vom Dienst abgelehnt' : `${numbers(value)} vom Dienst abgelehnt`,
      rejected: (value) => `${numbers(value)} mit Fehlern in der Datei`,
    },
    failedPort: (value, status) => `${numbers(value)} in einer Portierung mit dem Status ${status}`,
    blocks: (value) => `${numbers(value)} blockiert`,
    cancelBy: (at) => `Stornierung bis ${at}`,
    tooLate: (at) => `Stornierung war bis ${at} möglich`,
    links: { port: 'Portierung anzeigen', import: 'Import anzeigen', review: 'Prüfen und korrigieren' },
    dismissal: {
      button: 'Als erledigt markieren',
      title: 'Diese Rufnummern als erledigt markieren?',
      text: 'Sie bleiben unverändert, und der Import behält sie mit ihren Gründen. Werden später weitere abgelehnt, erscheinen sie hier wieder.',
      because: 'Grund',
      failed: 'Die Rufnummern wurden nicht als erledigt markiert',
    },
    assignment: {
      to: (name) => `Zugewiesen an ${name}`,
      toMe: 'Mir zuweisen',
      toOther: 'Einer anderen Person zuweisen',
      undo: 'Zuweisung aufheben',
      title: 'Wer bearbeitet diesen Import?',
      text: 'Zugewiesen werden alle Fälle des Imports, auch spätere.',
      person: 'E-Mail-Adresse',
      use: (address) => `An ${address} zuweisen`,
      confirm: 'Zuweisen',
      failed: 'Die Zuweisung ist fehlgeschlagen',
      filter: 'Anzeigen',
      everyone: 'Alle',
      me: 'Meine',
      nobody: 'Nicht zugewiesene',
      empty: { title: 'Kein Fall entspricht dem Filter', text: 'Zeigen Sie alle an, um die anderen zu sehen.' },
    },
    more: (value) => `und ${counted(value, 'weitere Rufnummer', 'weitere Rufnummern')}`,
  },
  pacs: {
    label: (number) => `Neuer PAC von ${number}`,
    placeholder: 'Neuer PAC',
    shape: 'Ein PAC besteht nur aus Buchstaben und Ziffern, z. B. aus drei Buchstaben und sechs Ziffern.',
    send: (value) => (value === 0 ? 'Neue PACs senden' : `${counted(value, 'neuen PAC', 'neue PACs')} senden`),
    sent: (value) =>
      `${newPacs(value)} gesendet. Das Netz prüft ${value === 1 ? 'ihn' : 'sie'} innerhalb weniger Minuten.`,
    waiting: (value) =>
      `${newPacs(value)} hochgeladen. Eine Person mit der Rolle „approver“ muss den Import freigeben.`,
    failed: 'Die neuen PACs wurden nicht gesendet',
    because: 'Neue PACs aus der Konsole',
    remove: (value) => `${numbers(value)} aus der Portierung entfernen`,
    removal: {
      title: (value) => `${numbers(value)} entfernen?`,
      text: (value, blocked) =>
        `${numbers(value)} ${value === 1 ? 'wird' : 'werden'} in dieser Portierung storniert. ${
          blocked > 0
            ? `${counted(blocked, 'dadurch blockierte Rufnummer kann', 'dadurch blockierte Rufnummern können')} dann fortgesetzt werden. `
            : ''
        }Entfernte Rufnummern können Sie mit einem neuen PAC erneut importieren.`,
      confirm: 'Entfernen',
      because: 'In der Konsole entfernt',
      failed: 'Die Rufnummern wurden nicht entfernt',
      done: (value, blocked) => {
        const removed = `${numbers(value)} ${value === 1 ? 'wird' : 'werden'} entfernt`;
        return blocked > 0
          ? `${removed}, ${numbers(blocked)} ${blocked === 1 ? 'kann' : 'können'} weiterlaufen`
          : removed;
      },
      waiting: (value) => `Das Entfernen von ${numbers(value)} wartet auf Freigabe`,
    },
  },
  typedRows: {
    interrupted: 'Die Zeilen wurden hochgeladen, aber nicht freigegeben. Sie finden den Import in der Liste.',
    invalid: 'Eine Zeile ist ungültig, deshalb wurde nichts gesendet.',
    slow: 'Die Prüfung dauert länger als zwei Minuten. Geben Sie den Import in der Liste frei, sobald sein Plan fertig ist.',
  },
  resolution: {
    question: 'simporter weiß nicht, ob der Dienst diesen Auftrag ausgeführt hat. Was haben Sie im Portal gefunden?',
    kinds: {
      adopt: { label: 'Die Portierung besteht', description: 'Übernehmen: simporter verfolgt diese Portierung' },
      resend: {
        label: 'Die Portierung besteht nicht',
        description: 'Auftrag erneut senden: Die Rufnummern werden noch einmal gesendet',
      },
      abandon: {
        label: 'Diese Rufnummern werden anders erledigt',
        description: 'Auftrag verwerfen: Es wird nichts gesendet',
      },
    },
    otherKinds: {
      resend: {
        label: 'Der Dienst hat ihn nicht ausgeführt',
        description: 'Auftrag erneut senden: Alles wird noch einmal gesendet',
      },
      abandon: {
        label: 'Der Dienst hat ihn ausgeführt',
        description: 'Auftrag verwerfen: Nichts wird noch einmal gesendet',
      },
    },
    confirm: { adopt: 'Portierung übernehmen', resend: 'Auftrag erneut senden', abandon: 'Auftrag verwerfen' },
    portId: 'ID der Portierung',
    role: 'Zum Klären dieses Auftrags ist die Rolle „operator“ erforderlich.',
    failed: 'Der Auftrag wurde nicht geklärt',
    waiting: 'Der Auftrag wird geklärt',
    evidence: {
      content: 'Inhalt',
      attempt: 'Gesendet',
      sentAt: (attempt, at) => `${counted(attempt, 'Versuch', 'Versuche')}, zuletzt am ${at}`,
      answer: 'Letztes Ergebnis',
      token: 'Im Portal suchen nach',
      numbers: 'Rufnummern',
      port: 'Portierung',
      none: 'Keine Angabe',
      copy: 'Kopieren',
      copied: 'Kopiert',
      notCopied: 'Nicht kopiert',
    },
  },
};
