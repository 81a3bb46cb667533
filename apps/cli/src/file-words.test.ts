import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { whyUnreadable, whyUnwritable } from "./file-words.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-words-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "file"), "");

const failureOf = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
};

it.each([
  ["none", "no such file"],
  ["file/below", "part of the path is not a folder"],
  [".", "it is a folder"],
])("says why %s cannot be read", (path, words) => {
  expect(whyUnreadable(failureOf(() => readFileSync(join(folder, path))))).toBe(words);
});

it.each([
  ["none/file", `there is no folder ${folder}/none`],
  ["file/below", "part of the path is not a folder"],
  [".", "it is a folder"],
])("says why %s cannot be written", (path, words) => {
  const place = join(folder, path);
  expect(
    whyUnwritable(
      failureOf(() => writeFileSync(place, "")),
      place,
    ),
  ).toBe(words);
});

it("repeats what it has no words for", () => {
  const odd = failureOf(() => mkdirSync(join(folder, "file")));
  expect(whyUnreadable(odd)).toMatch(/^EEXIST: /);
  expect(whyUnwritable(odd, folder)).toMatch(/^EEXIST: /);
});
