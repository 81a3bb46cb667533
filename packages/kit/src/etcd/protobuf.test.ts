import { expect, it } from "vitest";
import { decode, encode, messagesIn, numberIn, textIn } from "./protobuf.ts";

const inner = Buffer.concat([encode([[1, 18_446_744_073_709_551_615n]]), Buffer.from([0x12, 2]), Buffer.from("cp")]);
const outer = Buffer.concat([Buffer.from([0x12, inner.length]), inner, encode([[5, true]])]);

it("reads what it wrote, with numbers of 64 bits", () => {
  const [member] = messagesIn(decode(outer), 2);
  expect(numberIn(member!, 1)).toBe(18_446_744_073_709_551_615n);
  expect(textIn(member!, 2)).toBe("cp");
  expect(numberIn(decode(outer), 5)).toBe(1n);
  expect(numberIn(decode(outer), 9)).toBe(0n);
});

it("refuses a message that ends too early", () => {
  expect(() => decode(outer.subarray(0, 5))).toThrow(RangeError);
  expect(() => decode(Buffer.from([0x0b]))).toThrow(RangeError);
});
