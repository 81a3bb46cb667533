import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { silentLogger } from "@capstan/contract";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { afterAll, describe, expect, it } from "vitest";
import { openDataFolder, silentView, simulatedLinode, startSystem, type UpOptions } from "../src/embedded-up.ts";
import { runUp, startUp } from "./up-in-process.ts";

const repository = join(import.meta.dirname, "../../..");
const example = join(repository, "examples/linode/large-bootstrap.yaml");
const root = mkdtempSync(join(tmpdir(), "capstan-bad-input-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const folder = (name: string): string => {
  mkdirSync(join(root, name));
  return join(root, name);
};

const file = (name: string, text: string): string => {
  writeFileSync(join(root, name), text);
  return join(root, name);
};

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

const start = (args: readonly string[]) =>
  spawn(process.execPath, ["--conditions=@capstan/source", "apps/cli/src/main.ts", "up", ...args], {
    cwd: repository,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], HOME: root },
  });

/** Runs the command as users do; `onOutput` receives everything on standard output so far. */
const capstan = (args: readonly string[], onOutput?: (out: string, child: ChildProcess) => void): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = start(args);
    let [out, err] = ["", ""];
    child.stdout.on("data", (data: Buffer) => {
      out += data.toString();
      onOutput?.(out, child);
    });
    child.stderr.on("data", (data: Buffer) => (err += data.toString()));
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, out, err }));
  });

const events = (out: string): readonly Readonly<Record<string, unknown>>[] =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("the command", () => {
  it("names every object that does not fit, its place, field and mend", async () => {
    const core = "apiVersion: cluster.x-k8s.io/v1beta2\nkind:";
    const infrastructure = "apiVersion: infrastructure.cluster.x-k8s.io";
    const manifest = file(
      "refused.yaml",
      [
        `${core} Cluster\nmetadata: {name: orchid}\nspec: {paused: "yes", colour: red}`,
        `${infrastructure}/v1alpha2\nkind: LinodeMachine\nmetadata: {name: untyped}\nspec: {region: us-ord}`,
        `${infrastructure}/v1alpha1\nkind: LinodeMachine\nmetadata: {name: old}`,
        `${core} Machin\nmetadata: {name: unknown}`,
        `${infrastructure}/v1alpha2\nkind: LinodeCluster\nmetadata: {name: c1}\nspec: {region: us-ord}`,
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Fine}",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fine}\ndata: {a: b}",
      ].join("\n---\n"),
    );
    const wrong = [
      expect.stringMatching(/^\/refused\.yaml:\d+: ConfigMap Fine: .*metadata\.name.*lowercase/),
      "/refused.yaml:1: Cluster orchid: 2 fields are wrong",
      "/refused.yaml:4: spec.paused: expected boolean, got string",
      "/refused.yaml:4: spec.colour: field not declared in schema",
      expect.stringMatching(/^\/refused\.yaml:9: LinodeMachine untyped: .*spec\.type: Required value/),
      expect.stringMatching(/^\/refused\.yaml:11: LinodeMachine old: no matches for kind .*; use \S+\/v1alpha2$/),
      expect.stringMatching(
        /^\/refused\.yaml:15: Machin unknown: no matches for kind "Machin" .*--providers\); did you mean Machine\b/,
      ),
      expect.stringMatching(/^\/refused\.yaml:21: LinodeCluster c1: .* is invalid: metadata\.name must have 3 to 32/),
      "",
    ];
    const lines = (text: string) => text.split("\n").map((line) => line.trim().replace(root, ""));
    const first = "nothing applied: 6 problems; correct them, or apply valid objects with --keep-going";
    const { status, out, err } = await runUp(["--in-memory", "-f", manifest]);
    expect(lines(err)).toEqual([first, ...wrong.slice(0, -1)]);
    expect(out).not.toContain("refused");
    expect(status).toBe(1);
    const limits = ["--until", "running", "--timeout", "1ms"];
    const going = await runUp(["--in-memory", "-f", manifest, "--keep-going", ...limits]);
    const said = lines(going.out);
    const refusal = said.indexOf("6 of 7 objects were refused; the others are applied");
    expect(said.slice(refusal + 1, refusal + wrong.length)).toEqual(wrong.slice(0, -1));
    expect(lines(going.err)[0]).toBe("not every Machine is running after 0.001 s");
    expect(going.status).toBe(1);
  });

  it("prints nothing but JSON when asked, failures too", async () => {
    const { status, out, err } = await capstan(["--in-memory", "-o", "json", "-f", join(root, "nope.yaml")]);
    expect(err).toBe("");
    // Before anything is started.
    expect(events(out)).toEqual([
      expect.objectContaining({
        type: "error",
        code: "manifest.invalid",
        message: expect.stringMatching(/-f .*nope\.yaml: no such file or folder/) as string,
      }),
    ]);
    expect(status).toBe(1);
  });

  it("ends with the reasons when the time is over", async () => {
    const fine = file("no-machine.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fine}\n");
    const until = ["--until", "running", "--timeout", "100ms"];
    await using up = await startUp(["--in-memory", "-n", "fresh", "-f", fine, ...until]);
    expect(await up.ended()).toBe(1);
    // The namespace that is meant cannot have been made by anybody.
    expect(up.events).toContainEqual(expect.objectContaining({ message: "namespace fresh created" }));
    expect(up.events).toContainEqual(expect.objectContaining({ type: "waiting" }));
    expect(up.events.at(-1)).toMatchObject({
      code: "up.timeout",
      message: "not every Machine is running after 0.1 s\n  there is no Machine",
    });
  });

  it("keeps its data folder to itself, and ends well when it is interrupted", async () => {
    const shared = folder("shared");
    writeFileSync(join(shared, "ports.json"), "{");
    let second: Promise<Ended> | undefined;
    const first = await capstan(["--data-dir", shared], (out, child) => {
      if (second !== undefined || !out.includes("try next:")) return;
      second = capstan(["--data-dir", shared]);
      void second.then(() => child.kill("SIGINT"));
    });
    expect(await second).toMatchObject({ status: 1, err: expect.stringMatching(/shared.*in use by another server/) });
    expect(first).toMatchObject({
      status: 130,
      err: "",
      out: expect.stringMatching(/stopping\nstate is kept in .*shared; rerun .*; rm -r \S*shared removes it\n$/),
    });
  });
});

