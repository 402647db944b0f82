// The simulator: its calendar, its faults and an example.
import type { texts as english } from '../en/simulator.ts';
import { counted } from './quantities.ts';

export const texts: typeof english = {
  simulator: {
    speed: (speed) => {
      if (speed === 0) return 'angehalten';
      if (speed === 1) return 'Echtzeit';
      const seconds = Math.max(1, Math.round(86_400 / speed));
      return `ein Tag dauert ${seconds % 60 === 0 ? counted(seconds / 60, 'Minute', 'Minuten') : counted(seconds, 'Sekunde', 'Sekunden')}`;
    },
    title: 'Simulator',
    description:
      'Der Portierungsdienst ist ein Simulator auf diesem Rechner. Probieren Sie alles aus: Nichts erreicht ein echtes Netz.',
    calendar: 'Kalender',
    calendarText:
      'Der Simulator hat einen eigenen Kalender. Portierungen dauern Tage: Überspringen Sie sie, oder wählen Sie, wie schnell sie vergehen.',
    waits: 'wartet auf Sie',
    pause: 'Anhalten',
    run: 'Starten',
    nextDay: 'Nächster Tag',
    moveFailed: 'Der Kalender wurde nicht geändert',
    speedLabel: 'Geschwindigkeit des Kalenders',
    speeds: {
      automatic: {
        label: 'Automatisch',
        description: 'Läuft, solange Rufnummern in Bearbeitung sind, und wartet, wenn eine Person handeln muss',
      },
      paused: { label: 'Angehalten', description: 'Nur „Nächster Tag“ bewegt ihn' },
      real: { label: 'Echtzeit', description: 'Wie die Uhr an der Wand' },
      minute: { label: 'Ein Tag pro Minute', description: 'Eine Portierung dauert wenige Minuten' },
      seconds: { label: 'Ein Tag in zehn Sekunden', description: 'Für alle, die es eilig haben' },
    },
    faults: 'Störungen des Dienstes',
    faultsText: 'Sehen Sie, wie sich simporter verhält, wenn der Dienst gestört ist.',
    faultsFailed: 'Die Störungen wurden nicht geändert',
    faultPlans: {
      none: { label: 'Keine Störungen', description: 'Der Dienst arbeitet wie dokumentiert' },
      outage: { label: 'Ausfall', description: 'Jeder Aufruf scheitert mit 503, bis Sie den Ausfall beenden' },
      slow: { label: 'Langsam', description: 'Jede Antwort dauert zwei Sekunden' },
      unknown: {
        label: 'Ergebnis ungeklärt',
        description: 'Die Verbindung bricht ab, nachdem die nächste neue Portierung angelegt wurde',
      },
    },
    example: 'Beispiel',
    exampleText: 'Eine Datei mit gültigen und ungültigen Rufnummern.',
    loadExample: 'Beispiel laden',
    exampleFailed: 'Das Beispiel wurde nicht geladen',
  },
};
