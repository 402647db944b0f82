// Moves ports to another date: a new import cancels them and creates them again on that date.
import DatePicker from '@cloudscape-design/components/date-picker';
import FormField from '@cloudscape-design/components/form-field';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useCommand } from '../../api/use-command.ts';
import { Dialog } from '../../components/dialog.tsx';
import { strings } from '../../strings.ts';

interface Props {
  readonly importId: string;
  /** All of the import where empty. */
  readonly requests: readonly number[];
  readonly onClose: () => void;
}

export function RescheduleDialog({ importId, requests, onClose }: Props) {
  const [, navigate] = useLocation();
  const [kind, setKind] = useState('auto');
  const [date, setDate] = useState('');
  const { rescheduling } = strings;
  const reschedule = useCommand('rescheduleImport', {
    failed: rescheduling.failed,
    onSuccess: (answer) => {
      onClose();
      navigate(`/imports/${answer.importId}`);
    },
    isInDialog: true,
  });
  const run = () =>
    reschedule.run({
      path: { importId },
      body: { date: kind === 'auto' ? 'auto' : date, ...(requests.length === 0 ? {} : { requests: [...requests] }) },
    });
  return (
    <Dialog
      title={rescheduling.title(requests.length)}
      onClose={onClose}
      problem={reschedule.problem}
      confirm={{
        text: rescheduling.confirm,
        run,
        isRunning: reschedule.isRunning,
        isDisabled: kind === 'date' && date === '',
      }}
    >
      <SpaceBetween size="m">
        <p>{rescheduling.text}</p>
        <RadioGroup
          value={kind}
          ariaLabel={rescheduling.date}
          items={[
            { value: 'auto', label: rescheduling.auto, description: rescheduling.autoDescription },
            { value: 'date', label: rescheduling.chosen },
          ]}
          onChange={({ detail }) => setKind(detail.value)}
        />
        {kind === 'date' && (
          <FormField label={rescheduling.date}>
            <DatePicker
              value={date}
              format="iso"
              placeholder="YYYY-MM-DD"
              onChange={({ detail }) => setDate(detail.value)}
            />
          </FormField>
        )}
      </SpaceBetween>
    </Dialog>
  );
}
