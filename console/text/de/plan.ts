// The plan of an import and its approval.
import type { texts as english } from '../en/plan.ts';
import { count } from '../format.ts';
import { counted, numbers, requests } from './quantities.ts';

/** After "in". */
const inRequests = (value: number): string => counted(value, 'Auftrag', 'Aufträgen');
const areSent = (rows: number): string => `${numbers(rows)} ${rows === 1 ? 'wird' : 'werden'}`;

export const texts: typeof english = {
  plan: {
    title: 'Was gesendet wird',
    summary: (rows, many) => `${numbers(rows)} in ${inRequests(many)}`,
    warning: (rows) => `Warnung zu ${numbers(rows)}`,
    lines: (lines, message) => `${lines.length === 1 ? 'Zeile' : 'Zeilen'} ${lines.map(count).join(', ')}: ${message}`,
    otherRows: (rows) => `und ${rows === 1 ? 'eine weitere Rufnummer' : `${count(rows)} weitere Rufnummern`}`,
    group: 'Rufnummern mit gleichen Angaben',
    more: (groups) => `${counted(groups, 'weitere Gruppe', 'weitere Gruppen')} mit weniger Rufnummern`,
    numbers: 'Rufnummern',
    requests: 'Aufträge',
    date: 'Grund für den Termin',
    asInFile: 'Wie in der Datei',
    sizes: (sizes) => {
      const largest = Math.max(0, ...sizes);
      return sizes.length <= 1
        ? `1 mit ${numbers(largest)}`
        : `${requests(sizes.length)} mit je höchstens ${numbers(largest)}`;
    },
    empty: 'Der Plan ist leer: Keine Rufnummer der Datei ist gültig.',
    expired: 'Der Plan ist abgelaufen. Laden Sie die Datei erneut hoch.',
    approve: (rows) => `${numbers(rows)} freigeben`,
    reasons: {
      role: 'Dafür ist die Rolle „approver“ erforderlich',
      expired: 'Der Plan ist abgelaufen. Laden Sie die Datei erneut hoch',
      empty: 'Keine Rufnummer der Datei ist gültig',
    },
    declined: {
      title: 'Es wurde nichts gesendet',
      text: (by, reason) => `Die Freigabe durch ${by} wurde abgelehnt: ${reason}.`,
    },
    approval: {
      title: (rows) => `${numbers(rows)} senden?`,
      real: (rows, many) => `${areSent(rows)} in ${inRequests(many)} an den Portierungsdienst gesendet.`,
      simulated: (rows, many) =>
        `${areSent(rows)} in ${inRequests(many)} an den Simulator gesendet. Nichts erreicht ein echtes Netz.`,
      leavesOut: (rows) =>
        `${numbers(rows)} mit Fehlern ${rows === 1 ? 'wird' : 'werden'} nicht gesendet. Sie können die Fehler jetzt oder später korrigieren.`,
      because: 'Notiz für den Verlauf (optional)',
      confirm: 'Freigeben und senden',
      failed: 'Der Plan wurde nicht freigegeben',
      done: (rows) => `Freigegeben: ${areSent(rows)} gesendet`,
    },
  },
};
