import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { parse } from "yaml";
import { createProgram } from "../src/program.ts";
import { startCommand } from "./command-process.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-down-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const data = join(folder, "data");

/** Runs a command in this process; what it writes, or the message with which it fails. */
const capstan = async (...args: readonly string[]): Promise<string> => {
  let said = "";
  const write = (text: string): void => void (said += text);
  try {
    expect(await createProgram({ write, writeError: write }).run(args), said).toBe(0);
    return said;
  } catch (error) {
    return (error as Error).message;
  }
};

const ofSystem = ["--data-dir", data];

interface Account {
  readonly instances: readonly unknown[];
  readonly nodeBalancers: readonly unknown[];
}

const account = (): Account => JSON.parse(readFileSync(join(data, "linode", "account.json"), "utf8")) as Account;

const own = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "from-a-file" }, data: { a: "b" } };

it("what capstan up made is asked for beside it, and taken down while it runs and when it does not", async () => {
  const cluster = join(folder, "cluster.yaml");
  await capstan(
    "generate",
    "cluster",
    "orchid",
    "-i",
    "linode",
    "--flavor",
    "machines",
    "--kubernetes-version",
    "v1.34.0",
    "--write-to",
    cluster,
  );
  const other = join(folder, "other.json");
  writeFileSync(other, JSON.stringify(own));
  const up = ["up", "--simulate", "linode", "-f", cluster, "-f", other, ...ofSystem];
  expect(await capstan("down", ...ofSystem)).toBe("");
  expect(await capstan("get", "kubeconfig", "orchid", ...ofSystem)).toContain("does not exist");

  await using first = startCommand(up);
  await first.until(({ type }) => type === "running");

  const kubeconfig = await capstan("get", "kubeconfig", "orchid", ...ofSystem);
  expect(parse(kubeconfig)).toMatchObject({ kind: "Config", "current-context": "orchid-admin@orchid" });
  const merged = join(folder, "kube", "config");
  const said = await capstan("get", "kubeconfig", "orchid", "--merge", merged, ...ofSystem);
  expect(said).toBe(`added context orchid-admin@orchid to ${merged} and made it current\n`);
  expect(parse(kubeconfig)).toMatchObject(parse(readFileSync(merged, "utf8")) as object);
  expect(await capstan("get", "kubeconfig", "rose", ...ofSystem)).toBe(
    "there is no Cluster rose in namespace default; choose another with --namespace",
  );

  const log = await capstan("logs", "machine", "orchid-control-plane-0", ...ofSystem);
  expect(log).toContain("Using Kubernetes version: v1.34.0");
  expect(
    (await capstan("logs", "machine", "orchid-control-plane-0", "--tail", "2", ...ofSystem)).split("\n"),
  ).toHaveLength(3);
  expect(await capstan("logs", "machine", "nobody", ...ofSystem)).toContain(
    "there is no Machine nobody in namespace default",
  );

  expect(account()).toMatchObject({ instances: [{}, {}], nodeBalancers: [{}] });
  await using beside = startCommand(["down", ...ofSystem]);
  expect(await beside.ended).toBe(0);
  expect(beside.events.map(({ type }) => type)).not.toContain("apiserver");
  expect(beside.events[0]).toMatchObject({ type: "deleting", kind: "Cluster", namespace: "default", name: "orchid" });
  expect(beside.events.at(-1)).toMatchObject({ type: "down", others: [] });
  expect(account()).toMatchObject({ instances: [], nodeBalancers: [] });
  expect(existsSync(join(data, "orchid.kubeconfig"))).toBe(false);
  await first.stop();

  await using second = startCommand(up);
  await second.until(({ type, kind, state }) => type === "object" && kind === "LinodeMachine" && state === "Ready");
  second.child.kill("SIGKILL");
  await second.ended;
  expect(account().instances.length).toBeGreaterThan(0);
  await using alone = startCommand(["down", ...ofSystem]);
  expect(await alone.ended, JSON.stringify(alone.events.slice(-3))).toBe(0);
  expect(alone.events.map(({ type }) => type)).toContain("apiserver");
  expect(account()).toMatchObject({ instances: [], nodeBalancers: [] });
  const names = alone.events
    .filter(({ type }) => type === "deleting")
    .map(({ kind, name }) => `${String(kind)}/${String(name)}`);
  expect(names).toEqual(expect.arrayContaining(["Cluster/orchid", "ConfigMap/from-a-file"]));
  expect(names.at(-1)).not.toBe("Cluster/orchid");

  await using again = startCommand(["down", ...ofSystem]);
  expect(await again.ended).toBe(0);
  expect(again.events.at(-1)).toMatchObject({ type: "down", deleted: 0 });
});
