// How the rows become ports: apart where a PAC expires soon, and how many on one day.
import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { strings } from '../../strings.ts';
import type { UploadSettings } from '../../upload/remembered-uploads.ts';

const counts = ['firstRows', 'perDay'] as const;
type Count = (typeof counts)[number];
export type PortSettings = Pick<UploadSettings, 'separateExpiringPacs' | Count>;

interface Props {
  readonly settings: PortSettings;
  readonly onChange: (settings: PortSettings) => void;
}

export function PortOptions({ settings, onChange }: Props) {
  const { separate } = strings.upload;
  const change = (name: Count, text: string) => {
    const count = Number(text.replace(/\D/g, '').slice(0, 6));
    const { [name]: _, ...others } = settings;
    onChange(count === 0 ? others : { ...others, [name]: count });
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
        {counts.map((name) => (
          <FormField key={name} label={strings.upload[name].label} description={strings.upload[name].description}>
            <Input
              inputMode="numeric"
              placeholder={strings.upload[name].none}
              value={settings[name]?.toString() ?? ''}
              onChange={({ detail }) => change(name, detail.value)}
            />
          </FormField>
        ))}
      </SpaceBetween>
    </Container>
  );
}
