import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parseAllDocuments } from "yaml";
import { createProgram } from "../src/program.ts";
import { expectFlavorRuns, generate, orchid as cluster } from "./linode-flavors.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-generate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const objects = (text: string) =>
  parseAllDocuments(text).map((document) => document.toJS() as { kind: string; metadata: Record<string, string> });

const template = join(folder, "template.yaml");
writeFileSync(
  template,
  `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: \${CLUSTER_NAME}
  namespace: \${NAMESPACE}
  annotations:
    counts: \${CONTROL_PLANE_MACHINE_COUNT} \${ WORKER_MACHINE_COUNT } \${KUBERNETES_VERSION}
    nested: \${VPC_NAME:=\${CLUSTER_NAME}} \${COLOUR=red} \${SIZE:-"big"}
    script: $\${PATH}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: free}
`,
);

describe("capstan generate cluster", () => {
  // Those that differ most; `npm run test:exhaustive` takes every flavor.
  it.each(["cloud-controller", "machines", "object-store", "vpc", "dns"] as const)(
    "prints flavor %s for kubeadm, which runs",
    async (flavor) => expectFlavorRuns(flavor),
  );

  it("lists what there is, and the variables of each", async () => {
    expect(await cluster("--list-flavors")).toMatch(
      /^default \(kubeadm\): .*\nha \(kubeadm\): [^]*\ndefault \(k3s\): one server [^]*\nha \(rke2\): three servers /,
    );
    const variables = await cluster("--list-variables");
    expect(variables).toMatch(
      /^Required Variables:\n {2}- CLUSTER_NAME\n {2}- KUBERNETES_VERSION\n\nOptional Variables:\n/,
    );
    expect(variables).toContain('  - LINODE_REGION (defaults to "us-ord")\n');
    expect(variables).toContain("Left to capstan up and capstan generate yaml:\n  - LINODE_TOKEN\n");
  });

  it.each([
    [["ox"], /CLUSTER_NAME is "ox", which must have 3 to 32 characters/],
    [
      ["orchid", "-b", "rke2"],
      /KUBERNETES_VERSION is "v1\.34\.0", which must have the suffix of RKE2, for example v1\./,
    ],
    [["orchid", "-b", "k3s"], /KUBERNETES_VERSION is "v1\.34\.0", which must have the suffix of k3s, for example v1\./],
  ])("refuses what the flavor cannot do with: %s", async (args, message) => {
    let said = "";
    const write = (text: string): void => void (said += text);
    const flags = ["-i", "linode", "--kubernetes-version", "v1.34.0"];
    const run = createProgram({ write, writeError: write }).run(["generate", "cluster", ...flags, ...args]);
    expect(await run.catch((error: unknown) => ((said += String(error)), 1))).toBe(1);
    expect(said).toMatch(message);
  });

  it("makes the same of a flavor and of the file that the package has of it", async () => {
    const file = join(import.meta.dirname, "../../../packages/infra-linode/templates/cluster-template-vpc.yaml");
    const of = (...source: readonly string[]) =>
      generate("cluster", "demo", "--kubernetes-version", "v1.36.2", ...source);
    const comments = /^# .*\n/gm;
    expect((await of("--from", file)).replaceAll(comments, "")).toBe(
      (await of("--infrastructure", "linode", "--flavor", "vpc")).replaceAll(comments, ""),
    );
  });

  it("takes values from --set before the environment", async () => {
    vi.stubEnv("LINODE_REGION", "us-sea");
    vi.stubEnv("LINODE_OS", "linode/debian12");
    const text = await cluster("--set", "LINODE_REGION=us-mia");
    vi.unstubAllEnvs();
    expect(text).toContain("region: us-mia");
    expect(text).not.toContain("us-sea");
    expect(text).toContain("image: linode/debian12");
  });

  it("fills a template of others as clusterctl does, into a namespace", async () => {
    const file = join(folder, "out.yaml");
    const said = await generate(
      "cluster",
      "orchid",
      "--from",
      template,
      "--workers",
      "4",
      "--set",
      "KUBERNETES_VERSION=v1.33.1",
      "-n",
      "team",
      "--write-to",
      file,
    );
    expect(said).toBe("");
    const [first, second] = objects(readFileSync(file, "utf8"));
    expect(first).toEqual({
      apiVersion: "cluster.x-k8s.io/v1beta2",
      kind: "Cluster",
      metadata: {
        name: "orchid",
        namespace: "team",
        annotations: { counts: "1 4 v1.33.1", nested: 'orchid red "big"', script: "${PATH}" },
      },
    });
    expect(second?.metadata).toEqual({ name: "free" });
  });

  it.each([
    [
      ["-i", "linode", "--kubernetes-version", "v1.34.0", "--flavor", "huge"],
      /infra-linode|linode has no flavor huge for kubeadm; there are --bootstrap kubeadm --flavor default/,
    ],
    [["--kubernetes-version", "v1.34.0"], /name a provider with --infrastructure/],
    [["-i", "nowhere"], /^--infrastructure nowhere: cannot find package @capstan\/infra-nowhere or nowhere/],
    [
      ["-i", "linode"],
      /^flavor default of linode for kubeadm: no value for KUBERNETES_VERSION \(line \d+\); set it in the environment or with --set NAME=VALUE; flags give KUBERNETES_VERSION \(--kubernetes-version\)/,
    ],
    [
      ["-i", "linode", "--kubernetes-version", "v1.34.0", "-f", "machines", "--control-plane-machine-count", "3"],
      /^--control-plane-machine-count: flavor machines of linode for kubeadm has no variable CONTROL_PLANE_MACHINE_COUNT/,
    ],
    [
      ["-i", "linode", "--set", "COLOUR=red"],
      /^--set COLOUR: flavor default of linode for kubeadm has no variable COLOUR/,
    ],
    [["--from", "/nowhere/x.yaml"], /^--from \/nowhere\/x\.yaml: no such file;/],
    [["-i", join(import.meta.dirname, "acme/provider.ts")], "set ACME_URL"],
  ])("refuses %j", async (args, message) => {
    await expect(
      createProgram({ write: () => undefined }).run(["generate", "cluster", "orchid", ...args]),
    ).rejects.toThrow(message);
  });

  it.each([[[]], [["-n", "dev"]]])("refuses a template that is not YAML at its line, with %j", async (flags) => {
    const file = join(folder, "broken.yaml");
    writeFileSync(file, "kind: Cluster\nmetadata: [\nname: ${CLUSTER_NAME}\n");
    const said = await createProgram({ write: () => undefined })
      .run(["generate", "cluster", "orchid", "--from", file, ...flags])
      .catch((error: unknown) => error);
    expect(said).toMatchObject({ code: "manifest.invalid" });
    expect(String(said)).toContain(`${file}:`);
  });

  it.each([
    [["Orchid"], /must be up to 63 lowercase letters/],
    [["orchid", "--kubernetes-version", "1.34"], /must be a full version such as v1\.34\.0/],
    [["orchid", "--workers", "many"], /must be a whole number/],
    [["orchid", "--set", "a b"], /must be NAME=VALUE/],
    [
      ["orchid", "--from", "x.yaml", "--flavor", "ha"],
      /option '--from <source>' cannot be used with option '-f, --flavor <name>'/,
    ],
    [["orchid", "--from", "x.yaml", "-i", "linode"], /cannot be used with option '-i, --infrastructure <name>'/],
    [["orchid", "--from", "x.yaml", "-b", "k3s"], /cannot be used with option '-b, --bootstrap <name>'/],
    [["orchid", "--from", "x.yaml", "--list-flavors"], /cannot be used with option '--list-flavors'/],
  ])("refuses the command line %j", async (args, message) => {
    let said = "";
    const program = createProgram({ write: () => undefined, writeError: (text) => void (said += text) });
    expect(await program.run(["generate", "cluster", ...args])).not.toBe(0);
    expect(said).toMatch(message);
  });
});

