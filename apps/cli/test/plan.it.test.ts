import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Annotation } from "@capstan/contract";
import { MachineDeploymentResource } from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import { recentClock } from "@capstan/testing";
import { parse } from "yaml";
import { createProgram } from "../src/program.ts";
import { startUp } from "./up-in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-plan-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const data = join(folder, "data");
const cluster = join(folder, "cluster.yaml");

const capstan = async (...args: readonly string[]): Promise<{ readonly status: number; readonly out: string }> => {
  let out = "";
  const write = (text: string): void => void (out += text);
  return { status: await createProgram({ write, writeError: write }).run(args), out };
};

beforeAll(async () => {
  const flags = ["-i", "linode", "--flavor", "machines", "--workers", "2", "--kubernetes-version", "v1.34.0"];
  await capstan("generate", "cluster", "orchid", ...flags, "--write-to", cluster);
});

interface Planned {
  readonly objects: readonly {
    readonly action: string;
    readonly count: number;
    readonly object: { readonly kind: string; readonly name: string };
  }[];
  readonly cloud: readonly {
    readonly action: string;
    readonly type: string;
    readonly count: number;
    readonly drift?: string;
  }[];
  readonly problems: readonly { readonly where: string; readonly message: string }[];
  readonly monthly: Readonly<Record<string, number>>;
}

const planned = async (...args: readonly string[]): Promise<Planned & { readonly status: number }> => {
  const { status, out } = await capstan("plan", "-o", "json", ...args);
  return { status, ...(JSON.parse(out) as Planned) };
};

const countsOf = (
  entries: readonly { readonly action: string; readonly count: number }[],
): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { action, count } of entries) counts[action] = (counts[action] ?? 0) + count;
  return counts;
};

const inOlderVersion = (manifest: string): string =>
  manifest
    .replace("cluster.x-k8s.io/v1beta2", "cluster.x-k8s.io/v1beta1")
    .replace(/apiGroup: (bootstrap\S+)/, "apiVersion: $1/v1beta2")
    .replace(/apiGroup: (infrastructure\S+)/, "apiVersion: $1/v1alpha2");

/** The file with something else in it. */
const changed = (name: string, change: (text: string) => string): string => {
  const file = join(folder, name);
  writeFileSync(file, change(readFileSync(cluster, "utf8")));
  return file;
};

