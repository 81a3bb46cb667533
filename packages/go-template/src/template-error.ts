/** Where in a template something stands, from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A template that cannot be read or rendered. Its message begins like one of Go: `template: NAME:LINE:COLUMN:`. */
export class TemplateError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(name: string, { line, column }: Position, problem: string, cause?: unknown) {
    super(`template: ${name}:${line}:${column}: ${problem}`, cause === undefined ? undefined : { cause });
    this.name = "TemplateError";
    this.line = line;
    this.column = column;
  }
}
