import { expect, it } from "vitest";
import { findingsOf } from "../../test/make-repository.ts";
import { longLinesRule } from "./long-lines.ts";

it("finds documents with lines of more than 300 characters", () => {
  const files = {
    "README.md": `${"a".repeat(300)}\n${"a".repeat(301)}\n`,
    "packages/kube/src/a.ts": `// ${"a".repeat(301)}\n`,
  };
  expect(findingsOf(longLinesRule, files)).toEqual([
    'tools/check/ratchet.json: "long lines of Markdown" occurs 1 times, at most 0 allowed: wrap prose at 120, split tables; at most 300',
  ]);
  const limit = { "tools/check/ratchet.json": '{ "long lines of Markdown": 1 }' };
  expect(findingsOf(longLinesRule, files, limit)).toEqual([]);
});
