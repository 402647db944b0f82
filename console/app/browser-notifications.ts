// Notifications of the browser, while the page is in the background: an import has ended, or requires action.
import { useEffect, useRef, useState } from 'react';
import type { Answer } from '../api/types.ts';
import { strings } from '../strings.ts';
import { type Notable, notableChanges } from './notable-changes.ts';

type Events = Answer<'getEvents'>;

const storageKey = 'simporter.notifications';
const isOffered = (): boolean => 'Notification' in window;
const isAllowed = (): boolean => isOffered() && Notification.permission === 'granted';

export interface BrowserNotifications {
  readonly isOffered: boolean;
  readonly isOn: boolean;
  /** Asks for the permission of the browser. Resolves with false where the person or the browser declines it. */
  turn(on: boolean): Promise<boolean>;
}

export function useBrowserNotifications(): BrowserNotifications {
  const [isOn, setOn] = useState(() => isAllowed() && localStorage.getItem(storageKey) === 'on');
  const turn = async (on: boolean): Promise<boolean> => {
    const may = !on || isAllowed() || (await Notification.requestPermission()) === 'granted';
    localStorage.setItem(storageKey, on && may ? 'on' : 'off');
    setOn(on && may);
    return may;
  };
  return { isOffered: isOffered(), isOn, turn };
}

/** Shows what has changed since the last answer, if the page is in the background. */
export function useNotifyOfChanges(events: Events | undefined, { isOn }: BrowserNotifications): void {
  const previous = useRef(events);
  useEffect(() => {
    const before = previous.current;
    previous.current = events;
    if (!isOn || !document.hidden || before === undefined || events === undefined) return;
    for (const change of notableChanges(before, events)) notify(change);
  }, [events, isOn]);
}

function notify({ importId, file, kind }: Notable): void {
  const notification = show(strings.notifications[kind], { body: file, tag: `${importId} ${kind}` });
  if (notification === undefined) return;
  notification.onclick = () => {
    window.focus();
    location.hash = `/imports/${importId}`;
    notification.close();
  };
}

/** Browsers on Android permit notifications, and then show those of a service worker only. */
function show(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    return undefined;
  }
}
