import { paint } from "../colours.ts";
import { labelling, type Row } from "@capstan/inspect";
import { plainText } from "@capstan/kube-values";

export interface FrameOptions {
  readonly columns: number;
  /** Lines of the terminal. */
  readonly height: number;
  readonly colour: boolean;
  /** The last line: totals and times; none when it is empty. */
  readonly summary: string;
}

const cut = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, Math.max(0, width - 1))}${width > 0 ? "…" : ""}` : text;

/** Names of one set differ at their end. */
const cutWithin = (text: string, width: number): string => {
  const end = Math.min(10, Math.floor(width / 3));
  return text.length > width ? `${text.slice(0, Math.max(0, width - end - 1))}…${text.slice(-end)}` : text;
};

const cell = (text: string, width: number): string => cut(text, width).padEnd(width);

const longest = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length));

/** The mark and the blanks between cells. */
const margins = 4;
const widestState = 20;
const narrowestDetail = 16;

/** Puts unfinished rows first where there is no room for all. */
const fitting = (rows: readonly Row[], room: number): readonly Row[] => {
  if (rows.length <= room) return rows;
  return [...rows.filter(({ done }) => !done), ...rows.filter(({ done }) => done)].slice(0, Math.max(0, room - 1));
};

const moreText = (rows: readonly Row[], shown: readonly Row[]): string => {
  const hidden = rows.length - shown.length;
  const open = rows.filter(({ done }) => !done).length - shown.filter(({ done }) => !done).length;
  return `${hidden} more${open === 0 ? "" : `, ${open} not ready`}`;
};

/** The lines of a table that fits the terminal: none is wider, and there are fewer than it has. */
export const frameOf = (
  rows: readonly Row[],
  { columns, height, colour, summary }: FrameOptions,
): readonly string[] => {
  // The cursor stands on a line of its own, and what was said last stays in sight.
  const room = Math.max(1, height - 2 - (summary === "" ? 0 : 1));
  const shown = fitting(rows, room);
  const labelOf = labelling(rows);
  const labels = shown.map((row) => plainText(labelOf(row)));
  const stateWidth = Math.min(widestState, longest(shown.map(({ state }) => state)), Math.floor(columns / 3));
  const besides = columns - margins - stateWidth;
  const detailed = shown.some(({ detail }) => detail !== "") && besides >= 2 * narrowestDetail;
  const nameWidth = Math.min(longest(labels), detailed ? besides - narrowestDetail : besides);
  const lines = shown.map(({ state, detail, done }, index) => {
    const mark = done ? paint("✔", "green", colour) : paint("…", "yellow", colour);
    const text = cut(plainText(detail), columns - margins - nameWidth - stateWidth - 1);
    const cells = `${cutWithin(labels[index] ?? "", nameWidth).padEnd(nameWidth)} ${cell(plainText(state), stateWidth)}`;
    return text.length < 2 ? `${mark} ${cells.trimEnd()}` : `${mark} ${cells} ${paint(text, "dim", colour)}`;
  });
  const more = shown.length < rows.length ? [paint(cut(`  ${moreText(rows, shown)}`, columns - 1), "dim", colour)] : [];
  return [...lines, ...more, ...(summary === "" ? [] : [cut(summary, columns - 1)])];
};
