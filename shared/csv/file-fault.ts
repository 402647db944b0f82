// Ends the reading of a file from deep inside a stream; the reader turns it back into the issue it carries.
import type { Issue, IssueCode } from '#shared/domain/issue.ts';

export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly issue: Issue;

  constructor(code: IssueCode, message: string, line = 0) {
    super(message);
    this.issue = { line, column: null, code, message, severity: 'error' };
  }
}
