import type { Clock, Random } from "@capstan/contract";

const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const encoded = (value: bigint, length: number): string =>
  Array.from({ length }, (_, index) => letters[Number((value >> BigInt(5 * (length - 1 - index))) & 31n)]).join("");

/** An id that sorts by the time at which it was made: 48 bits of milliseconds and 80 of chance, in 26 characters. */
export const ulid = (clock: Clock, random: Random): string => {
  const chance = random.bytes(10).reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
  return encoded(BigInt(Math.floor(clock.now())), 10) + encoded(chance, 16);
};
