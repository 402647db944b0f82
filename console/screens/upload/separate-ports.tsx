// Whether numbers whose PAC expires soon go to separate ports.
import Checkbox from '@cloudscape-design/components/checkbox';
import { strings } from '../../strings.ts';

interface Props {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export const SeparatePorts = ({ checked, onChange }: Props) => (
  <Checkbox
    checked={checked}
    description={strings.upload.separate.description}
    onChange={({ detail }) => onChange(detail.checked)}
  >
    {strings.upload.separate.label}
  </Checkbox>
);
