// A column that the rows need and the file lacks: they are invalid because of it, and it can be chosen.

import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { columnLabel } from '#shared/text/wording.ts';
import { useRead } from '../../api/queries.ts';
import { strings } from '../../strings.ts';

export function AbsentColumns({ importId }: { readonly importId: string }) {
  const { data } = useRead('listProblems', { path: { importId }, query: { severity: 'error' } });
  const { absent } = strings.import;
  return data?.groups.map(({ code, column, isInFile, rows }) =>
    column === null || isInFile || !isRequired(code) ? null : (
      <Alert
        key={column}
        type="error"
        action={
          <Button variant="primary" href={`#/imports/${importId}/columns`}>
            {absent.act}
          </Button>
        }
      >
        {absent.title(columnLabel(column), rows)}
      </Alert>
    ),
  );
}

const isRequired = (code: string): boolean => code.endsWith('_REQUIRED');
