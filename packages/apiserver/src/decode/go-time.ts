/** RFC 3339 as Go reads it: an hour may have one digit, a comma may stand for the point, letters are upper case. */
const pattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** Most times come as they are stored. */
const plain = {
  0: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/,
  6: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/,
} as const;

/** Go's zero time, which stands for none. */
const zero = "0001-01-01T00:00:00";

interface Fields {
  readonly date: Date;
  readonly offsetMinutes: number;
  readonly fraction: string;
}

const fieldsOf = (text: string): Fields | undefined => {
  const parts = pattern.exec(text);
  if (parts === null) return undefined;
  const number = (index: number): number => Number(parts[index] ?? 0);
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [offsetHours, offsetMinutes] = [number(9), number(10)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 24 || offsetMinutes > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second);
  const sign = parts[8] === "-" ? -1 : 1;
  return { date, offsetMinutes: sign * (60 * offsetHours + offsetMinutes), fraction: parts[7] ?? "" };
};

/**
 * A time as Kubernetes stores it, in UTC and with `digits` digits of a second: a `Time` has none, whatever it is written with, and a
 * `MicroTime` has to be written with its six. `null` for the zero time, `undefined` for what is no time.
 */
export const storedTime = (text: string, digits: 0 | 6): string | null | undefined => {
  const fields = fieldsOf(text);
  if (fields === undefined || (digits === 6 && fields.fraction.length !== 6)) return undefined;
  const { date, offsetMinutes, fraction } = fields;
  date.setUTCMinutes(date.getUTCMinutes() - offsetMinutes);
  const seconds = date.toISOString().slice(0, -".000Z".length);
  const rest = digits === 0 ? "" : `.${fraction}`;
  if (seconds === zero && !/[1-9]/.test(rest)) return null;
  return plain[digits].test(text) ? text : `${seconds}${rest}Z`;
};
