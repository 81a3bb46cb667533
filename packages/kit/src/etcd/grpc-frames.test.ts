import { expect, it } from "vitest";
import { Frames } from "./grpc-frames.ts";

const frame = (message: string): Buffer => {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, Buffer.from(message)]);
};

it("cuts what arrives into messages, however it is divided", () => {
  const frames = new Frames();
  const bytes = Buffer.concat([frame("one"), frame("two")]);
  const found = [...bytes].flatMap((byte) => frames.take(Buffer.of(byte)).map(String));
  expect(found).toEqual(["one", "two"]);
  expect(frames.isEmpty).toBe(true);
});

it("keeps no message that does not end", () => {
  const frames = new Frames();
  const part = Buffer.alloc(2 ** 20);
  part.writeUInt32BE(2 ** 31, 1);
  expect(() => {
    for (let parts = 0; parts < 8; parts++) frames.take(part);
  }).toThrow("too long");
});
