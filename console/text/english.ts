// The texts of the console in English. The words are those of the command line and of results.csv.
import { texts as actions } from './en/actions.ts';
import { texts as columns } from './en/columns.ts';
import { texts as filesAndHistory } from './en/files-and-history.ts';
import { texts as frame } from './en/frame.ts';
import { texts as oneImport } from './en/import.ts';
import { texts as imports } from './en/imports.ts';
import { texts as loadingAndFailures } from './en/loading-and-failures.ts';
import { texts as numbersAndPorts } from './en/numbers-and-ports.ts';
import { texts as plan } from './en/plan.ts';
import { texts as report } from './en/report.ts';
import { texts as review } from './en/review.ts';
import { texts as saved } from './en/saved.ts';
import { texts as session } from './en/session.ts';
import { texts as simulator } from './en/simulator.ts';
import { texts as statuses } from './en/statuses.ts';
import { texts as upload } from './en/upload.ts';

export const english = {
  /** Of numbers and dates. */
  locale: 'en-GB',
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

/** What another language must have. */
export type Texts = typeof english;
