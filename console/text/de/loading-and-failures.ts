// What a screen shows while it is loaded, and when something failed.
import type { texts as english } from '../en/loading-and-failures.ts';

export const texts: typeof english = {
  loading: {
    text: 'Wird geladen',
    unavailable: 'Warten auf Antwort von simporter',
    failed: 'Anzeige nicht möglich',
    tryAgain: 'Erneut versuchen',
  },
  notLoaded: {
    title: 'Diese Seite ist noch nicht geladen',
    waits:
      'Es besteht keine Verbindung zu simporter, oder es wurde aktualisiert. Die Seite öffnet sich von selbst, sobald sie geladen werden kann.',
    uploads:
      'Sie kann erst nach einem Neuladen angezeigt werden. Das geschieht von selbst, sobald Ihr Upload beendet ist.',
    failed:
      'Auch nach dem Neuladen fehlt die Seite. Laden Sie sie in einer Minute neu, oder fragen Sie Ihren Administrator, ob eine Aktualisierung von simporter abgeschlossen ist.',
    reload: 'Jetzt neu laden',
  },
  failure: {
    title: 'Auf dieser Seite ist ein Fehler aufgetreten',
    text: (message) => `Ihre Importe sind nicht betroffen. Laden Sie die Seite neu, um fortzufahren. (${message})`,
    reload: 'Neu laden',
    unknown: 'Die Ursache ist unbekannt. Versuchen Sie es erneut.',
  },
  conflict: {
    title: (failed) => `${failed}: Eine andere Person hat etwas geändert`,
    now: (name, value) => `${name} ist jetzt: ${value}`,
    nothing: 'leer',
  },
};
