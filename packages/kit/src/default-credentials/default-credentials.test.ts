import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readCredentialsFile } from "./credentials-file.ts";
import { requireDefaultCredentials } from "./require-default-credentials.ts";

it.each([
  [undefined, "team-a", true],
  [{ namespaces: "*" as const }, "team-a", true],
  [{ namespaces: [] }, "team-a", false],
  [{ namespaces: ["team-a"] }, "team-a", true],
  [{ namespaces: ["team-a"] }, "team-b", false],
  [{ namespaces: ["team-a"] }, "", false],
])("with %j those of the namespace %j may use them: %j", (choice, namespace, allowed) => {
  const ask = (): void => requireDefaultCredentials(choice, namespace, "the token");
  if (allowed) expect(ask()).toBeUndefined();
  else expect(ask).toThrow(/--default-credentials-namespaces/);
});

let root: string;
const message = expect.objectContaining({
  code: "default_credentials.file_refused",
  message: expect.stringMatching(/^spec\.certPath: file not allowed; .*--credentials-folder/) as string,
}) as Error;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "capstan-credentials-"));
  for (const folder of ["given/inner", "given-too"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "outside.pem"), "outside");
  writeFileSync(join(root, "given-too/near.pem"), "outside");
  writeFileSync(join(root, "given/inner/inside.pem"), "inside");
  writeFileSync(join(root, "given/largest"), Buffer.alloc(65_536));
  writeFileSync(join(root, "given/large"), Buffer.alloc(65_537));
  symlinkSync("../outside.pem", join(root, "given/link-out"));
  symlinkSync("inner/inside.pem", join(root, "given/link-in"));
  symlinkSync("..", join(root, "given/up"));
  symlinkSync("/dev/zero", join(root, "given/zero"));
  spawnSync("mkfifo", [join(root, "given/pipe")]);
});
afterAll(() => rmSync(root, { recursive: true }));

const read = (path: string): Promise<Buffer> =>
  readCredentialsFile({ folder: join(root, "given") }, path, "spec.certPath");

it("reads regular files below the folder, by whole and by relative paths and through links that stay inside", async () => {
  for (const path of ["inner/inside.pem", join(root, "given/inner/inside.pem"), "link-in", "inner/../link-in"]) {
    expect((await read(path)).toString()).toBe("inside");
  }
  expect((await read("largest")).length).toBe(65_536);
});

it.each([
  "../outside.pem",
  "/dev/zero",
  "/dev/stdin",
  "/etc/passwd",
  "/etc/no-such-file",
  "no-such-file",
  "inner",
  ".",
  "",
  "large",
  "link-out",
  "zero",
  "pipe",
  "up/outside.pem",
  "../given-too/near.pem",
  "inner/inside.pem\0",
])("refuses %j with the words of every other", async (path) => {
  await expect(read(path)).rejects.toThrow(message);
});

it("reads none without a folder", async () => {
  const path = join(root, "given/inner/inside.pem");
  await expect(readCredentialsFile({}, path, "spec.certPath")).rejects.toThrow(message);
  await expect(readCredentialsFile(undefined, "/dev/zero", "spec.certPath")).rejects.toThrow(message);
});
