// Everything that requires an action by a person, the most urgent first.
import Container from '@cloudscape-design/components/container';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { Choice } from '../../components/choice.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Screen } from '../../components/screen.tsx';
import { strings } from '../../strings.ts';
import { ActionCard } from './action-card.tsx';

const filters = () => {
  const { everyone, me, nobody } = strings.actions.assignment;
  return [
    { value: '', label: everyone },
    { value: 'me', label: me },
    { value: 'nobody', label: nobody },
  ] as const;
};

export default function ActionsScreen() {
  const [assignedTo, setAssignedTo] = useState<'' | 'me' | 'nobody'>('');
  const read = useRead('listActions', assignedTo ? { query: { assignedTo } } : {});
  const texts = strings.actions;
  return (
    <Screen title={texts.title} description={texts.description}>
      <div className="filters">
        <Choice label={texts.assignment.filter} value={assignedTo} options={filters()} onChange={setAssignedTo} />
      </div>
      <Loaded read={read}>
        {({ actions, isIncomplete }) =>
          actions.length === 0 ? (
            <Container>
              <Empty {...(assignedTo === '' ? texts.empty : texts.assignment.empty)} />
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
