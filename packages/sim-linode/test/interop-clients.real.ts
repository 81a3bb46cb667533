import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLinodeSimulator, type LinodeSimulator } from "../src/index.ts";

const run = promisify(execFile);

const path = [process.env["PATH"] ?? "", "/usr/local/go/bin"].join(delimiter);

/** What a program answers, or `undefined` where it is not there or does not work. */
const tried = async (program: string, ...args: readonly string[]): Promise<string | undefined> => {
  try {
    return (await run(program, args, { env: { ...process.env, PATH: path }, timeout: 240_000 })).stdout;
  } catch {
    return undefined;
  }
};

const sources = join(import.meta.dirname, "linodego");
const home = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "capstan", "linode-cli-5.69.0");
const cli = join(home, "bin", "linode-cli");

/** linode-cli of PyPI, in an environment of Python of its own. */
const installedCli = async (): Promise<boolean> => {
  if ((await tried(cli, "--version")) !== undefined) return true;
  await mkdir(home, { recursive: true });
  await tried("python3", "-m", "venv", home);
  await tried(join(home, "bin", "pip"), "install", "--quiet", "linode-cli==5.69.0");
  return (await tried(cli, "--version")) !== undefined;
};

const hasGo = (await tried("go", "version")) !== undefined;
const hasCli = await installedCli();

const words = (command: string): readonly string[] => command.split(" ");

let simulator: LinodeSimulator;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "linode-clients-"));
  simulator = await createLinodeSimulator({
    clock: systemClock,
    random: cryptoRandom,
    rateLimits: [],
    delays: { provisionMs: 300, bootMs: 300, operationMs: 500 },
  });
  await simulator.start();
});

afterAll(async () => {
  await simulator.stop();
  await rm(folder, { recursive: true });
});

describe.skipIf(!hasGo)("linodego (Go is on the machine)", () => {
  it("makes, boots, resizes, finds, waits for and deletes", { timeout: 400_000 }, async () => {
    const env = {
      ...process.env,
      PATH: path,
      LINODE_URL: simulator.url,
      LINODE_API_VERSION: "v4beta",
      LINODE_TOKEN: simulator.token,
      HOME: process.env["HOME"] ?? folder,
    };
    const binary = join(folder, "linodego-interop");
    await run("go", ["build", "-o", binary, "."], { cwd: sources, env });
    const { stdout } = await run(binary, [], { env }).catch((error: { stdout?: string }) => ({
      stdout: error.stdout ?? "",
    }));
    expect(stdout.split("\n").filter((line) => line.startsWith("failed"))).toEqual([]);
    expect(stdout).toContain("find nothing left");
    expect(simulator.requests.violations).toEqual([]);
  });
});

describe.skipIf(!hasCli)("linode-cli (Python and PyPI are there)", () => {
  const call = async (...args: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const env = {
      ...process.env,
      HOME: folder,
      LINODE_CLI_TOKEN: simulator.token,
      LINODE_CLI_API_HOST: new URL(simulator.url).host,
      LINODE_CLI_API_SCHEME: "http",
      LINODE_CLI_API_VERSION: "v4beta",
    };
    const { stdout } = await run(cli, [...args, "--json", "--suppress-warnings", "--all-columns"], { env });
    return stdout.trim() === "" ? [] : (JSON.parse(stdout) as readonly Readonly<Record<string, unknown>>[]);
  };

  it("makes and deletes what it knows", { timeout: 400_000 }, async () => {
    const before = simulator.requests.violations.length;
    expect((await call("regions", "list")).length).toBeGreaterThan(5);
    const [vpc] = await call("vpcs", "create", "--label", "cli-vpc", "--region", "us-ord");
    const id = String(vpc?.["id"]);
    await call("vpcs", "subnet-create", id, "--label", "only", "--ipv4", "10.0.0.0/24");
    const [node] = await call(
      ...words("linodes create --label cli-node --region us-ord --type g6-standard-1 --image linode/debian12"),
      ...words("--root_pass a-long-root-password --booted false --tags cli"),
    );
    expect(node).toMatchObject({ label: "cli-node", tags: ["cli"] });
    expect(await call("linodes", "list", "--tags", "cli")).toMatchObject([{ id: node?.["id"] }]);
    const one = String(node?.["id"]);
    expect(await call("linodes", "view", one)).toMatchObject([{ label: "cli-node" }]);
    const [config] = await call("linodes", "configs-list", one);
    expect(await call("linodes", "config-view", one, String(config?.["id"]))).toMatchObject([{ id: config?.["id"] }]);
    await call(...words(`linodes update ${one} --label cli-renamed`));
    for (const command of ["account view", "account settings", "betas list", "regions view us-ord"]) {
      expect(await call(...words(command)), command).toHaveLength(1);
    }
    const [wall] = await call(
      ...words("firewalls create --label cli-wall --rules.inbound_policy DROP --rules.outbound_policy ACCEPT"),
    );
    await call("firewalls", "device-create", String(wall?.["id"]), "--id", String(node?.["id"]), "--type", "linode");
    expect(await call("firewalls", "devices-list", String(wall?.["id"]))).toHaveLength(1);
    const [rules] = await call("firewalls", "rules-list", String(wall?.["id"]));
    expect(rules).toMatchObject({ inbound_policy: "DROP" });
    expect((await call("events", "list")).map(({ action }) => action)).toContain("linode_create");
    await call("linodes", "delete", String(node?.["id"]));
    await call("firewalls", "delete", String(wall?.["id"]));
    expect(simulator.requests.violations.slice(before)).toEqual([]);
  });
});
