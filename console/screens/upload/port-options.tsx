// How the rows become ports: apart where a PAC expires soon, and how many on one day.
import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { strings } from '../../strings.ts';
import type { UploadSettings } from '../../upload/remembered-uploads.ts';

export type PortSettings = Pick<UploadSettings, 'separateExpiringPacs' | 'perDay'>;

interface Props {
  readonly settings: PortSettings;
  readonly onChange: (settings: PortSettings) => void;
}

export function PortOptions({ settings, onChange }: Props) {
  const { separate, perDay } = strings.upload;
  const changePerDay = (text: string) => {
    const count = Number(text.replace(/\D/g, '').slice(0, 6));
    const { perDay: _, ...others } = settings;
    onChange(count === 0 ? others : { ...others, perDay: count });
  };
  return (
    <Container>
      <SpaceBetween size="m">
        <Checkbox
          checked={settings.separateExpiringPacs === true}
          description={separate.description}
          onChange={({ detail }) => onChange({ ...settings, separateExpiringPacs: detail.checked })}
        >
          {separate.label}
        </Checkbox>
        <FormField label={perDay.label} description={perDay.description}>
          <Input
            inputMode="numeric"
            placeholder={perDay.none}
            value={settings.perDay?.toString() ?? ''}
            onChange={({ detail }) => changePerDay(detail.value)}
          />
        </FormField>
      </SpaceBetween>
    </Container>
  );
}
