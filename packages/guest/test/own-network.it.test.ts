import { createCertificateAuthority, issueCertificate } from "@capstan/pki";
import { connect, createClient, type Client } from "@capstan/kube";
import { Secret } from "@capstan/contract";
import { resource, type KubeObject } from "@capstan/schema";
import { freePort, recentClock, seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { createGuestHost } from "../src/index.ts";

interface NodeObject extends KubeObject {
  readonly spec?: { readonly providerID?: string; readonly taints?: readonly { readonly key: string }[] };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const Node = resource<NodeObject>({ group: "", version: "v1", kind: "Node", plural: "nodes", namespaced: false });

const ConfigMap = resource({ group: "", version: "v1", kind: "ConfigMap", plural: "configmaps" });

const address = "127.0.0.1";
const cloudTaint = "node.cloudprovider.kubernetes.io/uninitialized";

type Name = "k3s" | "rke2";

const commands: Readonly<Record<Name, string>> = {
  k3s: "curl -sfL -o /run/install.sh https://get.k3s.io && INSTALL_K3S_VERSION=v1.35.4+k3s1 INSTALL_K3S_EXEC=server sh /run/install.sh",
  rke2:
    "curl -sfL -o /run/install.sh https://get.rke2.io && INSTALL_RKE2_VERSION=v1.35.4+rke2r1 INSTALL_RKE2_TYPE=server sh /run/install.sh" +
    " && systemctl enable rke2-server.service && systemctl start rke2-server.service",
};

/** Boots the first server of a cluster, and gives `use` its one Node as soon as it has settled. */
const withServer = async (
  name: Name,
  config: object,
  use: (node: NodeObject, client: Client) => Promise<void> | void,
  more: readonly { readonly path: string; readonly content: string }[] = [],
  command = commands[name],
): Promise<void> => {
  const clock = recentClock();
  const host = createGuestHost({ clock, random: seededRandom(2), lenient: false });
  const [authority, clients] = [
    await createCertificateAuthority({ now: clock.now() }),
    await createCertificateAuthority({ now: clock.now() }),
  ];
  const port = await freePort();
  const folder = `/var/lib/rancher/${name}/server/tls`;
  const files = Object.entries({ "server-ca": authority, "client-ca": clients }).flatMap(([file, pair]) => [
    { path: `${folder}/${file}.crt`, content: pair.certificate },
    { path: `${folder}/${file}.key`, content: pair.key },
  ]);
  const content = stringify({ token: "6f1d0c2b9a8e47d5b3c2a1908f7e6d5c", "https-listen-port": port, ...config });
  const document = {
    write_files: [...files, ...more, { path: `/etc/rancher/${name}/config.yaml`, content }],
    runcmd: [command],
  };
  const userData = Buffer.from(`#cloud-config\n${stringify(document)}`).toString("base64");
  let over = false;
  const request = {
    id: "server",
    metadata: { "local-hostname": "server" },
    userData,
    address,
    image: "linode/ubuntu22.04",
  };
  void host.boot({ ...request, providerID: "example://server" }).then(() => (over = true));
  await clock.advanceUntil(() => over, { stepMs: 100, maxMs: 900_000 });
  const admin = await issueCertificate(clients, {
    now: clock.now(),
    commonName: "admin",
    organizations: ["system:masters"],
    usages: ["client"],
  });
  const connection = connect({
    url: `https://${address}:${port}`,
    ca: authority.certificate,
    clientCertificate: admin.certificate,
    clientKey: new Secret(admin.key),
    clock,
  });
  const client: Client = createClient(connection);
  try {
    // A plugin that comes as a DaemonSet is there within this time.
    for (let second = 0; second < 10; second += 1) {
      await client.get(Node, { name: "server" });
      await clock.advance(1000);
    }
    await use(await client.get(Node, { name: "server" }), client);
  } finally {
    await connection.close();
    await host.stop();
  }
};

const seen = ({ spec, status }: NodeObject) => ({
  ready: status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true,
  waits: (spec?.taints ?? []).some(({ key }) => key === cloudTaint),
  ...(spec?.providerID !== undefined && { providerID: spec.providerID }),
});

const external = { "kubelet-arg": ["cloud-provider=external"] };

it.each([
  ["k3s", "has its own network and controller", external, { ready: true, waits: false, providerID: "k3s://server" }],
  [
    "k3s",
    "has neither when both are switched off",
    { ...external, "flannel-backend": "none", "disable-cloud-controller": true },
    { ready: false, waits: true },
  ],
  ["rke2", "has its own network and controller", {}, { ready: true, waits: false, providerID: "rke2://server" }],
  [
    "rke2",
    "has the plugin it is told, and waits for the cloud it is told",
    { cni: ["multus", "calico"], "cloud-provider-name": "external" },
    { ready: true, waits: true },
  ],
  [
    "rke2",
    "has no network when it is told so",
    { cni: ["none"] },
    { ready: false, waits: false, providerID: "rke2://server" },
  ],
] as const)("the Node of a server of %s %s", async (name, _case, config, expected) => {
  await withServer(name, config, (node) => expect(seen(node)).toEqual(expected));
});

it.each([
  [
    "k3s",
    `curl -sfLo /usr/local/bin/k3s https://github.com/k3s-io/k3s/releases/download/v1.35.4+k3s1/k3s && chmod 755 /usr/local/bin/k3s
printf '[Service]\\nEnvironmentFile=-/etc/k3s.env\\nExecStart=/usr/local/bin/k3s \\\\\\n    server \\\\\\n\\t'"'--node-label=from=unit'"' \\\\\\n\\n' > /etc/systemd/system/k3s.service
systemctl enable /etc/systemd/system/k3s.service && systemctl restart k3s`,
  ],
  [
    "rke2",
    `curl -sfL https://github.com/rancher/rke2/releases/download/v1.35.4%2Brke2r1/rke2.linux-amd64.tar.gz | tar xz -C /usr/local
sed -i 's/rke2 server/rke2 server --node-label from=unit/' /usr/local/lib/systemd/system/rke2-server.service
systemctl enable --now rke2-server.service`,
  ],
] as const)("a server of %s runs as its unit says, whoever wrote it", async (name, command) => {
  const use = (node: NodeObject): void => {
    expect(seen(node)).toMatchObject({ ready: true });
    expect(node.metadata.labels).toMatchObject({ from: "unit" });
  };
  await withServer(name, {}, use, [], command);
});

const configMap = (name: string) =>
  stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { a: "b" } });

