/** Which kind of suffix a quantity is written with: `500m`, `1Gi` or `5e2`. */
export type QuantityForm = "decimal" | "binary" | "exponent";

/** A quantity, exact to a billionth, and how it is written. */
export interface Quantity {
  readonly nanos: bigint;
  readonly form: QuantityForm;
}

/** Digits may be missing altogether, as `-` and `.` are nothing for Kubernetes; an empty text is not. */
const pattern = /^(?=.)([+-]?)(\d*\.?\d*)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;
const decimalSuffixes = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const maxLength = 1000;
const maxExponent = 400;

const formOf = (suffix: string): QuantityForm =>
  binarySuffixes.indexOf(suffix) > 0 ? "binary" : /^[eE]./.test(suffix) ? "exponent" : "decimal";

/** Divides a number that is not negative, rounding up. */
const divideUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

/** Reads a quantity such as `1.5Gi`, `500m` or `2e3`; `undefined` when it is none. What is finer than a billionth is rounded away from zero. */
export const parseQuantity = (text: string): Quantity | undefined => {
  const found = text.length > maxLength ? null : pattern.exec(text);
  if (found === null) return undefined;
  const [, sign, number = "", suffix = ""] = found;
  const form = formOf(suffix);
  const [whole = "", fraction = ""] = number.split(".");
  const factor = form === "binary" ? 1n << BigInt(10 * binarySuffixes.indexOf(suffix)) : 1n;
  const exponent =
    form === "exponent" ? Number(suffix.slice(1)) : form === "binary" ? 0 : 3 * (decimalSuffixes.indexOf(suffix) - 3);
  if (Math.abs(exponent) > maxExponent) return undefined;
  const digits = BigInt(whole + fraction) * factor;
  const scale = 9 + exponent - fraction.length;
  const nanos = scale >= 0 ? digits * 10n ** BigInt(scale) : divideUp(digits, 10n ** BigInt(-scale));
  return { nanos: sign === "-" ? -nanos : nanos, form };
};

/** Thousandths of a quantity, rounded away from zero, as Kubernetes takes amounts of resources. */
export const millisOf = ({ nanos }: Quantity): bigint =>
  nanos < 0n ? -divideUp(-nanos, 1_000_000n) : divideUp(nanos, 1_000_000n);

/** A quantity as a plain number, as near as there is one. */
export const numberOfQuantity = ({ nanos }: Pick<Quantity, "nanos">): number => Number(nanos) / 1e9;

const reduced = (value: bigint, base: bigint, most: number): { readonly mantissa: bigint; readonly steps: number } => {
  let mantissa = value;
  let steps = 0;
  while (mantissa !== 0n && mantissa % base === 0n && steps < most) {
    mantissa /= base;
    steps++;
  }
  return { mantissa, steps };
};

/** The one way in which Kubernetes writes an amount of a resource: `1024Mi` is `1Gi`, `0.5` is `500m`. */
export const formatQuantity = (quantity: Quantity): string => {
  const millis = millisOf(quantity);
  const isWhole = millis % 1000n === 0n;
  const isLarge = millis >= 1_024_000n || millis <= -1_024_000n;
  if (quantity.form === "binary" && isWhole && isLarge) {
    const { mantissa, steps } = reduced(millis / 1000n, 1024n, 6);
    return `${mantissa}${binarySuffixes[steps]}`;
  }
  const { mantissa, steps } = reduced(millis, 1000n, 7);
  const exponent = 3 * (mantissa === 0n ? 0 : steps - 1);
  if (quantity.form === "exponent") return exponent === 0 ? String(mantissa) : `${mantissa}e${exponent}`;
  return `${mantissa}${mantissa === 0n ? "" : decimalSuffixes[steps + 2]}`;
};
