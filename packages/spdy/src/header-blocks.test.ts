import { describe, expect, it } from "vitest";
import { headerReader, headerWriter } from "./header-blocks.ts";

/** Headers of two frames as client-go sends them, without their heads; the second refers back to the first. */
const ofClientGo = [
  "78f9e3c6a7c202253a48f95b044eea46c6e6960c0c0c9c4590f8ca04a5634603704a2c294a4dcc851636aca9a0a800000000ffff",
  "225333a8a44a04000000ffff",
].map((hex) => Buffer.from(hex, "hex"));

const headersOf = (streamtype: string) => ({ port: "2379", requestid: "0", streamtype });

describe("header blocks", () => {
  it("are read as Go's clients write them", () => {
    const read = headerReader();
    expect(ofClientGo.map(read)).toEqual([headersOf("error"), headersOf("data")]);
  });

  it("are read as they are written, one after the other", () => {
    const [read, write] = [headerReader(), headerWriter()];
    for (const headers of [headersOf("error"), {}, { name: "ä".repeat(1000) }]) {
      expect(read(write(headers))).toEqual(headers);
    }
  });

  it("are written so that Go's servers and clients hand out each of them", () => {
    const write = headerWriter();
    expect([write({}), write({})].map((block) => block.toString("hex"))).toEqual([
      "7801" + "000400fbff00000000" + "000000ffff",
      "000400fbff00000000" + "000000ffff",
    ]);
  });

  it.each([
    { what: "what is not deflate data", block: "78f9e3c6a7c2ffffffff", why: "cannot be decompressed" },
    { what: "an end inside a word", block: "780100 0600 f9ff 00000001 0000 0000ffff", why: "" },
    {
      what: "a name that is not in lower case",
      block: "780100 0d00 f2ff 00000001 00000001 41 00000000 0000ffff",
      why: "lower case",
    },
  ])("are refused with $what", ({ block, why }) => {
    const bytes = Buffer.from(block.replaceAll(" ", ""), "hex");
    expect(() => headerReader()(bytes)).toThrow(RangeError);
    expect(() => headerReader()(bytes)).toThrow(why);
  });

  it("are refused when they are much larger than they look", () => {
    expect(() => headerReader()(headerWriter()({ a: "a".repeat(40_000) }))).toThrow("cannot be decompressed");
  });
});
