import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCertificateAuthority, issueCertificate, type CertificateAndKey } from "@capstan/pki";
import { connect, createClient, type Client } from "@capstan/kube";
import { Secret } from "@capstan/contract";
import { resource } from "@capstan/schema";
import { freePort, recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { createGuestHost, type GuestHost } from "../src/index.ts";

const Node = resource({ group: "", version: "v1", kind: "Node", plural: "nodes", namespaced: false });
const address = "127.0.0.1";
const sentinel = "/run/cluster-api/bootstrap-success.complete";
const version = "v1.35.4+k3s1";
const token = "6f1d0c2b9a8e47d5b3c2a1908f7e6d5c";

const tls = "/var/lib/rancher/k3s/server/tls";

const pair = (name: string, { certificate, key }: CertificateAndKey) => [
  { path: `${tls}/${name}.crt`, content: certificate },
  { path: `${tls}/${name}.key`, content: key },
];

/** User-data that installs k3s with these settings. */
const install = (
  role: "agent" | "server",
  config: object,
  { files = [], of = version }: { files?: readonly object[]; of?: string } = {},
): string => {
  const command = [
    "curl -sfL --retry 5 -o /run/k3s-install.sh https://get.k3s.io",
    `INSTALL_K3S_VERSION='${of}' INSTALL_K3S_EXEC='${role}' sh /run/k3s-install.sh`,
    `echo success > ${sentinel}`,
  ].join(" && ");
  const content = stringify(config);
  const document = { write_files: [...files, { path: "/etc/rancher/k3s/config.yaml", content }], runcmd: [command] };
  return Buffer.from(`#cloud-config\n${stringify(document)}`).toString("base64");
};

describe("a cluster of k3s", () => {
  const clock = recentClock();
  const directory = mkdtempSync(join(tmpdir(), "guest-k3s-"));
  let host: GuestHost;
  let servers: CertificateAndKey;
  let clients: CertificateAndKey;
  let url: string;
  const ports: number[] = [];

  const boot = async (id: string, userData: string, stepMs = 100): Promise<string> => {
    let over = false;
    const request = { id, metadata: { "local-hostname": id }, userData, address, providerID: `example://${id}` };
    void host.boot(request).then(() => (over = true));
    await clock.advanceUntil(() => over, { stepMs, maxMs: 900_000 });
    return host.console(id);
  };

  const isBootstrapped = (id: string): boolean => host.disk(id)?.stat(sentinel) !== undefined;

  /** What an administrator sees, with a certificate of the authority for clients. */
  const asAdministrator = async <T>(see: (client: Client) => Promise<T>): Promise<T> => {
    const { certificate, key } = await issueCertificate(clients, {
      now: clock.now(),
      commonName: "admin",
      organizations: ["system:masters"],
      usages: ["client"],
    });
    const ca = servers.certificate;
    const connection = connect({ clock, url, ca, clientCertificate: certificate, clientKey: new Secret(key) });
    try {
      return await see(createClient(connection));
    } finally {
      await connection.close();
    }
  };

  const firstServer = () =>
    install(
      "server",
      {
        "cluster-init": true,
        token,
        "agent-token": "for-agents",
        "https-listen-port": ports[0],
        "tls-san": ["k3s.example"],
        "kubelet-arg": ["cloud-provider=external"],
      },
      { files: [...pair("server-ca", servers), ...pair("client-ca", clients)] },
    );

  const agent = (config: object, of?: string) =>
    install("agent", { server: url, ...config }, of === undefined ? {} : { of });

  beforeAll(async () => {
    const versionOf = async ({ providerID }: { readonly providerID: string }) =>
      providerID.includes("image") ? "v1.34.1+k3s1" : undefined;
    host = createGuestHost({ clock, random: seededRandom(3), directory, versionOf, lenient: true });
    servers = await createCertificateAuthority({ now: clock.now(), algorithm: "ECDSA-P256" });
    clients = await createCertificateAuthority({ now: clock.now(), algorithm: "ECDSA-P256" });
    ports.push(await freePort(), await freePort());
    url = `https://${address}:${ports[0]}`;
    expect(await boot("first", firstServer())).toContain("server of v1.35.4+k3s1 is running as Node first");
  });
  afterAll(async () => {
    await host.stop();
    rmSync(directory, { recursive: true });
  });

  it("shows its server as a Node with the distribution's labels", async () => {
    expect(isBootstrapped("first")).toBe(true);
    const node = await asAdministrator((client) => client.get(Node, { name: "first" }));
    expect(node).toMatchObject({
      metadata: {
        labels: {
          "node-role.kubernetes.io/control-plane": "true",
          "node-role.kubernetes.io/etcd": "true",
          "node.kubernetes.io/instance-type": "k3s",
        },
      },
      spec: { providerID: "example://first" },
      status: { nodeInfo: { kubeletVersion: version } },
    });
    expect(node.metadata.labels).not.toHaveProperty(["node-role.kubernetes.io/master"]);
  });

  it("is joined by an agent, with its labels, its taints and its name", async () => {
    const settings = {
      token: "for-agents",
      "node-name": "web",
      "node-label": ["tier=web"],
      "node-taint": ["only=web:NoSchedule"],
    };
    await boot("agent", agent(settings));
    expect(isBootstrapped("agent")).toBe(true);
    const node = await asAdministrator((client) => client.get(Node, { name: "web" }));
    expect(node).toMatchObject({
      metadata: { labels: { tier: "web" } },
      spec: { taints: [{ key: "only", value: "web", effect: "NoSchedule" }], providerID: "k3s://web" },
    });
    expect(node.metadata.labels).not.toHaveProperty(["node-role.kubernetes.io/control-plane"]);
  });

  it("is joined by a server, which serves it too", async () => {
    const config = { server: url, token, "https-listen-port": ports[1] };
    await boot("second", install("server", config));
    expect(isBootstrapped("second")).toBe(true);
    const before = url;
    url = `https://${address}:${ports[1]}`;
    const { items } = await asAdministrator((client) => client.list(Node));
    url = before;
    expect(items.map(({ metadata }) => metadata.name)).toContain("second");
  });

  it("is joined with a token that pins its authority", async () => {
    const hash = createHash("sha256").update(servers.certificate).digest("hex");
    await boot("pinned", agent({ token: `K10${hash}::server:${token}` }));
    expect(isBootstrapped("pinned")).toBe(true);
  });

  it.each([
    ["wrong-token", { token: "wrong" }, "not authorized"],
    ["wrong-hash", { token: `K10${"0".repeat(64)}::server:${token}` }, "token CA hash does not match"],
    ["short-hash", { token: `K10abc::server:${token}` }, "invalid token CA hash length"],
  ])("refuses %s, and says no success", async (id, config, words) => {
    expect(await boot(id, agent(config))).toContain(words);
    expect(isBootstrapped(id)).toBe(false);
  });

  it("takes no server with the token of agents, and no version without its suffix", async () => {
    const server = install("server", { server: url, token: "for-agents", "https-listen-port": ports[1] });
    expect(await boot("not-a-server", server)).toContain("not authorized");
    expect(await boot("no-suffix", agent({ token }, "v1.35.4"))).toContain('Unable to find the version "v1.35.4"');
    expect(isBootstrapped("not-a-server")).toBe(false);
    expect(isBootstrapped("no-suffix")).toBe(false);
  });

  const checksum = createHash("sha256").update("artifacts\n").digest("hex");
  const offline = (settings: object, expected = checksum): string => {
    const command = [
      `[ "$(sha256sum /opt/k3s-artifacts/sha256sum*.txt | awk '{print $1}')" = "${expected}" ]`,
      "INSTALL_K3S_SKIP_DOWNLOAD=true INSTALL_K3S_EXEC='agent' sh /opt/install.sh",
      `echo success > ${sentinel}`,
    ].join(" && ");
    const files = [
      { path: "/opt/k3s-artifacts/sha256sum-amd64.txt", content: "artifacts\n" },
      { path: "/etc/rancher/k3s/config.yaml", content: stringify({ server: url, token, ...settings }) },
    ];
    return Buffer.from(`#cloud-config\n${stringify({ write_files: files, runcmd: [command] })}`).toString("base64");
  };

  it("is joined from files of the image, in its version, when they are those that were meant", async () => {
    await boot("image-1", offline({}));
    expect(isBootstrapped("image-1")).toBe(true);
    const node = await asAdministrator((client) => client.get(Node, { name: "image-1" }));
    expect(node).toMatchObject({ status: { nodeInfo: { kubeletVersion: "v1.34.1+k3s1" } } });
    await boot("image-2", offline({}, "0".repeat(64)));
    expect(isBootstrapped("image-2")).toBe(false);
    expect(await boot("bare", offline({}))).toContain('Unable to find the version "" of k3s in the image');
    expect(isBootstrapped("bare")).toBe(false);
  });

  it("is joined by the script of a mirror", async () => {
    const mirrored = Buffer.from(agent({ token }), "base64")
      .toString()
      .replaceAll("https://get.k3s.io", "https://mirror.example/k3s.sh");
    await boot("mirrored", Buffer.from(mirrored).toString("base64"));
    expect(isBootstrapped("mirrored")).toBe(true);
    const node = await asAdministrator((client) => client.get(Node, { name: "mirrored" }));
    expect(node).toMatchObject({ status: { nodeInfo: { kubeletVersion: version } } });
  });

  it("gives up where no server answers", async () => {
    const nowhere = `https://${address}:${await freePort()}`;
    const output = await boot("alone", install("agent", { server: nowhere, token }), 2000);
    expect(output).toContain("failed to get CA certs");
    expect(isBootstrapped("alone")).toBe(false);
  });

  it("is there again after a restart", async () => {
    await host.stop();
    host = createGuestHost({ clock, random: seededRandom(4), directory, lenient: true });
    expect(await boot("first", firstServer())).toContain("serving again");
    const { items } = await asAdministrator((client) => client.list(Node));
    expect(items.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(["first", "second", "web"]));
    await boot("late", agent({ token }));
    expect(isBootstrapped("late")).toBe(true);
  });
});
