// Who did what with an import, in the order of time.
import Badge from '@cloudscape-design/components/badge';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { useRead } from '../../api/queries.ts';
import { useSession } from '../../app/session.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { strings } from '../../strings.ts';
import { formatInstant } from '../../text/format.ts';

export default function AuditTab({ importId }: { readonly importId: string }) {
  const { zone } = useSession().environment;
  const read = useRead('listAudit', { path: { importId } });
  const texts = strings.audit;
  return (
    <Container header={<Header variant="h2">{texts.title}</Header>}>
      <Loaded read={read}>
        {({ entries }) =>
          entries.length === 0 ? (
            texts.empty
          ) : (
            <ol className="timeline">
              {entries.map(({ at, action, actor, because, details }) => (
                <li key={`${at} ${action}`}>
                  <time dateTime={at}>{formatInstant(at, zone)}</time>
                  <div>
                    <b>{texts.actions[action]}</b> {texts.by(actor.by)}{' '}
                    {!actor.isVerified && <Badge>{texts.notVerified}</Badge>}
                    {because !== null && <div className="quiet">{texts.because(because)}</div>}
                    {Object.entries(details).map(([name, value]) => (
                      <div className="quiet" key={name}>
                        {name}: {value}
                      </div>
                    ))}
                  </div>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Container>
  );
}
