// The texts of the console in German.
import { texts as actions } from './de/actions.ts';
import { texts as columns } from './de/columns.ts';
import { texts as filesAndHistory } from './de/files-and-history.ts';
import { texts as frame } from './de/frame.ts';
import { texts as oneImport } from './de/import.ts';
import { texts as imports } from './de/imports.ts';
import { texts as loadingAndFailures } from './de/loading-and-failures.ts';
import { texts as numbersAndPorts } from './de/numbers-and-ports.ts';
import { texts as plan } from './de/plan.ts';
import { texts as report } from './de/report.ts';
import { texts as review } from './de/review.ts';
import { texts as saved } from './de/saved.ts';
import { texts as session } from './de/session.ts';
import { texts as simulator } from './de/simulator.ts';
import { texts as statuses } from './de/statuses.ts';
import { texts as upload } from './de/upload.ts';
import type { Texts } from './english.ts';

export const german: Texts = {
  locale: 'de-DE',
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
