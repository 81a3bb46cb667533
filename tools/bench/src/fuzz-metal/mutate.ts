import type { Random } from "@capstan/contract";

export const below = (random: Random, end: number): number => Math.floor(random.next() * end);

export const pick = <T>(random: Random, values: readonly T[]): T => values[below(random, values.length)]!;

const odd = [0, 1, 0x0a, 0x0d, 0x20, 0x25, 0x2f, 0x7f, 0x80, 0xff];

/** The share of inputs that stay as they were made, so that some get far. */
const untouched = 0.4;

/** The same bytes with some changed, taken away, doubled or cut off; sometimes unchanged. */
export const mutate = (random: Random, bytes: Buffer): Buffer => {
  let result = Buffer.from(bytes);
  if (random.next() < untouched) return result;
  for (let count = below(random, 5); count > 0 && result.length > 0; count -= 1) {
    const at = below(random, result.length);
    const length = 1 + below(random, 8);
    switch (below(random, 6)) {
      case 0:
        result[at] = below(random, 256);
        break;
      case 1:
        result[at] = pick(random, odd);
        break;
      case 2:
        result = Buffer.concat([result.subarray(0, at), result.subarray(at + length)]);
        break;
      case 3:
        result = Buffer.concat([result.subarray(0, at + length), result.subarray(at)]);
        break;
      case 4:
        result = Buffer.concat([result.subarray(0, at), Buffer.from(random.bytes(length)), result.subarray(at)]);
        break;
      default:
        result = result.subarray(0, at);
    }
  }
  return result;
};
