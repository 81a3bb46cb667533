import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startKubeApiserver, type KubeApiserver } from "@capstan/testing/kube-apiserver";
import { freePort } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProgram } from "../src/program.ts";
import { startCommand, type CommandProcess } from "./command-process.ts";

const kubeAssets = process.env["KUBEBUILDER_ASSETS"] ?? "";
const capiAssets = process.env["CAPI_ASSETS"] ?? "";
const isComplete = existsSync(join(kubeAssets, "kube-apiserver")) && existsSync(join(capiAssets, "clusterctl"));
const run = promisify(execFile);
const loopback = ["--allow-address", "127.0.0.0/8"];

interface Requests {
  readonly items: readonly { readonly method: string; readonly path: string }[];
}

interface Listed {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly providerID?: string };
    readonly status?: { readonly phase?: string; readonly nodeRef?: { readonly name: string } };
  }[];
}

describe.skipIf(!isComplete)("clusterctl move between capstan up and managers on a kube-apiserver", () => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-move-"));
  const data = join(folder, "data");
  const kubeconfigs = { up: join(data, "kubeconfig"), server: join(folder, "server.kubeconfig") };
  const started: CommandProcess[] = [];
  let server: KubeApiserver;
  let variables: Readonly<Record<string, string>>;

  const start = async (args: readonly string[], until: string): Promise<void> => {
    const process = startCommand(args, variables);
    started.push(process);
    await process.until(({ type }) => type === until);
  };
  /** Writes, and not looks, that the cloud was asked for. */
  const writes = async (): Promise<readonly string[]> => {
    const answer = await fetch(`${variables["LINODE_URL"]}/_simulator/requests?since=0`);
    const { items } = (await answer.json()) as Requests;
    return items.flatMap(({ method, path }) => (method === "GET" ? [] : [`${method} ${path}`]));
  };

  const kubectl = async (at: keyof typeof kubeconfigs, ...args: readonly string[]): Promise<string> =>
    (await run(join(kubeAssets, "kubectl"), ["--kubeconfig", kubeconfigs[at], ...args])).stdout;

  beforeAll(async () => {
    const file = join(folder, "linode.json");
    const cloud = startCommand(["simulate", "linode", "--in-memory", "--write-environment", file]);
    started.push(cloud);
    await cloud.until(({ type }) => type === "simulation");
    variables = JSON.parse(readFileSync(file, "utf8")) as typeof variables;
    server = await startKubeApiserver({ assets: kubeAssets });
    writeFileSync(kubeconfigs.server, server.kubeconfig, { mode: 0o600 });
    const manager = [
      "manager",
      "--install",
      "--kubeconfig",
      kubeconfigs.server,
      "--diagnostics-address",
      "off",
      "--log-level",
      "error",
    ];
    await start([...manager, ...loopback, "--webhook-url", `https://127.0.0.1:${await freePort()}`], "ready");
    const cluster = join(folder, "cluster.yaml");
    const generate = ["generate", "cluster", "orchid", "-i", "linode", "--flavor", "machines", "--kubernetes-version"];
    expect(await createProgram().run([...generate, "v1.34.0", "--write-to", cluster])).toBe(0);
    // The credentials are for several teams, in a namespace of their own.
    const text = readFileSync(cluster, "utf8").replace(/credentialsRef:/, "credentialsRef:\n    namespace: shared");
    writeFileSync(cluster, text.replace(/^ {2}name: orchid-credentials$/m, "$&\n  namespace: shared"));
    const shared = join(folder, "shared.yaml");
    writeFileSync(shared, "apiVersion: v1\nkind: Namespace\nmetadata: {name: shared}\n");
    await start(["up", "--data-dir", data, "-f", shared, "-f", cluster, "--no-watch"], "running");
    await kubectl("server", "apply", "-f", shared);
    const credentials = Object.entries({ apiToken: "LINODE_TOKEN", LINODE_URL: "LINODE_URL" });
    const literals = credentials.map(([key, variable]) => `--from-literal=${key}=${variables[variable]}`);
    await kubectl("server", "-n", "shared", "create", "secret", "generic", "orchid-credentials", ...literals);
  });
  afterAll(async () => {
    for (const process of started.toReversed()) await process.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const machines = async (at: keyof typeof kubeconfigs) =>
    (JSON.parse(await kubectl(at, "get", "machines.cluster.x-k8s.io", "-o", "json")) as Listed).items.map(
      ({ metadata, spec, status }) => ({
        name: metadata.name,
        providerID: spec.providerID,
        phase: status?.phase,
        node: status?.nodeRef?.name,
      }),
    );

  it.each([
    ["from capstan up", "up", "server"],
    ["back to it", "server", "up"],
  ] as const)("%s: nothing is made or deleted at the cloud", async (_, from, to) => {
    const before = await machines(from);
    expect(before.map(({ phase }) => phase)).toEqual(["Running", "Running"]);
    const already = await writes();
    const env = { KUBECONFIG: kubeconfigs[from], HOME: folder, CLUSTERCTL_DISABLE_VERSIONCHECK: "true" };
    await run(join(capiAssets, "clusterctl"), ["move", "--to-kubeconfig", kubeconfigs[to]], { env });
    await expect.poll(() => machines(to)).toEqual(before);
    // The reference into another namespace is followed there, since who moved it might do the same.
    await expect
      .poll(() => kubectl(to, "-n", "shared", "get", "secret", "orchid-credentials", "-o", "yaml"))
      .toContain("capstan.dev/held-by-linodemachine");
    expect((await kubectl(from, "get", "cluster-api", "-o", "name")).trim()).toBe("");
    expect(await writes()).toEqual(already);
  });

  it("the cluster goes where it was moved to", async () => {
    await kubectl("up", "delete", "cluster", "orchid", "--timeout=120s");
    const headers = { authorization: `Bearer ${variables["LINODE_TOKEN"]}` };
    const answer = await fetch(`${variables["LINODE_URL"]}/v4/linode/instances`, { headers });
    expect(await answer.json()).toMatchObject({ data: [] });
  });
});