const variables = (): undefined => undefined;

/** What a start fails with. */
const failureOf = async (change: Partial<UpOptions>, dataDir?: string): Promise<unknown> => {
  const data = openDataFolder(dataDir ?? "", { temporary: dataDir === undefined });
  const options = { ...simulatedLinode([]), ...change, inMemory: dataDir === undefined };
  const clock = systemClock;
  try {
    await startSystem(options, { clock, random: cryptoRandom, log: silentLogger, view: silentView, data, variables });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    data.close();
  }
};

const failure = (code: string, message: RegExp) => ({ code, message: expect.stringMatching(message) as string });

describe("a start fails with", () => {
  it.each([
    ["broken YAML", { files: [file("broken.yaml", "a: b\nc: [")] }, failure("manifest.invalid", /broken\.yaml:2: /)],
    [
      "a variable without a value",
      { files: [example], simulate: [] },
      failure("manifest.variable_missing", /no value for LINODE_TOKEN \(line \d+\).*--simulate/),
    ],
    ["an unknown provider", { providers: ["moon"] }, failure("module.not_found", /--providers moon: .*infra-linode/)],
    ["an unknown simulator", { simulate: ["moon"] }, failure("module.not_found", /--simulate moon: .*linode/)],
  ] as const)("%s", async (_, change, expected) => {
    expect(await failureOf(change)).toMatchObject(expected);
  });

  it("a port that somebody else has", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    expect(await failureOf({ port })).toMatchObject(
      failure("apiserver.port_taken", new RegExp(`Port ${port} .*taken`)),
    );
    server.close();
  });

  it.each([
    ["management.sqlite", "garbage", "apiserver.storage_corrupt", /management\.sqlite is damaged.*backup/],
    ["linode/account.json", "{", "linode.simulator_state", /account\.json cannot be used: it is not JSON. Remove it/],
    ["linode/account.json", '{"version":4}', "linode.simulator_state", /account\.json cannot be used: it lacks block/],
  ])("a damaged %s (%s), which stays as it is", async (name, text, code, message) => {
    const damaged = mkdtempSync(join(root, "damaged-"));
    const path = join(damaged, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    expect(await failureOf({}, damaged)).toMatchObject(failure(code, message));
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  // The kernel lets no one make a folder in /proc, not even root.
  it.each([
    ["a file", () => file("plain", "")],
    ["below a file", () => join(root, "plain", "data")],
    ["in /proc", () => "/proc/capstan"],
  ])("a data folder that cannot be: %s", (_, path) => {
    expect(() => openDataFolder(path(), { temporary: false })).toThrow(
      expect.objectContaining(failure("up.data_folder", /--data-dir \/.*; choose a folder you can write to/)),
    );
  });
});
