// Events in the order of time.
import Link from '@cloudscape-design/components/link';
import { formatInstant } from '../text/format.ts';

interface Entry {
  readonly at: string;
  readonly text: string;
  readonly note?: string | undefined;
  readonly href?: string;
}

export const Timeline = ({ entries, zone }: { readonly entries: readonly Entry[]; readonly zone: string }) => (
  <ol className="timeline">
    {entries.map(({ at, text, note, href }) => (
      <li key={`${at} ${text}`}>
        <time dateTime={at}>{formatInstant(at, zone)}</time>
        <div>
          {href === undefined ? <b>{text}</b> : <Link href={href}>{text}</Link>}
          {note !== undefined && <span className="quiet"> {note}</span>}
        </div>
      </li>
    ))}
  </ol>
);
