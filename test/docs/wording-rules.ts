// Words that the project does not use, and what to write instead. `wording.slow.test.ts` applies the rules to
// documentation, comments, messages, test names and file names. A space in a pattern also matches a line break of a
// comment or paragraph.

export interface WordingRule {
  /** A regular expression, compared without regard to case. */
  readonly never: string;
  readonly write: string;
  /** Also refused inside identifiers: no other meaning of the word is used in code. */
  readonly inNames?: boolean;
}

export const wordingRules: readonly WordingRule[] = [
  // Rows, numbers and files
  { never: String.raw`\bmend(s|ed|ing)?\b`, write: 'fix, correct', inNames: true },
  { never: String.raw`\bjudg(e|es|ed|ing|e?ments?)\b`, write: 'validate, check', inNames: true },
  { never: String.raw`\bdrop(s|ped|ping)?\b`, write: 'upload, import; omit, remove' },
  { never: String.raw`\b(good|bad|held|broken) (lines?|rows?)\b`, write: 'valid, ready, blocking or blocked rows' },
  { never: String.raw`\bbad (PACs?|porting codes?|cells?)\b`, write: 'invalid PAC' },
  { never: String.raw`\blines? of (a|the|that|this|its|your|each|every|one) (port|request)\b`, write: 'row, number' },
  { never: String.raw`\b(every|each) line of (a|the|that|this|its|your) file\b`, write: 'every row of the file' },
  { never: String.raw`\bhostages?\b`, write: 'blocked rows', inNames: true },
  { never: String.raw`\bevict(s|ed|ing|ion|ions)?\b`, write: 'remove blocking rows', inNames: true },
  { never: String.raw`\bwithdr(aw|aws|awn|ew|awal|awals|awing)\b`, write: 'skipped, excluded', inNames: true },
  { never: String.raw`\b(columns?|names?|rows?|files?|anything) of (yours|ours)\b`, write: 'your own columns' },
  { never: String.raw`\blookup packs?\b`, write: 'reference data', inNames: true },

  // Outcomes and people
  { never: String.raw`\brefus(e|es|ed|al|als|ing)\b`, write: 'declined (service), rejected (import), invalid (row)' },
  { never: String.raw`\bin doubt\b`, write: 'outcome unknown', inNames: true },
  { never: String.raw`\bundecid(able|ed)\b`, write: 'outcome unknown', inNames: true },
  { never: String.raw`\bsomebody\b`, write: 'a person, or name who', inNames: true },
  { never: String.raw`\b(a person's|somebody's|the person's)\b`, write: 'action required' },
  { never: String.raw`\bneeds? (a person|people|someone)\b`, write: 'action required' },
  { never: String.raw`\bwait(s|ed|ing)? for (a person|people|someone)\b`, write: 'action required' },
  { never: String.raw`\b(needs?|wants?|requires?) attention\b|\battention\b`, write: 'action required' },
  { never: String.raw`\bneeds-human\b`, write: 'action-required', inNames: true },
  { never: String.raw`\bg(ive|ives|ave|iven|iving) up\b`, write: 'abandon, stop' },
  { never: String.raw`\bwish(es|ed|ing)?\b`, write: 'command, request', inNames: true },
  { never: String.raw`\bbec(omes?|ame) of\b`, write: 'happened to, result' },
  { never: String.raw`\bsettl(e|es|ed|ing)\b`, write: 'resolve, finish' },

  // Queues, calls and the service
  { never: String.raw`\bput(s|ting)? aside\b`, write: 'dead-lettered', inNames: true },
  { never: String.raw`\bg(ive|ives|ave|iven|iving) back\b`, write: 'requeue, redrive, return', inNames: true },
  { never: String.raw`\bput(s|ting)? off\b`, write: 'defer, requeue', inNames: true },
  { never: String.raw`\bpostpon(e|es|ed|ement|ing)\b`, write: 'requeue, defer', inNames: true },
  { never: String.raw`\bpac(e|es|ed|ing)\b(?! code)`, write: 'rate limit, token bucket', inNames: true },
  { never: String.raw`\bplaces? in (the )?line\b|\bstands? in line\b`, write: 'slot of the rate limiter' },
  { never: String.raw`\b(in|their|its|a) turns?\b`, write: 'one after another; scheduled run' },
  { never: String.raw`\bh(old|olds|eld|olding) back\b`, write: 'limited, delayed', inNames: true },
  { never: String.raw`\btroubles?\b`, write: 'failure, outage', inNames: true },
  { never: String.raw`\b(is|was|are|falls?) (ill|sick)\b`, write: 'unavailable' },
  { never: String.raw`\bdrift(s|ed|ing)?\b`, write: 'service mismatch', inNames: true },
  { never: String.raw`\brests\b|\brested\b|\bresting\b`, write: 'refresh throttle' },
  { never: String.raw`\blaps(e|es|ed|ing)\b`, write: 'expire' },
  {
    never: String.raw`\b(a|one|each|every|two|three|next|last|per|first|second|between|all|the) looks?\b`,
    write: 'read',
  },
  { never: String.raw`\blook(s|ed|ing)? at\b`, write: 'read, check' },

  // Systems do not talk
  { never: String.raw`\b(tell|tells|told|telling)\b`, write: 'notify, record, show' },
  { never: String.raw`\b(hear|hears|heard|hearing)\b`, write: 'receive' },
  { never: String.raw`\b(says|said|say)\b`, write: 'state, show, report, contain' },

  // The local environment
  { never: String.raw`\brehears(e|es|ed|al|als|ing)\b`, write: 'simulation, test', inNames: true },
  { never: String.raw`\bengines?\b`, write: 'emulator' },

  // Style
  { never: String.raw`\banew\b`, write: 'again', inNames: true },
  { never: String.raw`\bonce more\b`, write: 'again' },
  { never: String.raw`\bof (its|their|our|his|her|your) own\b`, write: 'its own X, a separate X' },
  { never: String.raw`\bstands?\b(?! for)|\bstood\b`, write: 'is, is listed' },
  { never: String.raw`\bwhence\b`, write: 'from where' },
  { never: String.raw`\bhouse\b`, write: 'project' },
  { never: String.raw`\bgists?\b|\bgist of\b`, write: 'summary', inNames: true },
];

export interface Allowance {
  /** The files in which the text is allowed. */
  readonly file: RegExp;
  readonly text: RegExp;
  readonly because: string;
}

/** True uses, each reviewed. An allowance that matches nothing fails the check. */
export const allowances: readonly Allowance[] = [
  { file: /^test\/docs\/wording/, text: /[\s\S]+/g, because: 'the rules and their samples' },
  {
    file: /./,
    text: /connections? (is |was |are |were )?refused|refused connections?|refuses? (the |a )?connections?/gi,
    because: 'a refused TCP connection is the standard term',
  },
  { file: /^package\.json$/, text: /"engines"/g, because: 'a field of npm' },
  { file: /^docs\/guides\/runbook\.md$/, text: /--revert-drift/g, because: 'an option of the AWS CDK' },
  { file: /^CHANGELOG\.md$/, text: /^\|.*\|$/gm, because: 'the table of renames lists old names' },
];
