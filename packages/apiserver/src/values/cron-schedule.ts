import { maxDurationNanos, parseDuration } from "@capstan/kube-values";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

interface Field {
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

/** Minute, hour, day of the month, month, day of the week. */
const fields: readonly Field[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: months },
  { least: 0, most: 6, names: days },
];

const numberOf = (text: string, { least, names = [] }: Field): number => {
  const named = names.indexOf(text.toLowerCase());
  return named >= 0 ? named + least : /^\+?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
};

const isRange = (text: string, field: Field): boolean => {
  const [range = "", step, ...more] = text.split("/");
  const [first = "", last, ...rest] = range.split("-");
  if (more.length > 0 || (step !== undefined && !/^\+?0*[1-9]\d{0,8}$/.test(step))) {
    return false;
  }
  if (first === "*" || first === "?") {
    // Whatever follows a dash is not looked at.
    return true;
  }
  if (rest.length > 0) {
    return false;
  }
  const [from, to] = [numberOf(first, field), numberOf(last ?? first, field)];
  return from >= field.least && to <= field.most && from <= to;
};

/** Returns whether Go reads the text as a duration. */
const isDuration = (text: string): boolean => {
  const nanos = parseDuration(text);
  return nanos !== undefined && nanos <= maxDurationNanos && nanos >= -maxDurationNanos - 1n;
};

/** The ranges of a list; nothing between two commas counts as nothing. */
const listed = (part: string): readonly string[] => part.split(",").filter((range) => range !== "");

const macros = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/** Returns whether the text is a schedule of five fields, a word such as `@hourly`, or `@every` with a duration. */
export const isCronSchedule = (text: string): boolean => {
  if (text.startsWith("@")) {
    return macros.includes(text) || (text.startsWith("@every ") && isDuration(text.slice(7)));
  }
  const parts = text.trim().split(/\s+/);
  return (
    parts.length === fields.length &&
    parts.every((part, index) => listed(part).every((range) => isRange(range, fields[index] as Field)))
  );
};
