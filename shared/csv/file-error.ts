// Ends the reading of a file from inside a stream. `readCsv` returns the issue that it carries.
import { errorAt, type Issue, type IssueCode } from '#shared/row/issue.ts';

export class FileError extends Error {
  override readonly name = 'FileError';
  readonly issue: Issue;

  constructor(code: IssueCode, message: string, line = 0) {
    super(message);
    this.issue = errorAt(line, code, message);
  }
}
