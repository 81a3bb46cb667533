/** Value of a plain scalar in Go's yaml.v2; `undefined` for a text. */
export type GoScalar = { readonly value: boolean | null | number | bigint };

const words = new Map<string, boolean | null | number>([
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map((word) => [word, true] as const),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map((word) => [word, false] as const),
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, Number.NaN] as const),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map((word) => [word, Infinity] as const),
  ...["-.inf", "-.Inf", "-.INF"].map((word) => [word, -Infinity] as const),
]);

const integerForm =
  /^(?<sign>[-+]?)(?:0[xX](?<hex>[\da-fA-F]+)|0[bB](?<bin>[01]+)|0[oO]?(?<oct>[0-7]+)|(?<dec>0|[1-9]\d*))$/;
const floatForm = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const dateForm =
  /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:[.,]\d+)?(?:Z|[-+]\d{2}:\d{2})| \d{1,2}:\d{1,2}:\d{1,2}(?:[.,]\d+)?)?$/;
const base60Form = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;

const [least, most] = [-(2n ** 63n), 2n ** 64n - 1n];

const integerOf = (text: string): number | bigint | undefined => {
  const { bin, dec, hex, oct, sign = "" } = integerForm.exec(text)?.groups ?? {};
  const digits = [hex && `0x${hex}`, bin && `0b${bin}`, oct && `0o${oct}`, dec].find((each) => each !== undefined);
  if (digits === undefined || digits.length > 100) return undefined;
  const value = BigInt(digits) * (sign === "-" ? -1n : 1n);
  if (value < least || value > most) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
};

/** True for a date of the calendar, which Go does not write as a plain text. */
const isDate = (text: string): boolean => {
  if (!dateForm.test(text)) return false;
  const [year = 0, month = 0, day = 0, ...time] = (text.match(/\d+/g) ?? []).map(Number);
  const [hour = 0, minute = 0, second = 0] = time;
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= lastDay && hour < 24 && minute < 60 && second < 60;
};

/** Returns what a plain scalar stands for, in YAML 1.1 as Go's yaml.v2 reads it: `yes` is true, `0600` is octal, dates are texts. */
export const goScalar = (text: string): GoScalar | undefined => {
  const word = words.get(text);
  if (word !== undefined) return { value: word };
  if (!/^[-+.\d]/.test(text)) return undefined;
  if (text.startsWith(".")) return floatForm.test(text) ? { value: Number(text) } : undefined;
  const plain = text.replaceAll("_", "");
  const integer = integerOf(plain);
  if (integer !== undefined) return { value: integer };
  return floatForm.test(plain) ? { value: Number(plain) } : undefined;
};

/** Returns whether Go's yaml.v2 writes a text without quotes as far as its meaning goes: nothing would read it as something else. */
export const isPlainForGo = (text: string): boolean =>
  goScalar(text) === undefined && !isDate(text) && !base60Form.test(text);
