import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const repository = join(import.meta.dirname, "../../..");
const example = "examples/linode/large-bootstrap.yaml";
const root = mkdtempSync(join(tmpdir(), "capstan-bad-input-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
const folder = (): string => {
  folders += 1;
  const path = join(root, `data-${folders}`);
  mkdirSync(path);
  return path;
};

const file = (name: string, text: string): string => {
  const path = join(root, name);
  writeFileSync(path, text);
  return path;
};

interface Ended {
  readonly status: number | null;
  readonly text: string;
}

/** Runs `capstan`; `until` ends it early, with SIGTERM, once its output says so. */
const capstan = (
  args: readonly string[],
  until?: { readonly saying: string; readonly act: () => Promise<void> },
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--conditions=@capstan/source", "apps/cli/src/main.ts", ...args], {
      cwd: repository,
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], HOME: root },
    });
    let text = "";
    let told = false;
    const onData = (data: Buffer): void => {
      text += data.toString();
      if (until === undefined || told || !text.includes(until.saying)) return;
      told = true;
      until.act().then(() => child.kill("SIGTERM"), reject);
    };
    child.stdout.on("data", onData);
    child.stderr.on("data", onData);
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, text }));
  });

const up = (...args: readonly string[]): Promise<Ended> =>
  capstan(["up", "--until", "running", "--timeout", "2s", ...args]);

const cluster = "apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: orchid}\n";
const core = "cluster.x-k8s.io";

const machine = `apiVersion: ${core}/v1beta2
kind: Machine
metadata: {name: lonely, labels: {${core}/control-plane: ""}}
spec:
  clusterName: orchid
  version: v1.34.0
  bootstrap: {configRef: {apiGroup: bootstrap.${core}, kind: KubeadmConfig, name: nowhere}}
  infrastructureRef: {apiGroup: infrastructure.${core}, kind: LinodeMachine, name: nowhere}
`;

describe("capstan up refuses", () => {
  it("manifests that do not fit, each with its place, and applies the others", async () => {
    const manifest = file(
      "refused.yaml",
      [
        `${cluster}spec: {paused: true, infrastructureRef: {apiGroup: infrastructure.${core}, kind: LinodeCluster, name: a}, colour: red}`,
        `apiVersion: ${core}/v1beta2\nkind: Machine\nmetadata: {name: typed}\nspec: {clusterName: 7, bootstrap: {dataSecretName: a}}`,
        `apiVersion: ${core}/v1beta2\nkind: Machin\nmetadata: {name: unknown}`,
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fine}\ndata: {a: b}",
      ].join("\n---\n"),
    );
    const { status, text } = await up("--in-memory", "-f", manifest);
    expect(status).toBe(1);
    expect(text).toContain("3 of 4 objects were refused");
    expect(text).toMatch(/refused\.yaml:1\D.*Cluster orchid.*spec\.colour/);
    expect(text).toMatch(/refused\.yaml:6\D.*Machine typed.*spec\.clusterName/);
    expect(text).toMatch(/refused\.yaml:11\D.*Machin .*--providers/);
  }, 60_000);

  it.each([
    ["broken YAML", () => ["-f", file("broken.yaml", "a: [")], /broken\.yaml:1: /],
    ["a missing file", () => ["-f", join(root, "nope.yaml")], /-f .*nope\.yaml: ENOENT/],
    ["a missing variable", () => ["-f", example], /no value for LINODE_TOKEN \(line \d+\).*--simulate/],
    ["an unknown provider", () => ["--providers", "core,infra-moon"], /--providers infra-moon: .*infra-linode/],
    ["an unknown simulator", () => ["--simulate", "moon"], /--simulate moon: .*linode/],
    ["an unknown flag", () => ["--frobnicate"], /unknown option '--frobnicate'/],
    ["a duration that is none", () => ["--timeout", "soon"], /must be a duration such as 90s/],
    ["a folder that is a file", () => ["--data-dir", file("plain", "")], /--data-dir .*plain/],
  ])(
    "%s",
    async (_, args, message) => {
      const { status, text } = await up(...(args().includes("--data-dir") ? [] : ["--in-memory"]), ...args());
      expect(text).toMatch(message);
      expect(status).toBe(1);
    },
    60_000,
  );

  it("a port that somebody else has", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const { status, text } = await up("--in-memory", "--port", String(port));
    server.close();
    expect(text).toContain(String(port));
    expect(status).toBe(1);
  }, 60_000);

  it("a data file that is damaged, and leaves it alone", async () => {
    const management = folder();
    writeFileSync(
      join(management, "management.sqlite"),
      "this is no database, and long enough to be looked at".repeat(100),
    );
    const first = await up("--data-dir", management);
    expect(first.text).toContain("management.sqlite");
    expect(first.status).toBe(1);
    const cloud = folder();
    mkdirSync(join(cloud, "linode"));
    writeFileSync(join(cloud, "linode", "account.json"), "{");
    const second = await up("--data-dir", cloud, "--simulate", "linode");
    expect(second.text).toMatch(/account\.json cannot be used/);
    expect(second.status).toBe(1);
  }, 60_000);

  it("a second run on a data folder that is in use", async () => {
    const shared = folder();
    let second: Ended | undefined;
    const first = await capstan(["up", "--data-dir", shared], {
      saying: "try next:",
      act: async () => {
        second = await up("--data-dir", shared);
      },
    });
    expect(second?.text).toMatch(/in use by another server/);
    expect(second?.status).toBe(1);
    expect(first.status).toBe(0);
  }, 60_000);

  it("to wait for ever: it says which reference leads nowhere", async () => {
    const manifest = file(
      "lonely.yaml",
      `${cluster}spec: {infrastructureRef: {apiGroup: infrastructure.${core}, kind: LinodeCluster, name: nowhere}}\n---\n${machine}`,
    );
    const { status, text } = await up("--in-memory", "--simulate", "linode", "-f", manifest);
    expect(status).toBe(1);
    expect(text).toContain("not every Machine runs after 2 s");
    expect(text).toMatch(/Machine lonely: Pending: .*(KubeadmConfig|LinodeMachine|LinodeCluster)/);
  }, 60_000);
});

describe("the command line", () => {
  it("explains itself, completes itself, and prints nothing but JSON when asked", async () => {
    expect((await capstan(["up", "--help"])).text).toContain("--simulate <names>");
    for (const shell of ["bash", "zsh", "fish"]) {
      const { status, text } = await capstan(["completion", shell]);
      expect(status).toBe(0);
      expect(text).toContain("capstan");
    }
    const { text } = await up(
      "--in-memory",
      "-o",
      "json",
      "-f",
      file("empty.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"),
    );
    for (const line of text.trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("type");
  }, 60_000);
});