describe("capstan plan", () => {
  it("shows what is made from nothing, with what it costs, and writes nothing", async () => {
    const { status, out } = await capstan("plan", "--simulate", "linode", "-f", cluster, "--data-dir", data);
    expect(status).toBe(2);
    expect(out).toContain("  + Cluster default/orchid\n");
    expect(out).toContain("  + 2 × Machine default/orchid-workers-*\n");
    expect(out).toContain(
      "  + 2 × instance orchid-workers-*: g6-standard-1 in us-ord, linode/ubuntu22.04, 12.00 USD a month each\n",
    );
    expect(out).toContain(
      "  + instance orchid-control-plane-0: g6-standard-2 in us-ord, linode/ubuntu22.04, 24.00 USD a month\n",
    );
    expect(out).toContain("  + NodeBalancer orchid: in us-ord, 10.00 USD a month\n");
    expect(out).toMatch(/\nAt the cloud: 4 to create, .*, 58\.00 USD a month more\n$/);
    expect(out).not.toContain("Will fail");
    expect(existsSync(data)).toBe(false);
  });

  it.each<[string, (text: string) => string, RegExp]>([
    [
      "type",
      (text) => text.replace("g6-standard-1", "g9-none"),
      /^\S+wrong-type\.yaml:\d+ LinodeMachine default\/orchid-workers-\*: spec\.type: there is no plan g9-none; there are g6-nanode-1, /,
    ],
    [
      "version",
      (text) => text.replaceAll("version: v1.34.0", "version: v1.20.0"),
      /wrong-version\.yaml:\d+ MachineDeployment default\/orchid-workers: spec\.template\.spec\.version v1\.20\.0: kubeadm before v1\.22 is not supported/,
    ],
    [
      "region",
      (text) => text.replaceAll("us-ord", "moon"),
      /LinodeCluster default\/orchid: spec\.region: there is no region moon; there are us-ord, /,
    ],
    [
      "image",
      (text) => text.replace("linode/ubuntu22.04", "linode/nothing"),
      /spec\.image: there is no image linode\/nothing that this token may use/,
    ],
    [
      "secret",
      (text) => text.replace("name: orchid-credentials", "name: other"),
      /LinodeCluster default\/orchid: spec\.credentialsRef: there is no Secret default\/orchid-credentials; create it/,
    ],
    [
      "token",
      (text) => text.replace("${LINODE_TOKEN}", "wrong"),
      /LinodeMachine default\/orchid-control-plane-0: .*check the token under the key apiToken/,
    ],
    [
      "reference",
      (text) =>
        text.replace(
          "kind: KubeadmConfig\nmetadata:\n  name: orchid-control-plane-0",
          "kind: KubeadmConfig\nmetadata:\n  name: typo",
        ),
      /wrong-reference\.yaml:\d+ Machine orchid-control-plane-0: spec\.bootstrap\.configRef: KubeadmConfig orchid-control-plane-0 not found in namespace default; add it to the files/,
    ],
    [
      "field",
      (text) => text.replace("  replicas: 2", "  replicaz: 2"),
      /wrong-field\.yaml:\d+ MachineDeployment orchid-workers: spec\.replicaz: field not declared in schema; did you mean replicas\?/,
    ],
    [
      "endpoint",
      (text) => text.replace("  credentialsRef:", "  network: {loadBalancerType: external}\n  credentialsRef:"),
      /LinodeCluster default\/orchid: .*network\.loadBalancerType is external: set spec\.controlPlaneEndpoint\.host/,
    ],
    [
      "template",
      (text) =>
        text.replace(
          "kind: KubeadmConfigTemplate\nmetadata:\n  name: orchid-workers\nspec:\n  template:\n    spec:\n",
          (found) => `${found}      format: cloudconfig\n`,
        ),
      /KubeadmConfigTemplate \S*orchid-workers: .*format: Unsupported value.*did you mean cloud-config\?/s,
    ],
  ])("names a wrong %s", async (name, change, words) => {
    const file = changed(`wrong-${name}.yaml`, change);
    const { status, problems } = await planned("--simulate", "linode", "-f", file, "--data-dir", data);
    expect(status).toBe(1);
    expect(problems.map(({ where, message }) => `${where} ${message}`)).toEqual(
      expect.arrayContaining([expect.stringMatching(words)]),
    );
    // What is refused is there all the same, under its name.
    if (name === "template") expect(problems).toHaveLength(1);
    const atFault: Readonly<Record<string, string>> = { field: "replicaz", reference: "configRef", template: "format" };
    const [place = ""] = problems.map(({ where }) => where).filter((where) => where.startsWith(file));
    const line = readFileSync(file, "utf8").split("\n")[Number(place.split(":").at(-1)) - 1];
    if (atFault[name] !== undefined) expect(line).toContain(atFault[name]);
  });
});

describe("workers that are newer than single control-plane Machines", () => {
  const newer = (name: string): string =>
    changed(name, (text) => text.replace(/(kind: MachineDeployment[\s\S]*?version: )v1\.34\.0/, "$1v1.35.0"));

  it("are named by the plan", async () => {
    const file = newer("newer-workers.yaml");
    const { out } = await capstan("plan", "--simulate", "linode", "-f", file, "--data-dir", data);
    expect(out).toMatch(
      /Will fail[\s\S]*newer-workers\.yaml:\d+: MachineDeployment default\/orchid-workers: spec\.template\.spec\.version: no Machine is created: .*of Machine orchid-control-plane-0/,
    );
  });

  it.each([
    ["are held", [], undefined],
    ["are allowed by --force", ["--force"], "KubernetesVersionSkew,KubeadmVersionSkew"],
  ])("%s", async (name, flags, annotation) => {
    const folderOfUp = join(folder, name.replaceAll(" ", "-"));
    const file = newer(`${name.replaceAll(" ", "-")}.yaml`);
    await using up = await startUp(["--data-dir", folderOfUp, "--simulate", "linode", "-f", file, ...flags]);
    await up.until(({ type }) => type === "applied");
    const access = await loadKubeconfig({ text: readFileSync(join(folderOfUp, "kubeconfig"), "utf8") });
    const connection = connect({ access, clock: recentClock() });
    const key = { namespace: "default", name: "orchid-workers" };
    const { metadata } = await createClient(connection).get(MachineDeploymentResource, key);
    await connection.close();
    expect(metadata.annotations?.[Annotation.skipPreflightChecks]).toBe(annotation);
    const warnings = up.events.filter(({ type }) => type === "warning").map(({ message }) => String(message));
    const expected = annotation === undefined ? /^will fail: .*no Machine is created/ : /failed, as --force says$/;
    expect(warnings).toEqual([expect.stringMatching(expected)]);
  });
});

