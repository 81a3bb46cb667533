import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseManifest, readManifests } from "./read-manifests.ts";

const none = (): undefined => undefined;
const parse = (text: string) => parseManifest(text, "m.yaml", none);

describe("manifests", () => {
  it("are split into objects with their places, lists taken apart", () => {
    const text =
      "# x\n---\napiVersion: v1\nkind: A\nmetadata: {name: a}\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: B, metadata: {name: b}}\n---\n";
    expect(parse(text).map(({ object, source }) => [object.kind, source])).toEqual([
      ["A", "m.yaml:3"],
      ["B", "m.yaml:7"],
    ]);
  });

  it.each([
    ["a: [", /m\.yaml:1: /],
    ["- x", /m\.yaml:1: not a Kubernetes object/],
    ["kind: A", /apiVersion is missing/],
    ["apiVersion: v1\nkind: A", /A: metadata\.name is missing/],
  ])("%j is refused", (text, message) => expect(() => parse(text)).toThrow(message));

  it("come from files and folders", () => {
    const folder = mkdtempSync(join(tmpdir(), "capstan-manifests-"));
    for (const name of ["b.yaml", "a.json"]) {
      writeFileSync(join(folder, name), JSON.stringify({ apiVersion: "v1", kind: "A", metadata: { name } }));
    }
    writeFileSync(join(folder, "note.txt"), "no manifest");
    expect(readManifests([folder], none).map(({ object }) => object.metadata.name)).toEqual(["a.json", "b.yaml"]);
    expect(() => readManifests([join(folder, "nope")], none)).toThrow(/-f .*nope: ENOENT/);
  });
});
