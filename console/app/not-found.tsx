// An address without a screen.
import Button from '@cloudscape-design/components/button';
import { Empty } from '../components/empty.tsx';
import { strings } from '../strings.ts';

export const NotFound = () => (
  <Empty
    title={strings.notFound.title}
    text={strings.notFound.text}
    actions={<Button href="#/">{strings.notFound.toImports}</Button>}
  />
);
