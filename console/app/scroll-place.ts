// Where a person was on a screen: Back and Forward lead there again, any other way to a screen to its top.
import { useEffect, useRef } from 'react';

/** A browser without `navigation` does not say what leads to a screen: there, each begins at its top. */
export function useScrollPlace(location: string): void {
  const places = useRef(new Map<string, number>());
  const isReturn = useRef(false);
  const shown = useRef(location);
  useEffect(() => {
    if (!('navigation' in globalThis)) return;
    const leave = ({ navigationType }: NavigateEvent) => {
      places.current.set(shown.current, scrollY);
      isReturn.current = navigationType === 'traverse';
    };
    navigation.addEventListener('navigate', leave);
    return () => navigation.removeEventListener('navigate', leave);
  }, []);
  useEffect(() => {
    shown.current = location;
    scrollTo(0, isReturn.current ? (places.current.get(location) ?? 0) : 0);
  }, [location]);
}
