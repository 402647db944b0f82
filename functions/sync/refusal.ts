// A decision that was not carried out: nothing was changed.
import type { DecisionAnswer } from '#shared/domain/decision.ts';

export const refusal = (why: string, advice: string): DecisionAnswer => ({ decided: false, why, advice });

export const overtaken = refusal('something else changed it meanwhile', 'look at it again before deciding');
