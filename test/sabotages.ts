// Defects of the product, and the tests that must fail with each: `npm run -s sabotage` puts them in, one by one.

export interface Sabotage {
  readonly file: string;
  /** In the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** The home of the rule in `test/`: at least one of these tests fails. */
  readonly tests: string;
}

type Line = readonly [from: string, to: string, tests: string];
const of = (file: string, ...lines: readonly Line[]): Sabotage[] =>
  lines.map(([from, to, tests]) => ({ file, from, to, tests }));

const request = 'shared/request';
const submit = 'functions/submit';

export const sabotages: readonly Sabotage[] = [
  // Nothing is sent twice: the states of a request.
  ...of(
    'shared/request/request-state.ts',
    ["item.state === 'planned' && !waitsForCancellation(item);", "item.state === 'planned';", request],
    ["item.state === 'planned' && !waitsForCancellation", 'isUnsent(item.state) && !waitsForCancellation', request],
    ['attempt: item.attempt + 1,', 'attempt: item.attempt,', request],
    ['intent.now + intent.leaseMs + intent.quietMs', 'intent.now + intent.leaseMs', request],
    ['if (!current) return undefined;', '', request],
    ['item.attempt === attempt && (item.state', '(item.state', request],
    ['if (allPortsOf(item).includes(portId)) return undefined;', '', request],
    ["item.state === 'in-flight' && item.attempt !== attempt;", 'false;', request],
    ['...(wasOver && { isLate: true })', '', request],
    ["dueAt: item.state === 'created' ? isoTime(now) : item.dueAt,", 'dueAt: item.dueAt,', request],
    ['hasUnknownAttempt: true,', '', request],
    ['portRows: undefined,\n  portDate: undefined,', '', request],
    ["search: { for: 'resend', absences: 1, failures: 0 },", '', request],
    ['formerPortIds: [...(item.formerPortIds ?? []), ...over],', '', request],
    [' || item.parts !== undefined) return undefined;', ') return undefined;', request],
    ['...(named && { named: [...named] })', '', request],
  ),
  ...of(
    'shared/request/number-claim.ts',
    ['if (holder?.duplicatePortIds !== undefined) return false;', '', request],
    [
      'holder === undefined || holder.endedAt !== undefined) return true;',
      'holder === undefined) return true;',
      request,
    ],
    ["(code === 'ROW_REFUSED' || hasSent(holder))", 'true', request],
    ["if (ported !== undefined) return { kind: 'ported', ported };", '', request],
    ['latest.message !== undefined || isRemoved(line, holder)', 'latest.message !== undefined', request],
    [
      "latest?.ended !== true || !isPortStatus(latest.status, 'Complete')",
      "!isPortStatus(latest?.status ?? '', 'Complete')",
      request,
    ],
  ),
  ...of(
    'shared/request/waiting-request.ts',
    ['...(isStopped(item) && { dueAt: undefined }),', '', request],
    [
      "ended({ ...item, state: 'skipped', lines, error: stoppedError }, now)",
      "ended({ ...item, state: 'skipped', lines }, now)",
      request,
    ],
    ['...(waitsForCancellation(item) && { dueAt: isoTime(now) }),', '', request],
  ),
  // One message is one call.
  ...of(
    'functions/submit/submit.ts',
    ["if (!maySend(item) && item.state !== 'scheduled') return 'not-mine';", '', submit],
    ["(request.state === 'scheduled' ? notMine : undefined) ??", '', submit],
    ['(isOfOtherAccount(request, pipeline) ? notMine : undefined) ??', '', 'functions/changed-account'],
    [
      '[claimRows, excludeUnlessMade, revalidateRows, waitForSlot, writeAheadRecord]',
      '[excludeUnlessMade, revalidateRows, waitForSlot, writeAheadRecord]',
      submit,
    ],
    [
      '[claimRows, excludeUnlessMade, revalidateRows, waitForSlot, writeAheadRecord]',
      '[claimRows, excludeUnlessMade, waitForSlot, writeAheadRecord]',
      submit,
    ],
    [
      '[claimRows, excludeUnlessMade, revalidateRows, waitForSlot, writeAheadRecord]',
      '[claimRows, excludeUnlessMade, revalidateRows, waitForSlot]',
      submit,
    ],
    [
      "stored !== undefined || next === undefined || end.how !== 'sent') return stored;",
      'true) return stored;',
      submit,
    ],
    ['if (waitMs > longestDelayMs) return recorded.state;', '', submit],
    ['known.port === undefined && !isOwn(known, observation, pipeline)', 'false', submit],
    ["return recorded !== 'conflict';", 'return true;', submit],
  ),
  ...of(
    'functions/submit/choose-rows.ts',
    ["submission.makes === 'port' && request.hasUnknownAttempt === true", 'false', submit],
    ['if (claim !== undefined && !isSameRequest(seen, claim)) held', 'if (false && claim) held', submit],
    ['if (submission.claims && number) claims', "if (number === '') claims", submit],
    ['line, ...firstLineOf(row) }', 'line }', submit],
    ['if (isPortingFailure(error)) return error;\n    throw error;', 'return error as PortingFailure;', submit],
  ),
  ...of(
    'functions/submit/held-claims.ts',
    ["prediction?.kind === 'in-progress' || ", '', submit],
    ["(prediction?.kind === 'ported' && alreadyPorted === 'error')", 'false', submit],
    ['{ ...claim, ...(ported && { ported }) }', 'claim', submit],
    [
      'if (await numbers.takeOver(seen, claim)) return undefined;',
      'await numbers.takeOver(seen, claim);\n  return undefined;',
      submit,
    ],
    ['return sendableAgain.has(outcome);', 'return true;', submit],
    ['if (isReplaced(claim)) return true;', '', submit],
  ),
  ...of(
    'functions/submit/send-request.ts',
    [
      'return request === undefined ? notMine : { ...attempt, request };',
      'return { ...attempt, request: request ?? next };',
      submit,
    ],
    [
      'if (isPortingFailure(error) && error.nothingWasDone) return error;',
      'if (isPortingFailure(error)) return error;',
      submit,
    ],
    ['attempt.day !== todayOf(validation)', 'false', submit],
    ['const isDoubtful = request.hasUnknownAttempt === true || isRepeat;', 'const isDoubtful = isRepeat;', submit],
    [
      'const isDoubtful = request.hasUnknownAttempt === true || isRepeat;',
      'const isDoubtful = request.hasUnknownAttempt === true;',
      submit,
    ],
    ["if (answer.kind !== 'changed') return answer;", 'return answer;', submit],
    ['if (!pipeline.settings.retryWithoutDeclined || others === 0) return {};', '', submit],
  ),
  ...of(
    'functions/submit/send-request.ts',
    ["if (isPortingFailure(portId)) return { kind: 'ambiguous', error };", '', submit],
    ['if (overtaken.length > 0)', 'if (overtaken.length > 1_000)', submit],
    ['[...(request.excludedRows ?? []), ...overtaken]', 'overtaken', submit],
  ),
  ...of('functions/submit/send-request.ts', [
    'lines.get(subject) ?? lines.get(msisdnKey(subject, callingCode))',
    'lines.get(subject)',
    submit,
  ]),
  // An unknown outcome is found out, never guessed.
  ...of(
    'functions/sync/unknown-outcomes/adopt-port.ts',
    [
      'if (!isPortOf(item.token, detail, numbers, pipeline.settings.callingCode)) return discard(item, detail, pipeline);',
      '',
      'functions/sync',
    ],
    [
      'if (rows === undefined || !isOf(request, port)) throw answer;',
      'if (rows === undefined || port === undefined) throw answer;',
      'functions/sync',
    ],
    [
      'return hasExactly(own, detail, callingCode) ? sent : undefined;',
      'return own.length > 0 ? sent : undefined;',
      'functions/sync',
    ],
    ['if (claimed.size !== sent.size) return undefined;', '', 'functions/sync'],
    ['claim.request !== request || !sent.has(claim.line)', 'claim.request !== request', 'functions/sync'],
    ['if (sent.size === 0 || inPort.size !== sent.size) return undefined;', '', 'functions/sync'],
  ),
  ...of(
    'functions/sync/unknown-outcomes/reconcile.ts',
    [
      'const repeatable = changes.filter((item) => !isExhausted(item));',
      'const repeatable = changes;',
      'functions/sync',
    ],
    ["state === 'unknown' || state === 'in-flight'", "state === 'unknown'", 'functions/sync'],
    ['(await requireAction(tickets, unknownTicket, run)) +', '', 'functions/sync'],
    ['submission.conflictsWithItself === true ?', 'submission.conflictsWithItself === undefined ?', 'functions/sync'],
  ),
  // A number is never in two ports at once.
  ...of(
    'functions/sync/ports/replace-ports.ts',
    ["if (stop === 'for-good') return decline(item, stoppedError, replaces, run);", '', 'functions/sync'],
    [
      "if ('kind' in ready) return decline(item, ready, replaces, run);",
      "if ('kind' in ready) return 'waits';",
      'functions/sync',
    ],
    ["isPortStatus(status, 'Cancelled') && replaces.cancelRequestedAt === undefined", 'false', 'functions/sync'],
    ["if ((await findEnd(replaces, run)) === undefined) return 'waits';", '', 'functions/sync'],
    [
      'if (!isCancellable(port.statusName)) return endWith(port.statusName, item, replaces, run);',
      '',
      'functions/sync',
    ],
    [
      'if (cancelRequestedAt === undefined) return decline(item, cancelledByOthers, replaces, run);',
      '',
      'functions/sync',
    ],
    ["if (stored === undefined) return 'waits';", '', 'functions/sync'],
  ),
  ...of(
    'shared/pipeline/observe-port.ts',
    ['numbers.length > 0 && inPort.size === numbers.length && numbers', 'numbers', 'functions/sync'],
    [
      'return named === undefined ? sent === undefined || hasExactly(sent, port, callingCode) : named === token;',
      'return named === undefined || named === token;',
      'shared/pipeline',
    ],
  ),
  ...of(
    'shared/port/port-change.ts',
    ['rows.length > 0 && rows.every(isRowLeaving)', 'rows.every(isRowLeaving)', 'shared/port'],
    [
      "if (command.action === 'cancel' && isPortStatus(port.statusName, 'Cancelled')) return cancelledBefore(command);",
      '',
      'shared/port',
    ],
    ["if (same && amend !== 'allowed') return 'done';", '', 'shared/port'],
    ['else if (!mayBeMade) rejected.set(number, madeBefore[action]);', '', 'shared/port'],
    [
      'return mayBeMade && isRowLeaving(row) && hasPac(row, pac)',
      'return isRowLeaving(row) && hasPac(row, pac)',
      'shared/port',
    ],
    ['command.whole || (port.rows.size > 0 && staying', 'command.whole || (staying', 'shared/port'],
  ),
  ...of(
    'shared/port/poll-schedule.ts',
    ['if (poll === null) return null;', '', 'shared/port'],
    ['return Math.min(port.now + wait, nextLandmark(port, daysLeft));', 'return port.now + wait;', 'shared/port'],
    ['daysLeft < -1 ? overdueInterval : ofDate', 'ofDate', 'shared/port'],
    ['page >= totalPages ? 2 : page + 1', 'page + 1', 'shared/port'],
  ),
  // What a failure of the service means.
  ...of(
    'shared/service/retry-policy.ts',
    ["if (method !== 'GET') return { again: false, because: 'not-a-read' };", '', 'shared/service'],
    ['408: noAnswer,', "408: both('declined'),", 'shared/service'],
    ["'3xx': { read: 'contract-broken', change: 'ambiguous' },", "'3xx': both('declined'),", 'shared/service'],
    ['if (elapsedMs + waitMs > policy.budgetMs)', 'if (false)', 'shared/service'],
    ['Math.min(Number(text) * 1000, longestDelayMs)', 'Number(text) * 1000', 'shared/service'],
  ),
  ...of(
    'shared/service/classify-response.ts',
    [
      'throw isRead(name) ? new Unavailable(outcome.reason, details) : new Ambiguous(outcome.reason, details);',
      'throw new Unavailable(outcome.reason, details);',
      'shared/service',
    ],
    ['if (!isRead(name) && !isOwnErrorShape(answer.text))', 'if (false)', 'shared/service'],
    [
      'isRead(name) ? new ContractBroken(message, details) : new Ambiguous(message, details)',
      'new ContractBroken(message, details)',
      'shared/service',
    ],
  ),
  // Who may approve, and what.
  ...of(
    'shared/import/approval.ts',
    ['if (item.planHash !== planHash) {', 'if (false) {', 'shared/import'],
    ["if (authors.some(({ id }) => id === '')) {", 'if (false) {', 'shared/import'],
    ['if (authors.length > mostAuthors) {', 'if (false) {', 'shared/import'],
    ['...ofSettings,', '', 'shared/import'],
    ['?? findAccountProblem(item, account) ??', '??', 'shared/import'],
    [
      'one !== undefined && one.provider === other?.provider && one.id === other.id',
      'one !== undefined && one.id === other?.id',
      'shared/import',
    ],
  ),
  ...of(
    'shared/import/import-state.ts',
    ['!planOnly || approvedAt !== undefined;', '!planOnly;', 'shared'],
    ["partOf.kind !== 'cancel' &&", '', 'shared'],
    ["(stop?.kind !== 'for-good' || kind === 'for-good');", 'true;', 'shared'],
    [
      'return known !== undefined && known.at > mark.at ? undefined :',
      'return known?.at === mark.at ? undefined :',
      'shared',
    ],
    ['Math.max(now, Date.parse(seen.at) + 1)', 'now', 'shared'],
  ),
  // The time-outs of AWS.
  ...of(
    'infra/derived-settings.ts',
    ['6 * functionTimeoutSeconds;', '5 * functionTimeoutSeconds;', 'infra/pipeline'],
    ['submitTimeoutSeconds(configuration) + 10;', 'submitTimeoutSeconds(configuration) + 9;', 'infra/pipeline'],
  ),
  // Nobody reads a code, a number or a secret where it must not be.
  ...of(
    'shared/row/redact.ts',
    ['redactShapes(truncate(text, longestBody * 4))', 'redactShapes(truncate(text, longestBody))', 'shared/row'],
    ["'newpac',", '', 'shared/row'],
    ['[credentials, namedCodes, britishCodes, frenchCodes]', '[credentials, namedCodes, frenchCodes]', 'shared/row'],
    ['[credentials, namedCodes, britishCodes, frenchCodes]', '[credentials, namedCodes, britishCodes]', 'shared/row'],
    ['[credentials, namedCodes, britishCodes, frenchCodes]', '[namedCodes, britishCodes, frenchCodes]', 'shared/row'],
  ),
  ...of(
    'shared/row/pac.ts',
    ['if (isBritish) return parseUkPac(code);', '', 'shared/row'],
    ['if (hasForm(code, stacForm)) {', 'if (false) {', 'shared/row'],
    ['code.slice(9) === rioKey(code.slice(0, 9), national)', 'true', 'shared/row'],
    [".replace(/^'/, '')", '', 'shared/row'],
  ),
  ...of('shared/outcome/port-snapshot.ts', [
    "isPortStatus(portStatusName, 'Cancelled') ? [[], []] : [rows, shown]",
    '[rows, shown]',
    'shared/outcome/port-snapshot',
  ]),
  // A correction sends what was not sent, and nothing is rejected by an old list.
  ...of(
    'shared/results/outcomes-by-line.ts',
    ['...invalid, ', '', 'shared/results'],
    ['found.push(...items);', 'found.push(...items);\n    break;', 'shared/results'],
  ),
  ...of(
    'shared/results/file-rows.ts',
    ['issues.some(saysLeftOut) ? leftOutResult : undefined', 'undefined', 'shared/results'],
    [
      'hasRowsOfFirst(item) ? findCorrectionMark(header) : undefined',
      'findCorrectionMark(header)',
      'functions/report/write-files',
    ],
  ),
  ...of('shared/results/answered-rows.ts', [
    'isChanged: part.cells !== undefined',
    'isChanged: false',
    'functions/ingest/correction',
  ]),
  ...of(
    'functions/ingest/correction.ts',
    ['of answers.changed()) sent.add(', 'of []) sent.add(', 'functions/ingest/correction'],
    ['...named, ...repeated.map(({ line }) => line)', '...named', 'functions/ingest/correction'],
    ['answered.get(line)?.isChanged === false', 'answered.has(line)', 'functions/ingest/correction'],
    ['isAnswered, importId, keepUniqueValues(pipeline)', 'isAnswered, importId', 'functions/ingest/correction'],
  ),
  ...of('shared/request/request-state.ts', ['mayBeRepeated(item) ? rowsLeftOut(item) : ', '', 'functions/ingest']),
  ...of('functions/ingest/plan/plan-batch.ts', [' && validator.renew()', ' && false', 'functions/ingest']),
  ...of('shared/results/results.ts', [
    'isObjectGone(error) ? await openWrittenResults(reader, first) : undefined',
    'undefined',
    'shared/results',
  ]),
  ...of('shared/results/rejected-rows.ts', [
    'return correctedLinesOf(await openIndexedResults(reader, item.importId));',
    'return new Set();',
    'shared/results',
  ]),
  ...of('shared/results/actions.ts', [" && item.partOf?.kind !== 'pacs'", '', 'shared/results']),
  ...of('shared/operations/catalogue.ts', [
    'for (const list of Object.values(lists)) list.forget();',
    '',
    'functions/ingest',
  ]),
  ...of('functions/ingest/release.ts', [
    '  if (changes !== undefined) await imports.update(first.importId, changes);',
    '',
    'functions/ingest/correction',
  ]),
];
