import { rfc3339 } from "@capstan/contract";
import { valueAt } from "@capstan/contract/wire";
import { caCertHashes, createCertificateAuthority, type CertificateAndKey } from "@capstan/pki";
import type { Client } from "@capstan/kube";
import { resource } from "@capstan/schema";
import { freePort, recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BootRequest, createGuestHost, type GuestHost } from "../src/index.ts";
import {
  address,
  administrator,
  authorityFiles,
  cloudConfig,
  initData,
  joinData,
  putToken,
  SecretResource,
  type Join,
} from "./machines.ts";

const Node = resource({ group: "", version: "v1", kind: "Node", plural: "nodes", namespaced: false });
const day = 86_400_000;
const clock = recentClock();

const newHost = (): GuestHost => createGuestHost({ clock, random: seededRandom(3), lenient: true });

/** Steps of virtual time: kubeadm gives up discovery after five minutes, everything else is done in less. */
const step = { usual: 100, whileWaiting: 2000 };

/** Starts a machine and resolves to its console when its boot is over, however it ended. */
const boot = async (
  host: GuestHost,
  id: string,
  userData: string,
  stepMs = step.usual,
  resolve?: BootRequest["resolve"],
): Promise<string> => {
  const metadata = { "local-hostname": id };
  let over = false;
  const network = resolve === undefined ? {} : { resolve };
  const machine = { id, metadata, userData, address, providerID: `example://${id}`, ...network };
  void host.boot(machine).then(() => (over = true));
  await clock.advanceUntil(() => over, { stepMs, maxMs: 900_000 });
  return host.console(id);
};

describe("a cluster that one machine has initialized", () => {
  const host = newHost();
  let authority: CertificateAndKey;
  let client: Client;
  let close: () => Promise<void>;
  let join: Join;

  beforeAll(async () => {
    authority = await createCertificateAuthority({ now: clock.now() });
    const port = await freePort();
    const userData = initData(authorityFiles(authority), { port });
    expect(await boot(host, "control-plane", userData)).toContain("initialized successfully");
    ({ client, close } = await administrator(authority, `${address}:${port}`, clock));
    const [hash = ""] = caCertHashes(authority.certificate);
    join = { endpoint: `${address}:${port}`, token: "abcdef.0123456789abcdef", hash };
    await putToken(client, join.token, clock.now() + day);
  });
  afterAll(async () => {
    await close();
    await host.stop();
  });

  it("is joined with its token and the pinned authority", async () => {
    expect(await boot(host, "worker", joinData(join))).toContain("kubeadm: This node has joined the cluster");
    const node = await client.get(Node, { name: "worker" });
    expect(node).toMatchObject({
      spec: { providerID: "example://worker" },
      status: { nodeInfo: { kubeletVersion: "v1.34.0" } },
    });
    expect(node["spec"]).not.toHaveProperty("taints");
  });

  it("is joined by a name that the machine's network alone knows", async () => {
    const endpoint = join.endpoint.replace(address, "kubernetes.default.svc");
    const resolve = (host: string) => (host === "kubernetes.default.svc" ? address : undefined);
    const data = joinData({ ...join, endpoint });
    expect(await boot(host, "inside", data, step.usual, resolve)).toContain("This node has joined the cluster");
    expect(await client.find(Node, { name: "inside" })).toBeDefined();
  });

  it.each([
    {
      what: "an endpoint that is none",
      wrong: { endpoint: "two words" },
      why: /apiServerEndpoint two words is not host:port/,
    },
    {
      what: "another authority's hash",
      wrong: { hash: `sha256:${"0".repeat(64)}` },
      why: /cluster CA found in cluster-info ConfigMap is invalid: none of the public keys .* are pinned/,
    },
    {
      what: "a token that the cluster does not know",
      wrong: { token: "000000.0123456789abcdef" },
      why: /could not find a JWS signature in the cluster-info ConfigMap for token ID "000000"/,
    },
    {
      what: "a token with a wrong secret part",
      wrong: { token: "abcdef.fedcba9876543210" },
      why: /failed to verify JWS signature/,
    },
    {
      what: "something that is not a token",
      wrong: { token: "abcdef" },
      why: /discovery\.bootstrapToken\.token is not of the form/,
    },
    { what: "nobody at the endpoint", wrong: { endpoint: `${address}:9` }, why: /ECONNREFUSED/ },
  ])("is not joined with $what, and the console says so", async ({ what, wrong, why }) => {
    const name = what.replaceAll(/\W/g, "-");
    const said = await boot(host, name, joinData({ ...join, ...wrong }), step.whileWaiting);
    expect(said).toMatch(why);
    expect(said).toContain("scripts-user: 1 failed");
    expect(await client.find(Node, { name })).toBeUndefined();
  });

  it("is not joined with a token that has expired", async () => {
    const token = "abcde0.0123456789abcdef";
    await putToken(client, token, clock.now() + 60_000);
    expect(await boot(host, "in-time", joinData({ ...join, token }))).toContain("has joined");
    await clock.advance(60_000);
    const said = await boot(host, "too-late", joinData({ ...join, token }), step.whileWaiting);
    expect(said).toMatch(/could not find a JWS signature .* for token ID "abcde0"/);
    expect(await client.find(Node, { name: "too-late" })).toBeUndefined();
  });

  it("is not joined without a configuration file", async () => {
    const said = await boot(host, "empty", cloudConfig([], "kubeadm join --config /run/kubeadm/join.yaml"));
    expect(said).toContain('unable to read config from "/run/kubeadm/join.yaml"');
    expect(said).toContain("no such file or directory");
  });
});

