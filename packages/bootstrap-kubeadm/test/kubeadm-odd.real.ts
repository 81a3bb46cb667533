import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiVersionOf } from "@capstan/schema";
import { recentClock } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { KubeadmConfig } from "../src/api.ts";
import { webhooks } from "../src/admission/webhooks.ts";
import { kubeadmConfigAuthor } from "../src/config/kubeadm-config.ts";
import { authorContext } from "./author-context.ts";
import { startConfigServer, type ConfigServer } from "./config-server.ts";
import { ask, kubeadm, kubeadmMissing } from "./kubeadm-programs.ts";
import { certificates, clusterOf, createSecrets, machineOf, type MachineInput } from "./machine-scene.ts";
import { everyRole, oddArguments, oddSpecs, refusedSpecs, roles, specOf } from "./odd-specs.ts";
import { ensureNamespace } from "./own-workload.ts";

interface KubeadmDocument {
  readonly kind: string;
  readonly apiServer?: Component;
  readonly controllerManager?: Component;
  readonly scheduler?: Component;
  readonly nodeRegistration?: { readonly kubeletExtraArgs?: Arguments };
}
interface Component {
  readonly extraArgs?: Arguments;
}
type Arguments = readonly { readonly name: string; readonly value: string }[];

const byName = (list: Arguments = []): Arguments => list.toSorted((a, b) => (a.name < b.name ? -1 : 1));

const missing = kubeadmMissing();

const etcdClient = oddSpecs["an external etcd"];

describe.skipIf(missing !== undefined)("the real kubeadm takes what is odd", () => {
  const clock = recentClock();
  let configs: ConfigServer;
  let folder: string;
  let version: string;
  let count = 0;
  beforeAll(async () => {
    configs = await startConfigServer(clock);
    folder = mkdtempSync(join(tmpdir(), "capstan-kubeadm-odd-"));
    version = (await ask(kubeadm, ["version", "--output=short"])).text.trim();
  });
  afterAll(async () => {
    await configs.stop();
    rmSync(folder, { recursive: true });
  });

  /** The file for kubeadm in the document of a machine whose spec admission has taken. */
  const fileOf = async (input: MachineInput): Promise<string> => {
    const { client } = configs;
    const namespace = `odd-${(count += 1)}`;
    await ensureNamespace(client, namespace);
    await createSecrets(client, namespace, { ...certificates, ...input.secrets });
    const metadata = { namespace, name: "m" };
    const { spec } = input;
    const wanted = { apiVersion: apiVersionOf(KubeadmConfig), kind: "KubeadmConfig", metadata, ...(spec && { spec }) };
    const webhook = webhooks.find(({ kind }) => kind.kind === "KubeadmConfig");
    expect(await webhook?.validate?.(wanted, { find: async () => undefined })).toEqual([]);
    const object = await client.create<KubeadmConfig>(KubeadmConfig, wanted);
    const objects = { object, machine: machineOf(namespace, input), cluster: clusterOf(namespace, input) };
    const author = kubeadmConfigAuthor({ tokenTtlMs: 900_000, concurrency: 1 });
    const outcome = await author.generate(authorContext({ client, clock }, objects));
    if (outcome.state !== "ready") throw new Error(`it waits: ${outcome.message}`);
    const text = String(outcome.value).replaceAll(/\{\{ ds\..*?\}\}/g, "m");
    const { write_files: files } = parse(text, { version: "1.1" }) as {
      readonly write_files: readonly { readonly path: string; readonly content: string }[];
    };
    return files.find(({ path }) => path.startsWith("/run/kubeadm/"))?.content ?? "";
  };

  /** What kubeadm says of a file. */
  const validate = async (content: string) => {
    const file = join(folder, "kubeadm.yaml");
    writeFileSync(file, content.replaceAll(/^kubernetesVersion: .*$/gm, `kubernetesVersion: ${version}`));
    return { file, ...(await ask(kubeadm, ["config", "validate", "--config", file])) };
  };

  const rows = Object.entries(oddSpecs).flatMap(([title, odd]) =>
    (odd.roles ?? everyRole).flatMap((role) =>
      (["v1beta4", "v1beta3"] as const).map((api) => ({ title, odd, role, api })),
    ),
  );

  it.each(rows)("$title: $role, $api", async ({ odd, role, api }) => {
    const content = await fileOf({
      ...roles[role],
      ...odd,
      version: api === "v1beta4" ? version : "v1.30.4",
    } as MachineInput);
    expect(content).toContain(`apiVersion: kubeadm.k8s.io/${api}`);
    const { succeeded, text } = await validate(content);
    expect(succeeded, `${text}\n${content}`).toBe(true);
    expect(text).not.toMatch(/unknown field|strict decoding|unmarshal/i);
  });

  it.each(refusedSpecs)("and refuses what admission warns of: $field $value", async (refused) => {
    const input = { ...roles[refused.role], ...etcdClient, version, spec: specOf(refused) } as MachineInput;
    const content = await fileOf(input);
    const { succeeded, text } = await validate(content);
    expect(succeeded, content).toBe(false);
    expect(text).toContain("error: ");
    expect(text).not.toMatch(/unknown field|strict decoding/i);
  });

  it.each(["v1beta4", "v1beta3"])("and reads every argument as it was written: %s", async (api) => {
    const input = {
      ...roles.init,
      ...oddSpecs["arguments of every kind"],
      version: api === "v1beta4" ? version : "v1.30.4",
    };
    const { file } = await validate(await fileOf(input as MachineInput));
    const { succeeded, text } = await ask(kubeadm, ["config", "migrate", "--old-config", file]);
    expect(succeeded, text).toBe(true);
    const documents = parseAllDocuments(text.slice(text.indexOf("apiVersion: "))).map(
      (each) => each.toJS() as KubeadmDocument,
    );
    const configuration = documents.find(({ kind }) => kind === "ClusterConfiguration");
    for (const component of ["apiServer", "controllerManager", "scheduler"] as const) {
      expect(byName(configuration?.[component]?.extraArgs), component).toEqual(byName(oddArguments));
    }
    const init = documents.find(({ kind }) => kind === "InitConfiguration");
    expect(byName(init?.nodeRegistration?.kubeletExtraArgs)).toEqual(byName(oddArguments));
  });
});

describe.skipIf(missing === undefined)("the real kubeadm", () => {
  it("is asked", ({ skip }) => skip(missing));
});
