// Reads the next page of a list as soon as its end comes into view.
import { useEffect, useRef } from 'react';
import { LoadingLine } from './loaded.tsx';

/** How far below the window the end may be: a screen of cards is read ahead. */
const readAhead = '1000px';

export function MoreOnScroll({ onMore }: { readonly onMore: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  more.current = onMore;
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && more.current(), {
      rootMargin: readAhead,
    });
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={end}>
      <LoadingLine />
    </div>
  );
}
