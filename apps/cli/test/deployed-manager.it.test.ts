import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { createApiServer, standardExtensions } from "@capstan/apiserver";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { resource, type KubeObject } from "@capstan/schema";
import { freePort } from "@capstan/testing";
import { afterEach, expect, it, vi } from "vitest";
import { createProgram } from "../src/program.ts";
import { createManagedWorld, type ManagedWorld } from "./managed-world.ts";
import { expectWebhooks } from "./webhook-cases.ts";

const repository = join(import.meta.dirname, "../../..");
const capstan = ["--conditions=@capstan/source", "apps/cli/src/main.ts"];

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "capstan-deployed-"));
  closing.push(() => rmSync(path, { recursive: true }));
  return path;
};

/** An API server that knows nothing of the kinds, and finds the Service of the webhooks at a port of the loopback. */
const newWorld = async (webhookPort: number): Promise<ManagedWorld> => {
  const resolveService = ({ name, namespace }: { readonly name: string; readonly namespace: string }) =>
    `${namespace}/${name}` === "capstan-system/capstan" ? `https://127.0.0.1:${webhookPort}` : undefined;
  const extensions = standardExtensions(undefined, { resolveService });
  const server = createApiServer({ clock: systemClock, random: cryptoRandom, extensions });
  await server.start();
  const world = await createManagedWorld({
    clock: systemClock,
    random: cryptoRandom,
    pass: (work) => work,
    server,
  });
  closing.push(() => world[Symbol.asyncDispose]());
  return world;
};

interface Probe {
  readonly httpGet: { readonly path: string; readonly scheme: string };
}

interface Container {
  readonly args: readonly string[];
  readonly image: string;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

interface Deployment extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: { readonly serviceAccountName: string; readonly containers: readonly [Container] };
    };
  };
}

const Deployments = resource<Deployment>({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments" });

/** A kubeconfig as good as what the Pod of an account is given. */
const kubeconfigOf = async (world: ManagedWorld, account: string): Promise<string> => {
  const { url, caCertificate } = world.server;
  const cluster = { server: url, "certificate-authority-data": Buffer.from(caCertificate).toString("base64") };
  const file = join(folder(), "kubeconfig");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "here", cluster }],
    users: [{ name: account, user: { token: await world.tokenOf(account) } }],
    contexts: [{ name: "here", context: { cluster: "here", user: account } }],
    "current-context": "here",
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
};

/** Runs what a Pod of the Deployment would; resolves to the address of its diagnostics once it is ready. */
const runPod = async (world: ManagedWorld, { spec }: Deployment): Promise<string> => {
  const { containers, serviceAccountName } = spec.template.spec;
  const given = containers[0].args.map((arg) => arg.replace("-address=:8443", "-address=127.0.0.1:0"));
  const args = [...capstan, ...given, "--kubeconfig", await kubeconfigOf(world, serviceAccountName)];
  const child = spawn(process.execPath, args, { cwd: repository, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  closing.push(() => {
    child.kill("SIGTERM");
    return ended;
  });
  let diagnostics = "";
  let ready = false;
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as { readonly type: string; readonly url?: string };
    diagnostics = event.url ?? diagnostics;
    ready ||= event.type === "ready";
    if (ready && diagnostics !== "") break;
  }
  child.stdout.resume();
  return diagnostics;
};

/** As a kubelet probes: it does not verify the certificate. */
const statusOf = async (url: string): Promise<number> => {
  const sent = request(url, { rejectUnauthorized: false }).end();
  const [response] = (await once(sent, "response")) as [{ readonly statusCode: number; resume(): void }];
  response.resume();
  return response.statusCode;
};

const install = async (world: ManagedWorld, args: readonly string[]): Promise<string> => {
  let said = "";
  const write = (text: unknown): boolean => {
    said += String(text);
    return true;
  };
  const output = vi.spyOn(process.stdout, "write").mockImplementation(write);
  const where = ["--kubeconfig", world.kubeconfig, "--allow-address", "127.0.0.0/8"];
  try {
    expect(await createProgram().run(["install", ...where, "--image", "example/capstan:1", ...args])).toBe(0);
    return said;
  } finally {
    output.mockRestore();
  }
};

const installs: Readonly<Record<string, (world: ManagedWorld, args: readonly string[]) => Promise<void>>> = {
  "install applies": async (world, args) => {
    expect(await install(world, args)).toContain("definitions are served");
  },
  "kubectl applies what install prints": async (world, args) => {
    const file = join(folder(), "capstan.yaml");
    writeFileSync(file, await install(world, [...args, "--print"]));
    const command = ["--kubeconfig", world.kubeconfig, "apply", "--server-side", "-f", file];
    await promisify(execFile)("kubectl", command, { timeout: 150_000 });
  },
};

it.each(Object.keys(installs))(
  "%s a Deployment whose Pods serve webhooks by their Service, under their own account",
  async (how) => {
    const port = await freePort();
    const world = await newWorld(port);
    await installs[how]?.(world, ["--webhook-port", String(port)]);
    const deployment = await world.admin.get(Deployments, { namespace: "capstan-system", name: "capstan" });
    const [{ image, livenessProbe, readinessProbe }] = deployment.spec.template.spec.containers;
    expect(image).toBe("example/capstan:1");
    const diagnostics = await runPod(world, deployment);
    for (const { httpGet } of [livenessProbe, readinessProbe]) {
      expect(new URL(diagnostics).protocol).toBe(`${httpGet.scheme.toLowerCase()}:`);
      await expect.poll(() => statusOf(`${diagnostics}${httpGet.path}`)).toBe(200);
    }
    await expectWebhooks(world);
  },
  240_000,
);
