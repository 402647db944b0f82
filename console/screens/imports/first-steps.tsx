// What a person sees before the first import.
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import { useMay, useSession } from '../../app/session.tsx';
import { Empty } from '../../components/empty.tsx';
import { strings } from '../../strings.ts';
import { useLoadExample } from '../simulator/use-load-example.ts';

export function FirstSteps() {
  const { kind, simulated } = useSession().environment;
  const mayUpload = useMay('uploader');
  const mayLoadExample = useMay('operator') && kind === 'local' && simulated;
  const { load, isLoading } = useLoadExample();
  const { empty, upload } = strings.imports;
  return (
    <Container>
      <Empty
        title={empty.title}
        text={empty.text}
        actions={
          <>
            {mayUpload && (
              <Button variant="primary" iconName="upload" href="#/upload">
                {upload}
              </Button>
            )}
            {mayLoadExample && (
              <Button loading={isLoading} onClick={load}>
                {empty.example}
              </Button>
            )}
          </>
        }
      />
    </Container>
  );
}
