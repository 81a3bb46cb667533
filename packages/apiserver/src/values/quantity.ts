import { changed, type Part, partOf } from "./object-parts.ts";

type Form = "decimal" | "binary" | "exponent";

/** An amount of a resource: thousandths, rounded up as Kubernetes does for amounts of resources, and how it is written. */
interface Quantity {
  readonly millis: bigint;
  readonly form: Form;
}

const pattern = /^(-?)(\d{1,30}\.?\d{0,30}|\.\d{1,30})([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,2})?$/;
const decimalSuffixes = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

const divideUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

const formOf = (suffix: string): Form =>
  binarySuffixes.indexOf(suffix) > 0 ? "binary" : /^[eE]./.test(suffix) ? "exponent" : "decimal";

/** `undefined` for what is no quantity, or one that is written unusually. */
const parse = (value: unknown): Quantity | undefined => {
  const isNumber = typeof value === "number" || typeof value === "bigint";
  const found = pattern.exec(isNumber ? String(value) : typeof value === "string" ? value.trim() : "");
  if (found === null) {
    return undefined;
  }
  const [, sign, number = "", suffix = ""] = found;
  const form = formOf(suffix);
  const [whole = "", fraction = ""] = number.split(".");
  const factor = form === "binary" ? 1n << BigInt(10 * binarySuffixes.indexOf(suffix)) : 1n;
  const exponent =
    form === "exponent" ? Number(suffix.slice(1)) : form === "binary" ? 0 : 3 * (decimalSuffixes.indexOf(suffix) - 3);
  const scale = 3 + exponent - fraction.length;
  const digits = BigInt(whole + fraction) * factor;
  const millis = scale >= 0 ? digits * 10n ** BigInt(scale) : divideUp(digits, 10n ** BigInt(-scale));
  return { millis: sign === "-" ? -millis : millis, form };
};

const reduced = (value: bigint, base: bigint, most: number): { readonly mantissa: bigint; readonly steps: number } => {
  let mantissa = value;
  let steps = 0;
  while (mantissa !== 0n && mantissa % base === 0n && steps < most) {
    mantissa /= base;
    steps++;
  }
  return { mantissa, steps };
};

const written = ({ millis, form }: Quantity): string => {
  const isWhole = millis % 1000n === 0n;
  const isLarge = millis >= 1_024_000n || millis <= -1_024_000n;
  if (form === "binary" && isWhole && isLarge) {
    const { mantissa, steps } = reduced(millis / 1000n, 1024n, 6);
    return `${mantissa}${binarySuffixes[steps]}`;
  }
  const { mantissa, steps } = reduced(millis, 1000n, 7);
  const exponent = 3 * (mantissa === 0n ? 0 : steps - 1);
  if (form === "exponent") {
    return exponent === 0 ? String(mantissa) : `${mantissa}e${exponent}`;
  }
  return `${mantissa}${mantissa === 0n ? "" : decimalSuffixes[steps + 2]}`;
};

/** The one way in which Kubernetes writes an amount: `1024Mi` is `1Gi`, `0.5` is `500m`. What cannot be read is left as it is. */
export const canonicalQuantity = (value: unknown): unknown => {
  const quantity = parse(value);
  return quantity === undefined ? value : written(quantity);
};

/** Amounts by resource, each in its canonical form. */
export const canonicalAmounts = (amounts: unknown): Part =>
  Object.fromEntries(Object.entries(partOf(amounts)).map(([name, amount]) => [name, canonicalQuantity(amount)]));

/** Requests and limits in canonical form. */
export const canonicalResources = (resources: unknown): Part =>
  changed(changed(partOf(resources), "limits", canonicalAmounts), "requests", canonicalAmounts);

/** Thousandths of the amount; `undefined` for what is no quantity. */
export const millisOf = (value: unknown): bigint | undefined => parse(value)?.millis;
