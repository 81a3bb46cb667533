import type { Dice } from "./dice.ts";

/** Texts that mean something somewhere, or should not. */
export const oddTexts: readonly string[] = [
  "",
  " ",
  "a",
  "A",
  "__proto__",
  "constructor",
  "toString",
  "../x",
  "a/b",
  "a.b/c",
  "*",
  "-1",
  "0",
  "1.5",
  "9223372036854775808",
  "NaN",
  "true",
  "null",
  "1h",
  "1Ki",
  "1e400",
  "50%",
  "2026-01-01T00:00:00Z",
  "2026-13-45T99:99:99Z",
  "10.0.0.1",
  "::1",
  "10.0.0.0/8",
  "=a,!b",
  "a in (",
  "{.spec.x[*]}",
  "self.x == (",
  "(((((",
  "^(a+)+$",
  "system:masters",
  "\u0000",
  "\ud800",
  "\u2028",
  "ü",
  "😀",
  "x".repeat(300),
  "default",
  "v1",
  "Widget",
  "https://127.0.0.1:1/x",
];

/** Numbers at the edges of what holds them. */
const oddNumbers: readonly (number | bigint)[] = [
  0,
  -0,
  1,
  -1,
  0.5,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  9223372036854775807n,
  -9223372036854775808n,
  18446744073709551616n,
  1e308,
  65_536,
];

/** Any JSON value at all; integers may be a bigint. */
export const oddValue = (dice: Dice, depth = 0): unknown => {
  switch (dice.below(depth > 3 ? 5 : 8)) {
    case 0:
      return null;
    case 1:
      return dice.oneIn(2);
    case 2:
    case 3:
      return dice.pick(oddTexts);
    case 4:
      return dice.pick(oddNumbers);
    case 5:
      return Array.from({ length: dice.below(4) }, () => oddValue(dice, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: dice.below(4) }, () => [dice.pick(oddTexts), oddValue(dice, depth + 1)]),
      );
  }
};
