import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import { publishedManifest } from "@capstan/guest";
import { parseManifest } from "../src/manifest/read-manifests.ts";
import { createProgram } from "../src/program.ts";
import { applyManifests } from "../src/up/apply.ts";
import type { Simulated, TestSystem } from "./test-system.ts";

/**
 * Paths of upstream's published templates for a cloud: in the folder that `<CLOUD>_TEMPLATES` names, or in `data/manifests/<cloud>` of a
 * folder beside the repository. None are part of it; where there are none, a line says so.
 */
export const upstreamTemplates = (cloud: string): readonly string[] => {
  const variable = `${cloud.toUpperCase()}_TEMPLATES`;
  const beside = join(import.meta.dirname, "../../../..");
  const folder =
    process.env[variable] ??
    readdirSync(beside)
      .map((each) => join(beside, each, "data/manifests", cloud))
      .find((each) => existsSync(each));
  const files = folder === undefined ? [] : readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  if (files.length === 0) {
    console.log(`upstream's templates for ${cloud} are skipped: ${variable} names no folder that has them`);
  }
  return files.map((file) => join(folder ?? "", file));
};

interface Wanted {
  readonly version: string;
  /** Those that a template does not have are left out. */
  readonly variables: Readonly<Record<string, string>>;
}

/** What `capstan generate cluster orchid --from FILE` makes of a template, with two workers, as text for `apply`. */
export const generated = async (file: string, { version, variables }: Wanted): Promise<string> => {
  let [said, wrong] = ["", ""];
  const program = createProgram({ write: (text) => void (said += text), writeError: (text) => void (wrong += text) });
  const template = readFileSync(file, "utf8");
  const values = Object.entries(variables)
    .filter(([name]) => template.includes(`\${${name}`))
    .flatMap(([name, value]) => ["--set", `${name}=${value}`]);
  const wanted = ["--from", file, "--kubernetes-version", version, "--workers", "2", ...values];
  expect(await program.run(["generate", "cluster", "orchid", ...wanted]), wrong).toBe(0);
  // What is left are variables of shells: kubectl would leave them as they are, capstan up is told to.
  return said.replaceAll("${", () => "$${");
};

const raw = "https://raw.githubusercontent.com";

/** Where the add-ons of upstream's templates are published as manifests. */
export const published = {
  cilium: `${raw}/cilium/cilium/v1.18.4/install/kubernetes/quick-install.yaml`,
  calico: `${raw}/projectcalico/calico/v3.31.2/manifests/calico.yaml`,
  linodeController: `${raw}/linode/linode-cloud-controller-manager/main/deploy/ccm-linode-template.yaml`,
  azureController: `${raw}/kubernetes-sigs/cloud-provider-azure/v1.34.3/examples/out-of-tree/cloud-controller-manager.yaml`,
  azureNodes: `${raw}/kubernetes-sigs/cloud-provider-azure/v1.34.3/examples/out-of-tree/cloud-node-manager.yaml`,
} as const;

/**
 * Applies add-ons to the only cluster, as its user would do where nothing serves HelmChartProxies. `values`: what their templates leave open,
 * which is written as bytes. `controlPlaneRole`: the value that the label `node-role.kubernetes.io/control-plane` has on servers, "true" with
 * k3s and RKE2.
 */
export const installAddons = async (
  { clock, running }: TestSystem<Simulated>,
  addons: readonly (keyof typeof published)[],
  {
    controlPlaneRole = "",
    ...values
  }: Readonly<Record<string, string>> & { readonly controlPlaneRole?: "" | "true" } = {},
): Promise<void> => {
  const [{ path } = expect.fail("there is no kubeconfig")] = await running.workloadKubeconfigs();
  const workload = connect({ access: await loadKubeconfig({ file: path }), clock });
  const text = addons
    .map((name) => publishedManifest(published[name]) ?? expect.fail(name))
    .join("\n---\n")
    .replaceAll(
      'node-role.kubernetes.io/control-plane: ""',
      `node-role.kubernetes.io/control-plane: "${controlPlaneRole}"`,
    )
    .replaceAll(/\{\{ \.Values\.(\w+)B64 \}\}/g, (_, name: string) =>
      Buffer.from(values[name] ?? expect.fail(name)).toString("base64"),
    );
  const manifests = parseManifest(text, "add-ons", () => undefined);
  const { signal } = new AbortController();
  await applyManifests(manifests, { client: createClient(workload), clock, signal, namespace: "default" });
  await workload.close();
};