describe("capstan up", () => {
  it("applies nothing of files of which something is wrong, but with --keep-going what it can", async () => {
    const file = changed("wrong-up.yaml", (text) => text.replace("g6-standard-1", "g9-none"));
    const args = ["--in-memory", "--simulate", "linode", "-f", file];
    await using refused = await startUp(args);
    expect(await refused.ended()).toBe(1);
    const { message, code } = refused.events.find(({ type }) => type === "error") ?? { message: "", code: "" };
    expect(code).toBe("up.not_applied");
    expect(message).toMatch(
      /^nothing applied: 1 problem; correct them.*\n {2}\S+wrong-up\.yaml:\d+: LinodeMachine default\/orchid-workers-\*: spec\.type: there is no plan g9-none/,
    );
    expect(refused.events.filter(({ type }) => type === "applied" || type === "object")).toEqual([]);
    await using going = await startUp([...args, "--keep-going"]);
    expect(await going.until(({ type }) => type === "applied")).toMatchObject({ created: 9 });
    await going.stop();
  });

  it("says that a version lacks the distribution's suffix", async () => {
    const file = join(folder, "k3s.yaml");
    const flags = ["-i", "linode", "--bootstrap", "k3s", "--workers", "1", "--kubernetes-version", "v1.34.0+k3s1"];
    await capstan("generate", "cluster", "iris", ...flags, "--write-to", file);
    const args = ["--simulate", "linode", "-f", file, "--data-dir", data];
    expect((await planned(...args)).problems).toEqual([]);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("+k3s1", ""));
    const { status, problems } = await planned(...args);
    expect(status).toBe(1);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^KThreesControlPlane iris-control-plane: .*spec\.version: .*must be a version of k3s such as/,
      ),
      expect.stringMatching(
        /^MachineDeployment default\/iris-workers: spec\.template\.spec\.version "v1\.34\.0" cannot/,
      ),
    ]);
  });

  it("goes on with what could be applied, and says at the end that something was refused", async () => {
    const wrong = join(folder, "refused.yaml");
    writeFileSync(wrong, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Fine}");
    const files = ["-f", cluster, "-f", wrong];
    await using going = await startUp([
      "--in-memory",
      "--simulate",
      "linode",
      ...files,
      "--keep-going",
      "--until",
      "running",
    ]);
    expect(await going.ended()).toBe(1);
    const types = going.events.map(({ type }) => type);
    expect(types.indexOf("refused")).toBeLessThan(types.indexOf("running"));
    expect(going.events.at(-1)).toMatchObject({ type: "error", code: "apply.refused" });
  });
});

