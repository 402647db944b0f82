// One import in the list.
import Link from '@cloudscape-design/components/link';
import type { ImportSummary } from '../../api/types.ts';
import { useSession } from '../../app/session.tsx';
import { NumbersBar, NumbersLegend } from '../../components/numbers-bar.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import { strings } from '../../strings.ts';
import { formatInstant } from '../../text/format.ts';

export function ImportCard({ item }: { readonly item: ImportSummary }) {
  const { zone } = useSession().environment;
  return (
    <article className="import-card">
      <div>
        <Link href={`#/imports/${item.importId}`} fontSize="heading-s">
          {item.file}
        </Link>
        <div className="quiet">
          {strings.imports.received(formatInstant(item.receivedAt, zone), item.uploadedBy?.by)}
        </div>
      </div>
      <div className="import-state">
        <StateMark item={item} />
      </div>
      <div className="import-numbers">
        {item.state === 'planning' ? (
          <span className="quiet">{strings.imports.reads}</span>
        ) : (
          <>
            <NumbersBar outcomes={item.outcomes} rows={item.rows} />
            <NumbersLegend outcomes={item.outcomes} />
          </>
        )}
      </div>
    </article>
  );
}
