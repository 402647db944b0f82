// Any counterexample kills a mutant. Shrinking it takes minutes and adds nothing.
import fc from 'fast-check';

fc.configureGlobal({ endOnFailure: true });
