import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { silentLogger } from "@capstan/contract";
import { renderKubeconfig } from "@capstan/pki";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { recentClock, seededRandom, startHiddenServer } from "@capstan/testing";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { backUp } from "../src/backup/run-backup.ts";
import { aloneExample } from "./alone.ts";
import { createManagedWorld, names, passingOn } from "./managed-world.ts";

const repository = join(import.meta.dirname, "../../..");
const root = mkdtempSync(join(tmpdir(), "capstan-proxy-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const up = (file: string, HTTPS_PROXY: string) => {
  const child = spawn(
    process.execPath,
    ["--conditions=@capstan/source", "apps/cli/src/main.ts", "up", "--in-memory", "--output=json", "-f", file],
    {
      cwd: repository,
      stdio: ["ignore", "pipe", "inherit"],
      env: { PATH: process.env["PATH"], HOME: root, HTTPS_PROXY },
    },
  );
  onTestFinished(() => void child.kill());
  return child;
};

const cluster = (url: string, ca: string): string => {
  const reference = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "LinodeCluster", name: "far" };
  const objects = [
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "linode" },
      stringData: { apiToken: "t", LINODE_URL: url, LINODE_CA: ca },
    },
    {
      apiVersion: "cluster.x-k8s.io/v1beta2",
      kind: "Cluster",
      metadata: { name: "far" },
      spec: { infrastructureRef: reference },
    },
    {
      apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha2",
      kind: "LinodeCluster",
      metadata: { name: "far" },
      spec: { region: "us-ord", credentialsRef: { name: "linode" } },
    },
  ];
  const file = join(root, "cluster.yaml");
  writeFileSync(file, objects.map((object) => JSON.stringify(object)).join("\n---\n"));
  return file;
};

describe("capstan up", () => {
  it("asks the cloud through the proxy of the environment", async () => {
    const asked = Promise.withResolvers<string>();
    await using hidden = await startHiddenServer((request, response) => {
      asked.resolve(request.url ?? "");
      response.writeHead(404, { "content-type": "application/json" }).end('{"errors":[{"reason":"Not found"}]}');
    });
    const child = up(cluster(hidden.url, hidden.ca), hidden.proxy.url);
    const ended = once(child, "exit");
    child.stdout.resume();
    expect(await asked.promise).toMatch(/^\/v4beta\//);
    child.kill("SIGTERM");
    await ended;
    expect(hidden.proxy.asked[0]).toBe("hidden.test:443");
  });

  it("refuses a proxy that it cannot use", async () => {
    const child = up(cluster("https://hidden.test", ""), "socks5://proxy.test:1080");
    const [said, [status]] = await Promise.all([text(child.stdout), once(child, "close")]);
    expect(status).toBe(1);
    expect(JSON.parse(said)).toMatchObject({ type: "error", code: "runtime.proxy_invalid" });
  });
});

it("capstan backup asks a server through the proxy of the environment", async () => {
  await using hidden = await startHiddenServer((_, response) => response.writeHead(403).end());
  const kubeconfig = join(root, "kubeconfig");
  const server = { server: hidden.url, clusterName: "far", userName: "u", token: "t", certificateAuthority: hidden.ca };
  writeFileSync(kubeconfig, renderKubeconfig(server));
  const options = { kubeconfig, dataDir: root, output: join(root, "backup"), logLevel: "silent" } as const;
  const { signal } = new AbortController();
  const environment = { clock: systemClock, random: cryptoRandom, log: silentLogger, signal, write: () => undefined };
  const variables = { HTTPS_PROXY: hidden.proxy.url };
  await expect(backUp(options, { ...environment, variables })).rejects.toMatchObject({ code: "kube.forbidden" });
  expect(hidden.proxy.asked).toContain("hidden.test:443");
});

it("a manager asks for the proxy to the cloud, the object store and the workload cluster", async () => {
  const clock = recentClock();
  const pass = passingOn(clock);
  await using world = await createManagedWorld({ clock, random: seededRandom(5), pass });
  await world.install();
  const asked = new Set<string>();
  const proxyFor = (url: string): undefined => void asked.add(new URL(url).origin);
  await world.start({ providers: names }, { access: world.adminAccess, proxyFor });
  await world.apply(aloneExample());
  await clock.advanceUntil(() => world.running() === 4, { stepMs: 200, maxMs: 900_000 });
  const known = [...asked];
  expect(known).toContain(new URL(world.simulator.url).origin);
  expect(known).toContain(new URL(world.simulator.objectStorage.url).origin);
  expect(known.length).toBeGreaterThanOrEqual(3);
});
