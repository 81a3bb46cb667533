import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "@capstan/testing";
import { afterAll, expect, it } from "vitest";
import { manifestFolders } from "./manifest-folders.ts";

const root = mkdtempSync(join(tmpdir(), "capstan-folders-"));
afterAll(() => rmSync(root, { recursive: true }));

const object = (name: string): string => JSON.stringify({ apiVersion: "v1", kind: "A", metadata: { name } });

it("opens regular files of the folder, and nothing else", () => {
  const folder = join(root, "manifests");
  mkdirSync(join(folder, "..data"), { recursive: true });
  writeFileSync(join(root, "outside.yaml"), object("outside"));
  writeFileSync(join(folder, "own.yaml"), object("own"));
  // As Kubernetes mounts a ConfigMap.
  writeFileSync(join(folder, "..data", "linked.yaml"), object("linked"));
  symlinkSync(join("..data", "linked.yaml"), join(folder, "linked.yaml"));
  symlinkSync(join("..", "outside.yaml"), join(folder, "out.yaml"));
  symlinkSync("/dev/zero", join(folder, "zero.yaml"));
  symlinkSync("nowhere", join(folder, "dangling.yaml"));
  mkdirSync(join(folder, "folder.yaml"));
  execFileSync("mkfifo", [join(folder, "pipe.yaml")]);
  const source = manifestFolders([folder], { clock: fakeClock(), variables: () => undefined });
  const { objects, problems } = source.read();
  expect(objects.map((item) => item.object.metadata.name)).toEqual(["linked", "own"]);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(/dangling\.yaml: it is a broken link; fix or remove it$/),
    expect.stringMatching(/folder\.yaml: it is not a regular file/),
    expect.stringMatching(/out\.yaml: it is a link that leaves the folder/),
    expect.stringMatching(/pipe\.yaml: it is not a regular file/),
    expect.stringMatching(/zero\.yaml: it is a link that leaves the folder/),
  ]);
});