it("a cluster is joined with the tokens of its configuration, as long as they live", async () => {
  const host = newHost();
  const authority = await createCertificateAuthority({ now: clock.now() });
  const port = await freePort();
  const bootstrapTokens = [
    { token: "aaaaaa.0123456789abcdef", ttl: "0s", description: "for ever" },
    { token: "bbbbbb.0123456789abcdef", ttl: "10m", usages: ["signing", "authentication"] },
    { token: "cccccc.0123456789abcdef", expires: rfc3339(clock.now() + 60 * day) },
    { token: "dddddd.0123456789abcdef" },
  ];
  const began = clock.now();
  await boot(host, "control-plane", initData(authorityFiles(authority), { port, bootstrapTokens }));
  const { client, close } = await administrator(authority, `${address}:${port}`, clock);
  const name = "bootstrap-token-dddddd";
  const token = await client.get(SecretResource, { namespace: "kube-system", name });
  await close();
  const expires = Date.parse(Buffer.from(String(valueAt(token, "data.expiration")), "base64").toString());
  expect(expires - day, "a day is what tokens live for").toBeGreaterThanOrEqual(Math.floor(began / 1000) * 1000);
  expect(expires - day).toBeLessThanOrEqual(clock.now());
  const [hash = ""] = caCertHashes(authority.certificate);
  const joined = async (token: string, name: string): Promise<boolean> => {
    const join = { endpoint: `${address}:${port}`, token: `${token}.0123456789abcdef`, hash };
    return (await boot(host, name, joinData(join), step.whileWaiting)).includes("has joined");
  };
  expect(await joined("bbbbbb", "first")).toBe(true);
  await clock.advance(600_000);
  expect(await joined("bbbbbb", "second")).toBe(false);
  expect(await joined("dddddd", "third")).toBe(true);
  expect(await joined("cccccc", "fourth")).toBe(true);
  expect(await joined("aaaaaa", "fifth")).toBe(true);
  await host.stop();
});

it.each([
  [{ token: "short" }, 'the bootstrap token "short" was not of the form'],
  [{ token: "aaaaaa.0123456789abcdef", ttl: "soon" }, 'invalid duration "soon"'],
])("a cluster does not begin with the token %j", async (token, why) => {
  const host = newHost();
  const authority = await createCertificateAuthority({ now: clock.now() });
  const userData = initData(authorityFiles(authority), { port: await freePort(), bootstrapTokens: [token] });
  const said = await boot(host, "control-plane", userData);
  expect(said).toContain(why);
  expect(said).not.toContain("initialized successfully");
  await host.stop();
});

it.each([0, 30_000])("a machine whose control plane never gets healthy is switched off after %i ms", async (ms) => {
  const host = newHost();
  const expired = await createCertificateAuthority({ now: clock.now() - 40 * day, validityDays: 1 });
  const userData = initData(authorityFiles(expired), { port: await freePort() });
  const boots = host.boot({ id: "1", metadata: {}, userData, address, providerID: "example://1" });
  await clock.advanceUntil(() => host.console("1").includes("[certs]"), { stepMs: 100 });
  const end = clock.now() + ms;
  await clock.advanceUntil(() => clock.now() >= end, { stepMs: 100 });
  await host.stop();
  await boots;
  expect(host.console("1")).not.toContain("is healthy");
});