describe("a provider of others", () => {
  it("brings flavors of its own", async () => {
    const module = join(folder, "provider.mjs");
    writeFileSync(
      module,
      `const flavors = [{ name: "default", bootstrap: "talos", description: "small", template: "name: \${CLUSTER_NAME}\\n" }];
export const createProvider = () => ({ contract: "v1", name: "infra-acme", kinds: [], register: () => undefined, flavors });`,
    );
    expect(await generate("cluster", "orchid", "-i", module, "--bootstrap", "talos")).toBe("name: orchid\n");
    writeFileSync(join(folder, "none.mjs"), readFileSync(module, "utf8").replace(", flavors }", " }"));
    await expect(generate("cluster", "orchid", "-i", join(folder, "none.mjs"))).rejects.toThrow(
      /none\.mjs: the provider infra-acme has no flavors; name a template with --from/,
    );
    writeFileSync(join(folder, "wrong.mjs"), readFileSync(module, "utf8").replace("description", "title"));
    await expect(generate("cluster", "orchid", "-i", join(folder, "wrong.mjs"))).rejects.toThrow(
      /its flavors must be a list, each with name, description, bootstrap and template/,
    );
  });
});

describe("a template at a URL", () => {
  const server = createServer((request, response) => {
    if (request.url === "/moved") response.writeHead(302, { location: "/template.yaml" }).end();
    else if (request.url === "/template.yaml") response.end(readFileSync(template));
    else response.writeHead(404).end();
  });
  let url = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it("is fetched, also where it has moved, and its variables are listed", async () => {
    const listed = await generate("cluster", "x", "--from", `${url}/moved`, "--list-variables");
    expect(listed).toBe(
      `Required Variables:
  - CLUSTER_NAME
  - CONTROL_PLANE_MACHINE_COUNT
  - KUBERNETES_VERSION
  - NAMESPACE
  - WORKER_MACHINE_COUNT

Optional Variables:
  - COLOUR (defaults to "red")
  - SIZE (defaults to "big")
  - VPC_NAME (defaults to "\${CLUSTER_NAME}")

Left to capstan up and capstan generate yaml:
  - PATH
`,
    );
  });

  it("that is not there is named", async () => {
    await expect(generate("yaml", "--from", `${url}/nothing`)).rejects.toThrow(
      `--from ${url}/nothing: the server answered 404`,
    );
  });
});

it("capstan generate yaml fills what was left", async () => {
  const file = join(folder, "cluster.yaml");
  await cluster("--write-to", file);
  await expect(generate("yaml", "--from", file)).rejects.toThrow(
    /no value for LINODE_TOKEN \(line \d+\); set it in the environment or with --set NAME=VALUE$/,
  );
  const text = await generate("yaml", "--from", file, "--set", "LINODE_TOKEN=secret");
  expect(text).toContain("apiToken: secret\n  LINODE_URL: https://api.linode.com\n");
});