const seesManifests = async (_node: NodeObject, client: Client): Promise<void> => {
  const { items } = await client.list(ConfigMap, { namespace: "kube-system" });
  const names = items.map(({ metadata }) => metadata.name);
  expect(names).toEqual(expect.arrayContaining(["one", "two"]));
  expect(names).not.toContain("three");
};

it("applies the manifests in the folder of a server, whatever else is there", async () => {
  const folder = "/var/lib/rancher/k3s/server/manifests";
  const more = [
    { path: `${folder}/two.yaml`, content: `${configMap("one")}---\n${configMap("two")}` },
    { path: `${folder}/bad.yaml`, content: "kind: [" },
    { path: `${folder}/other.txt`, content: configMap("three") },
  ];
  await withServer("k3s", {}, seesManifests, more);
});

const HelmChart = resource({ group: "helm.cattle.io", version: "v1", kind: "HelmChart", plural: "helmcharts" });

const helmChart = (name: string, repo: string) =>
  stringify({
    apiVersion: "helm.cattle.io/v1",
    kind: "HelmChart",
    metadata: { name, namespace: "kube-system" },
    spec: { chart: name, repo, bootstrap: true, targetNamespace: "kube-system", version: "1.15.4" },
  });

it("a server of k3s installs the charts in its folder of manifests, before it has a network", async () => {
  const folder = "/var/lib/rancher/k3s/server/manifests";
  const files = [
    { path: `${folder}/cilium.yaml`, content: helmChart("cilium", "https://helm.cilium.io/") },
    { path: `${folder}/other.yaml`, content: helmChart("other", "https://charts.example.com") },
  ];
  const use = async (node: NodeObject, client: Client): Promise<void> => {
    expect(seen(node)).toMatchObject({ ready: true });
    const chart = (name: string) => client.get(HelmChart, { namespace: "kube-system", name });
    expect(await chart("cilium")).toMatchObject({ status: { jobName: "helm-install-cilium" } });
    const message = expect.stringContaining('chart "other" is not in https://charts.example.com');
    expect(await chart("other")).toMatchObject({
      status: {
        conditions: expect.arrayContaining([expect.objectContaining({ type: "Failed", status: "True", message })]),
      },
    });
  };
  await withServer("k3s", { ...external, "flannel-backend": "none" }, use, files);
});
