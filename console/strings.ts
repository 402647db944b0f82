// Every text of the console. The words are those of the command line and of results.csv.
import { texts as actions } from './text/actions.ts';
import { texts as columns } from './text/columns.ts';
import { texts as filesAndHistory } from './text/files-and-history.ts';
import { texts as frame } from './text/frame.ts';
import { texts as oneImport } from './text/import.ts';
import { texts as imports } from './text/imports.ts';
import { texts as loadingAndFailures } from './text/loading-and-failures.ts';
import { texts as numbersAndPorts } from './text/numbers-and-ports.ts';
import { texts as plan } from './text/plan.ts';
import { texts as report } from './text/report.ts';
import { texts as review } from './text/review.ts';
import { texts as saved } from './text/saved.ts';
import { texts as session } from './text/session.ts';
import { texts as simulator } from './text/simulator.ts';
import { texts as statuses } from './text/statuses.ts';
import { texts as upload } from './text/upload.ts';

export const strings = {
  ...frame,
  ...session,
  ...loadingAndFailures,
  ...statuses,
  ...imports,
  ...oneImport,
  ...plan,
  ...filesAndHistory,
  ...upload,
  ...columns,
  ...saved,
  ...review,
  ...actions,
  ...numbersAndPorts,
  ...report,
  ...simulator,
};
