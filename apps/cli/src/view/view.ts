import { labelling, type Row } from "@capstan/inspect";
import { plainLines, plainText } from "@capstan/kube-values";

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
}

const textOf = (row: Row, label: string): string =>
  `${label}  ${row.state}${row.detail === "" ? "" : `  ${row.detail}`}`;

/** One plain line for everything that happens: for logs and pipes. */
export const lineView = (output: Output): View => ({
  say: ({ text }) => output.write(`${plainLines(text)}\n`),
  rows: (rows, changed) => {
    const labelOf = labelling([...rows, ...changed]);
    for (const row of changed) output.write(`${plainText(textOf(row, labelOf(row)))}\n`);
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
