import type { Row } from "./row.ts";

/** Where progress is shown. */
export interface View {
  /** A line that stays. */
  say(event: {
    readonly type: string;
    readonly text: string;
    readonly fields?: Readonly<Record<string, unknown>>;
  }): void;
  /** The present state of every object, in the order to show them. `changed` are those that differ from the last call. */
  rows(rows: readonly Row[], changed: readonly Row[]): void;
  /** Leaves the screen as it is. */
  close(): void;
}

export interface Output {
  write(text: string): void;
  /** Width of the terminal; absent when there is none. */
  readonly columns?: number;
  readonly height?: number;
}

const textOf = (row: Row): string =>
  `${row.kind}/${row.name}  ${row.state}${row.detail === "" ? "" : `  ${row.detail}`}`;

/** One plain line for everything that happens: for logs and pipes. */
export const lineView = (output: Output): View => ({
  say: ({ text }) => output.write(`${text}\n`),
  rows: (_, changed) => {
    for (const row of changed) output.write(`${textOf(row)}\n`);
  },
  close: () => undefined,
});

/** One JSON object per line. */
export const jsonView = (output: Output, now: () => string): View => ({
  say: ({ type, text, fields }) => output.write(`${JSON.stringify({ time: now(), type, message: text, ...fields })}\n`),
  rows: (_, changed) => {
    for (const row of changed) output.write(`${JSON.stringify({ time: now(), type: "object", ...row })}\n`);
  },
  close: () => undefined,
});

const colour = (code: number, text: string): string => `\u001B[${code}m${text}\u001B[0m`;

const cell = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text.padEnd(width);

/** A table that is drawn over itself, with the lines that stay above it. */
export const liveView = (output: Output): View => {
  let drawn = 0;
  let last: readonly Row[] = [];
  const clear = (): void => {
    if (drawn > 0) output.write(`\u001B[${drawn}A\u001B[0J`);
    drawn = 0;
  };
  const draw = (): void => {
    const width = output.columns ?? 100;
    const room = Math.max(1, (output.height ?? 40) - 2);
    // What is done makes room first when the terminal is short.
    const shown =
      last.length <= room
        ? last
        : [...last.filter((row) => !row.done), ...last.filter((row) => row.done)].slice(0, room);
    const nameWidth = Math.min(52, Math.max(20, ...shown.map((row) => row.kind.length + row.name.length + 1)));
    for (const row of shown) {
      const mark = row.done ? colour(32, "✔") : colour(33, "…");
      const detail = cell(row.detail, Math.max(0, width - nameWidth - 20)).trimEnd();
      output.write(
        `${mark} ${cell(`${row.kind}/${row.name}`, nameWidth)} ${cell(row.state, 14)} ${colour(2, detail)}\n`,
      );
    }
    drawn = shown.length;
  };
  return {
    say: ({ text }) => {
      clear();
      output.write(`${text}\n`);
      draw();
    },
    rows: (rows) => {
      last = rows;
      clear();
      draw();
    },
    close: () => {
      drawn = 0;
    },
  };
};