describe("capstan plan of what runs", () => {
  it("knows what stays, what changes, what is replaced or deleted, and what is not as it should be", async () => {
    const up = ["--simulate", "linode", "-f", cluster, "--data-dir", data];
    await using running = await startUp(up);
    await running.until(({ type }) => type === "running");
    // Beside it, with its clouds.
    const same = await running.beside(planned("-f", cluster, "--data-dir", data));
    expect(same).toMatchObject({ status: 0, problems: [], monthly: {} });
    expect(countsOf(same.cloud)).toEqual({ keep: 4 });
    // A file of an older version says the same in other words: nothing is replaced for it.
    const older = changed("older.yaml", (text) =>
      text
        .split("---\n")
        .map((part) => (part.includes("kind: MachineDeployment\n") ? inOlderVersion(part) : part))
        .join("---\n"),
    );
    expect(readFileSync(older, "utf8")).toContain("cluster.x-k8s.io/v1beta1\nkind: MachineDeployment\n");
    const said = await running.beside(planned("-f", older, "--data-dir", data));
    expect(said.objects.filter(({ action }) => action === "replace")).toEqual([]);
    expect(countsOf(said.cloud)).toEqual({ keep: 4 });
    await running.stop();
    // Without it, in a copy of its folder.
    const account = join(data, "linode", "account.json");
    const before = readFileSync(account, "utf8");
    expect((await capstan("plan", "-f", cluster, "--data-dir", data)).out).toBe(
      "nothing to do: everything is as the files say\n",
    );

    const more = await planned(
      "-f",
      changed("more.yaml", (text) => text.replace("replicas: 2", "replicas: 3")),
      "--data-dir",
      data,
    );
    expect(more).toMatchObject({ status: 2, monthly: { USD: 12 } });
    expect(countsOf(more.cloud)).toEqual({ keep: 4, create: 1 });

    const less = await planned(
      "-f",
      changed("less.yaml", (text) => text.replace("replicas: 2", "replicas: 1")),
      "--data-dir",
      data,
    );
    expect(less).toMatchObject({ status: 2, monthly: { USD: -12 } });
    expect(countsOf(less.cloud)).toEqual({ keep: 3, delete: 1 });
    expect(less.objects.filter(({ action }) => action === "delete")).toMatchObject([{ object: { kind: "Machine" } }]);

    const elsewhere = changed("elsewhere.yaml", (text) => text.replaceAll("region: us-ord", "region: us-sea"));
    const { problems } = await planned("-f", elsewhere, "--data-dir", data);
    expect(problems.map(({ message }) => message)).toContainEqual(
      expect.stringContaining(
        "Value is immutable; write a template with another name, and name it where this one is used",
      ),
    );

    const newer = changed("newer.yaml", (text) => text.replaceAll("v1.34.0", "v1.34.1"));
    const { out, status } = await capstan("plan", "-f", newer, "--data-dir", data);
    expect(status).toBe(2);
    expect(out).toMatch(
      / {2}~ MachineDeployment default\/orchid-workers\n {6}spec\.template\.spec\.version: "v1\.34\.0" → "v1\.34\.1"\n/,
    );
    expect(out).toMatch(/ {2}± Machine default\/orchid-workers-\S+ \(spec\.template\.spec\.version changed\)\n/);
    expect(out).toMatch(/At the cloud: 0 to create, 0 to change, 2 to replace, 0 to delete\n$/);

    const fewer = changed("fewer.yaml", (text) =>
      text
        .split("---\n")
        .filter((part) => !part.includes("kind: MachineDeployment\n"))
        .join("---\n"),
    );
    expect((await capstan("plan", "-f", fewer, "--data-dir", data)).out).toBe(
      "No longer in any file, but kept (--prune deletes)\n    MachineDeployment default/orchid-workers\n\nnothing to do: everything in the files is as the files say\n",
    );
    const pruned = await planned("-f", fewer, "--prune", "--data-dir", data);
    expect(pruned).toMatchObject({ status: 2, problems: [], monthly: { USD: -24 } });
    expect(countsOf(pruned.cloud)).toEqual({ keep: 2, delete: 2 });
    const kinds = pruned.objects.filter(({ action }) => action === "delete").map(({ object }) => object.kind);
    expect(kinds).toEqual(["MachineDeployment", "Machine", "Machine"]);

    const stored = JSON.parse(before) as { instances: { label: string }[] };
    const instances = stored.instances.filter(({ label }) => !label.includes("control-plane"));
    writeFileSync(account, JSON.stringify({ ...stored, instances }));
    const gone = await planned("-f", cluster, "--data-dir", data);
    expect(gone.status).toBe(2);
    expect(gone.cloud.flatMap(({ drift }) => drift ?? [])).toEqual([
      expect.stringMatching(/^instance \d+ no longer exists and is not recreated$/),
    ]);
    expect(JSON.parse(readFileSync(account, "utf8"))).toEqual({ ...stored, instances });

    // Of a folder that may be read alone, nothing is written, and a plan is printed in YAML as in JSON.
    const entries = () =>
      readdirSync(data, { recursive: true, encoding: "utf8" }).map((name) => {
        const { mtimeMs, size } = statSync(join(data, name));
        return { name, mtimeMs, size };
      });
    const folders = [data, ...entries().map(({ name }) => join(data, name))].filter((path) =>
      statSync(path).isDirectory(),
    );
    for (const path of folders) chmodSync(path, 0o500);
    const kept = entries();
    const { out: yaml, status: again } = await capstan("plan", "-f", cluster, "--data-dir", data, "-o", "yaml");
    expect(again).toBe(2);
    expect(parse(yaml)).toMatchObject({ work: true, problems: [], cloud: expect.any(Array) });
    expect(entries()).toEqual(kept);
    for (const path of folders) chmodSync(path, 0o700);

    // A folder without its objects is named, not the copy that is looked at.
    for (const name of ["management.sqlite", "management.sqlite.identity.json"]) {
      rmSync(join(data, name));
      const refusal = await capstan("plan", "-f", cluster, "--data-dir", data).catch(String);
      expect(refusal).toContain(data);
      expect(refusal.toString().replaceAll(data, "")).not.toContain(tmpdir());
    }
  });
});
