// A mutant is killed by any counterexample: looking for the smallest one takes minutes and tells nothing more.
import fc from 'fast-check';

fc.configureGlobal({ endOnFailure: true });
