import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { expectEndWithoutReader, start } from "./closed-pipe.ts";

describe("when nobody reads its output, the command ends without a word", () => {
  // What says little, much, and continues; `npm run test:exhaustive` has more.
  it.each(["--help", "install --print", "up --in-memory"])("capstan %s", expectEndWithoutReader);

  it("also when it is the log that nobody reads", async () => {
    const child = start("up --in-memory --log-level debug");
    child.stderr.destroy();
    const [status, signal] = (await once(child, "close")) as [number | null, string | null];
    expect({ status, signal }).toEqual({ status: expect.any(Number) as number, signal: null });
  });
});
