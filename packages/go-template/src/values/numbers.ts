const brand: unique symbol = Symbol("float64");

/** A float of Go whose value is whole: JavaScript would take it for an integer. */
interface WholeFloat {
  readonly [brand]: true;
  readonly value: number;
}

const isWholeFloat = (value: unknown): value is WholeFloat =>
  typeof value === "object" && value !== null && brand in value;

/** A float of Go: a number that is not whole as it is, a whole one in a form of its own. */
export const float = (value: number): unknown => (Number.isInteger(value) ? { [brand]: true, value } : value);

export const isFloat = (value: unknown): boolean =>
  isWholeFloat(value) || (typeof value === "number" && !Number.isInteger(value));

/** Integers are numbers, or a bigint where a number cannot hold them. */
export const isInteger = (value: unknown): value is number | bigint =>
  typeof value === "bigint" || Number.isInteger(value);

/** The value of any number. */
export const toNumber = (value: unknown): number => (isWholeFloat(value) ? value.value : Number(value));

/** An integer of 64 bits; what goes beyond wraps around, as in Go. */
export const int64 = (value: bigint): number | bigint => {
  const wrapped = BigInt.asIntN(64, value);
  return Number.isSafeInteger(Number(wrapped)) ? Number(wrapped) : wrapped;
};

/** An exponent has two digits at least in Go. */
export const goExponent = (text: string): string => text.replace(/e([+-])(\d)$/, "e$10$2");

/** A float as Go prints it: as short as can be, with an exponent from 1e6 and below 1e-4. */
export const floatText = (value: number): string => {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (Object.is(value, -0)) return "-0";
  if (value === 0) return "0";
  const exponential = value.toExponential();
  const exponent = Number(exponential.slice(exponential.indexOf("e") + 1));
  if (exponent < -4 || exponent >= 6) return goExponent(exponential);
  const digits = exponential.slice(0, exponential.indexOf("e")).replace(/[-.]/g, "").length;
  return value.toFixed(Math.max(0, digits - 1 - exponent));
};
