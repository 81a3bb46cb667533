import { expect, it } from "vitest";
import { cutFrom, replacedIn } from "./patched-stream.ts";

const search = Buffer.from("MAGIC");
const replace = Buffer.from("patch");

const pieces = async function* (text: string, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
};

const joined = async (source: AsyncIterable<Buffer>): Promise<string> => {
  const all: Buffer[] = [];
  for await (const each of source) all.push(each);
  return Buffer.concat(all).toString();
};

const text = "aaMAGICbbbbbbMAGICMAGICcMAGI";

it.each([1, 2, 3, 4, 5, 7, 100])("replaces wherever it stands, in pieces of %i", async (size) => {
  expect(await joined(replacedIn(pieces(text, size), { search, replace }))).toBe("aapatchbbbbbbpatchpatchcMAGI");
});

it("cuts what was asked for, and ends the source", async () => {
  let isEnded = false;
  const source = async function* (): AsyncGenerator<Buffer> {
    try {
      for (const each of ["0123", "4567", "89ab", "cdef"]) yield Buffer.from(each);
    } finally {
      isEnded = true;
    }
  };
  expect(await joined(cutFrom(source(), { skip: 3, length: 6 }))).toBe("345678");
  expect(isEnded).toBe(true);
});
