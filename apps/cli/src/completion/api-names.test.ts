import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { apiNames } from "./api-names.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "capstan-names-"));
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_DATA_HOME", join(home, "data"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

/** A kubeconfig with contexts. */
const kubeconfig = (path: string, ...contexts: readonly string[]): string => {
  const file = join(home, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, JSON.stringify({ contexts: contexts.map((name) => ({ name })) }));
  return file;
};

it("offers the contexts of every kubeconfig that kubectl would read", async () => {
  kubeconfig(".kube/config", "home");
  vi.stubEnv("KUBECONFIG", "");
  expect(await apiNames.contexts({})).toEqual(["home"]);
  const files = [kubeconfig("a", "one", "two"), join(home, "missing"), kubeconfig("b", "two", "three")];
  vi.stubEnv("KUBECONFIG", files.join(":"));
  expect(await apiNames.contexts({})).toEqual(["one", "two", "three"]);
  expect(await apiNames.contexts({ "--kubeconfig": kubeconfig("c", "four") })).toEqual(["four"]);
});

it("offers the contexts of the management API that is meant", async () => {
  kubeconfig(".kube/config", "home");
  kubeconfig("state/kubeconfig", "capstan");
  vi.stubEnv("KUBECONFIG", undefined);
  expect(await apiNames.contexts({ "--data-dir": join(home, "state") })).toEqual(["capstan"]);
});
