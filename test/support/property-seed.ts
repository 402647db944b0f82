// The properties try the same examples in each run, so that a change, and not chance, makes one of them fail. Another
// seed tries others: `PROPERTY_SEED=7 npx vitest run test/shared`.

import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
