import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { managementAccess, meantFolder } from "./management-access.ts";
import { rememberedSimulators } from "./up/simulator-places.ts";

const home = mkdtempSync(join(tmpdir(), "capstan-meant-"));
const folder = join(home, "capstan");
const elsewhere = join(home, "elsewhere");
beforeAll(() => {
  mkdirSync(folder);
  writeFileSync(join(folder, "kubeconfig"), "");
  const cloud = { name: "linode", variables: {}, control: "http://127.0.0.1:7", cloud: { endpoint: "" } };
  writeFileSync(join(folder, "simulators.json"), JSON.stringify([cloud]));
});
afterAll(() => rmSync(home, { recursive: true }));

const none = { kubeconfig: undefined, dataDir: undefined };

it.each([
  ["no KUBECONFIG", {}, none, folder],
  ["KUBECONFIG set to nothing", { KUBECONFIG: "" }, none, folder],
  ["KUBECONFIG of separators alone", { KUBECONFIG: ":" }, none, folder],
  ["KUBECONFIG", { KUBECONFIG: "/x/kubeconfig" }, none, undefined],
  ["--kubeconfig", {}, { ...none, kubeconfig: "/x/kubeconfig" }, undefined],
  ["--data-dir", { KUBECONFIG: "/x/kubeconfig" }, { ...none, dataDir: elsewhere }, elsewhere],
])("with %s, the folder whose management API is meant is as expected", (_, variables, chosen, expected) => {
  expect(meantFolder(chosen, { XDG_DATA_HOME: home, ...variables })).toBe(expected);
});

it.each([
  ["set to nothing: in the usual folder", "", 1],
  ["of several files: beside the first", `${folder}/kubeconfig:/x/kubeconfig`, 1],
  ["of another place: nowhere", "/x/kubeconfig", 0],
])("looks for simulators with KUBECONFIG %s", (_, KUBECONFIG, count) => {
  expect(rememberedSimulators(none, { XDG_DATA_HOME: home, KUBECONFIG })).toHaveLength(count);
});

it("blames the flag that was given where there is no management API", async () => {
  const chosen = { ...none, dataDir: elsewhere, context: undefined };
  await expect(managementAccess(chosen, {})).rejects.toThrow(
    `--data-dir ${elsewhere}: ${elsewhere}/kubeconfig does not exist: capstan up has not run there`,
  );
});
