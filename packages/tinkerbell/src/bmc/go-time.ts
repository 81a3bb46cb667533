const months = "January February March April May June July August September October November December".split(" ");
const days = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

const two = (value: number): string => String(value).padStart(2, "0");
const hour12 = (date: Date): number => date.getUTCHours() % 12 || 12;

/** The elements of a layout, the longer before those that they begin with. */
const elements: readonly (readonly [string, (date: Date) => string])[] = [
  ["January", (date) => months[date.getUTCMonth()]!],
  ["Jan", (date) => months[date.getUTCMonth()]!.slice(0, 3)],
  ["Monday", (date) => days[date.getUTCDay()]!],
  ["Mon", (date) => days[date.getUTCDay()]!.slice(0, 3)],
  ["MST", () => "UTC"],
  ["2006", (date) => String(date.getUTCFullYear()).padStart(4, "0")],
  ["Z07:00", () => "Z"],
  ["Z0700", () => "Z"],
  ["-07:00", () => "+00:00"],
  ["-0700", () => "+0000"],
  ["-07", () => "+00"],
  ["01", (date) => two(date.getUTCMonth() + 1)],
  ["02", (date) => two(date.getUTCDate())],
  ["03", (date) => two(hour12(date))],
  ["04", (date) => two(date.getUTCMinutes())],
  ["05", (date) => two(date.getUTCSeconds())],
  ["06", (date) => two(date.getUTCFullYear() % 100)],
  ["15", (date) => two(date.getUTCHours())],
  ["_2", (date) => String(date.getUTCDate()).padStart(2, " ")],
  ["1", (date) => String(date.getUTCMonth() + 1)],
  ["2", (date) => String(date.getUTCDate())],
  ["3", (date) => String(hour12(date))],
  ["4", (date) => String(date.getUTCMinutes())],
  ["5", (date) => String(date.getUTCSeconds())],
  ["PM", (date) => (date.getUTCHours() < 12 ? "AM" : "PM")],
  ["pm", (date) => (date.getUTCHours() < 12 ? "am" : "pm")],
];

const pattern = new RegExp(`[.,]0+(?!\\d)|[.,]9+(?!\\d)|${elements.map(([text]) => text).join("|")}`, "g");

const fraction = (element: string, date: Date): string => {
  const digits = `${String(date.getUTCMilliseconds()).padStart(3, "0")}000000`.slice(0, element.length - 1);
  if (element[1] === "0") return `${element[0]}${digits}`;
  const significant = digits.replace(/0+$/, "");
  return significant === "" ? "" : `${element[0]}${significant}`;
};

/** Formats a time, in UTC, by a layout of Go such as `2006-01-02T15:04:05Z07:00`. `now` is in milliseconds since the epoch. */
export const goTime = (now: number, layout: string): string => {
  const date = new Date(now);
  return layout.replace(pattern, (found) => {
    const known = elements.find(([text]) => text === found);
    return known === undefined ? fraction(found, date) : known[1](date);
  });
};
