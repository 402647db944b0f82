// Everything that requires an action by a person, the most urgent first.
import Container from '@cloudscape-design/components/container';
import { useRead } from '../../api/queries.ts';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Screen } from '../../components/screen.tsx';
import { strings } from '../../strings.ts';
import { ActionCard } from './action-card.tsx';

export default function ActionsScreen() {
  const read = useRead('listActions', {});
  const texts = strings.actions;
  return (
    <Screen title={texts.title} description={texts.description}>
      <Loaded read={read}>
        {({ actions, isIncomplete }) =>
          actions.length === 0 ? (
            <Container>
              <Empty {...texts.empty} />
            </Container>
          ) : (
            <>
              <ul className="import-list">
                {actions.map((action) => (
                  <li key={`${action.kind} ${action.id}`}>
                    <ActionCard action={action} />
                  </li>
                ))}
              </ul>
              {isIncomplete && <p className="quiet">{texts.incomplete}</p>}
            </>
          )
        }
      </Loaded>
    </Screen>
  );
}
