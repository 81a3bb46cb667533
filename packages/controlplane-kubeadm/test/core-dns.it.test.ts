import { createApiServer, type ApiServer } from "@capstan/apiserver";
import { Annotation } from "@capstan/contract";
import { ConfigMapResource } from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig, type Client, type Connection } from "@capstan/kube";
import { resource } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { KubeadmControlPlane } from "../src/api.ts";
import { updateCoreDns } from "../src/workload/core-dns.ts";

const Deployment = resource({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments" });
const key = { namespace: "kube-system", name: "coredns" };
const call = { signal: new AbortController().signal };
const labels = { "k8s-app": "kube-dns" };

let server: ApiServer;
let connection: Connection;
let client: Client;
beforeAll(async () => {
  const clock = recentClock();
  server = createApiServer({ clock, random: seededRandom(1), extensions: [] });
  await server.start();
  connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
  client = createClient(connection);
});
afterAll(async () => {
  await connection.close();
  await server.stop();
});

const configMap = (name: string, data: Readonly<Record<string, string>>) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { ...key, name },
  data,
});

const kubeadmConfig = "apiVersion: kubeadm.k8s.io/v1beta4\nclusterName: orchid\ndns: {}\nkind: ClusterConfiguration\n";

beforeEach(async () => {
  for (const name of ["coredns", "kubeadm-config"]) await client.delete(ConfigMapResource, { ...key, name });
  await client.delete(Deployment, key);
  await client.create(ConfigMapResource, configMap("kubeadm-config", { ClusterConfiguration: kubeadmConfig }));
  await client.create(ConfigMapResource, configMap("coredns", { Corefile: ".:53 {\n    errors\n}\n" }));
});

const begin = async (image: string): Promise<void> => {
  const containers = [
    { name: "sidecar", image: "registry.example/sidecar:1" },
    { name: "coredns", image, args: ["-conf", "/etc/coredns/Corefile"] },
  ];
  const template = { metadata: { labels }, spec: { containers } };
  const spec = { replicas: 2, selector: { matchLabels: labels }, template };
  await client.create(Deployment, { apiVersion: "apps/v1", kind: "Deployment", metadata: key, spec });
};

const controlPlane = (clusterConfiguration: object, annotations = {}): KubeadmControlPlane =>
  ({
    apiVersion: "controlplane.cluster.x-k8s.io/v1beta2",
    kind: "KubeadmControlPlane",
    metadata: { namespace: "default", name: "cp", annotations },
    spec: { version: "v1.36.0", machineTemplate: {}, kubeadmConfigSpec: { clusterConfiguration } },
  }) as unknown as KubeadmControlPlane;

const imageNow = async (): Promise<unknown> => {
  const { spec } = (await client.get(Deployment, key)) as unknown as {
    spec: { template: { spec: { containers: readonly { name: string; image: string }[] } } };
  };
  return spec.template.spec.containers.map(({ image }) => image);
};

const configNow = async (): Promise<string> => {
  const map = await client.get(ConfigMapResource, { ...key, name: "kubeadm-config" });
  return (map["data"] as Readonly<Record<string, string>>)["ClusterConfiguration"] ?? "";
};

const versionsNow = async (): Promise<unknown> =>
  Promise.all([
    client.get(Deployment, key).then(({ metadata }) => metadata.resourceVersion),
    client.get(ConfigMapResource, { ...key, name: "kubeadm-config" }).then(({ metadata }) => metadata.resourceVersion),
  ]);

it.each([
  [
    "a newer tag",
    "registry.k8s.io/coredns/coredns:v1.11.1",
    { dns: { imageTag: "v1.12.0" } },
    "registry.k8s.io/coredns/coredns:v1.12.0",
  ],
  [
    "another registry",
    "registry.k8s.io/coredns/coredns:v1.11.1",
    { imageRepository: "mirror.example:5000/k8s/" },
    "mirror.example:5000/k8s/coredns:v1.11.1",
  ],
  [
    "a registry of its own",
    "mirror.example/coredns:v1.11.1",
    { imageRepository: "mirror.example", dns: { imageRepository: "dns.example/a", imageTag: "v1.11.3" } },
    "dns.example/a/coredns:v1.11.3",
  ],
  [
    "the registry of Kubernetes again",
    "mirror.example/coredns:v1.11.1",
    { imageRepository: "registry.k8s.io" },
    "registry.k8s.io/coredns/coredns:v1.11.1",
  ],
  [
    "an image by its digest",
    "registry.k8s.io/coredns/coredns:v1.11.1@sha256:00",
    { dns: { imageTag: "v1.12.0" } },
    "registry.k8s.io/coredns/coredns:v1.12.0",
  ],
])("gives CoreDNS %s, once", async (_, before, configuration, after) => {
  await begin(before);
  const object = controlPlane(configuration);
  await updateCoreDns(client, object, call);
  expect(await imageNow()).toEqual(["registry.example/sidecar:1", after]);
  const settled = await versionsNow();
  await updateCoreDns(client, object, call);
  expect(await versionsNow()).toEqual(settled);
});

describe("a Corefile that has to change", () => {
  const old =
    ".:53 {\n    errors\n    kubernetes cluster.local {\n        upstream\n    }\n    proxy . /etc/resolv.conf\n}\n";
  const object = controlPlane({ dns: { imageTag: "v1.12.0" } });

  const beginOld = async (): Promise<void> => {
    await client.patch(ConfigMapResource, key, { type: "merge", body: { data: { Corefile: old, other: "x" } } });
    await client.patch(ConfigMapResource, key, { type: "merge", body: { metadata: { labels: { mine: "yes" } } } });
    await begin("registry.k8s.io/coredns:1.3.1");
    const configMap = {
      name: "coredns",
      items: [
        { key: "Corefile", path: "Corefile" },
        { key: "other", path: "other" },
      ],
    };
    const volumes = [{ name: "config-volume", configMap }];
    const body = { spec: { template: { spec: { volumes } } } };
    await client.patch(Deployment, key, { type: "strategic", body });
  };

  const mounted = async (): Promise<readonly string[]> => {
    const { spec } = (await client.get(Deployment, key)) as unknown as {
      spec: {
        template: { spec: { volumes: readonly { configMap: { items: readonly { key: string; path: string }[] } }[] } };
      };
    };
    return spec.template.spec.volumes.flatMap(({ configMap: { items } }) =>
      items.map((item) => `${item.key} at ${item.path}`),
    );
  };

  const assertUpdated = async (): Promise<void> => {
    const map = await client.get(ConfigMapResource, key);
    const data = map["data"] as Readonly<Record<string, string>>;
    expect(data["Corefile"]).toBe(
      ".:53 {\n    errors\n    kubernetes cluster.local\n    forward . /etc/resolv.conf {\n        max_concurrent 1000\n    }\n    ready\n}\n",
    );
    expect([data["Corefile-backup"], data["other"], map.metadata.labels]).toEqual([old, "x", { mine: "yes" }]);
    expect(await imageNow()).toEqual(["registry.example/sidecar:1", "registry.k8s.io/coredns/coredns:v1.12.0"]);
    expect(await mounted()).toEqual(["Corefile at Corefile", "other at other"]);
  };

  it("is changed with the image, and nothing a second time", async () => {
    await beginOld();
    await updateCoreDns(client, object, call);
    await assertUpdated();
    const settled = await versionsNow();
    await updateCoreDns(client, object, call);
    expect(await versionsNow()).toEqual(settled);
  });

  it("is changed although the process dies after any write", async () => {
    await beginOld();
    let crashes = 0;
    for (let allowed = 1; allowed < 10; allowed += 1) {
      let writes = 0;
      const patch: Client["patch"] = (...given) => {
        writes += 1;
        if (writes > 1) throw new Error("killed");
        return client.patch(...given);
      };
      const dying = { find: client.find.bind(client), patch } as unknown as Client;
      try {
        await updateCoreDns(dying, object, call);
        break;
      } catch (error) {
        expect((error as Error).message).toBe("killed");
        crashes += 1;
      }
    }
    expect(crashes).toBeGreaterThan(3);
    await assertUpdated();
  });
});

it("notes what it did for machines that join later", async () => {
  await begin("registry.k8s.io/coredns/coredns:v1.11.1");
  await updateCoreDns(client, controlPlane({ dns: { imageTag: "v1.12.0" } }), call);
  expect(await configNow()).toContain("dns:\n  imageTag: v1.12.0\n");
  expect(await configNow()).toContain("clusterName: orchid\n");
});

it.each([
  ["skipped", controlPlane({ dns: { imageTag: "v1.12.0" } }, { [Annotation.skipCoreDns]: "" })],
  ["not asked for", controlPlane({})],
  ["as it is already", controlPlane({ dns: { imageTag: "v1.11.1" } })],
])("leaves CoreDNS alone that is %s", async (_, object) => {
  await begin("registry.k8s.io/coredns/coredns:v1.11.1");
  const before = await versionsNow();
  await updateCoreDns(client, object, call);
  expect(await versionsNow()).toEqual(before);
});

it("leaves a cluster alone that has none, or one without its Corefile", async () => {
  const object = controlPlane({ dns: { imageTag: "v1.12.0" } });
  await expect(updateCoreDns(client, object, call)).resolves.toBeUndefined();
  await begin("registry.k8s.io/coredns/coredns:v1.11.1");
  await client.delete(ConfigMapResource, key);
  const before = await versionsNow();
  await updateCoreDns(client, object, call);
  expect(await versionsNow()).toEqual(before);
});

it("refuses an older one, and writes nothing", async () => {
  await begin("registry.k8s.io/coredns/coredns:v1.12.0");
  const before = await versionsNow();
  await expect(updateCoreDns(client, controlPlane({ dns: { imageTag: "v1.11.1" } }), call)).rejects.toMatchObject({
    code: "kubeadm.core_dns_not_updated",
    message: expect.stringContaining("v1.11.1 is older than v1.12.0") as unknown,
  });
  expect(await versionsNow()).toEqual(before);
});

it.each([
  ["broken YAML", "a: [", "has a ClusterConfiguration that is not valid YAML: line 1: "],
  ["no map", "- a", "has no ClusterConfiguration"],
])("says which ConfigMap cannot be read that has %s", async (_, text, problem) => {
  await begin("registry.k8s.io/coredns/coredns:v1.11.1");
  const body = { data: { ClusterConfiguration: text } };
  await client.patch(ConfigMapResource, { ...key, name: "kubeadm-config" }, { type: "merge", body });
  await expect(updateCoreDns(client, controlPlane({ dns: { imageTag: "v1.12.0" } }), call)).rejects.toMatchObject({
    code: "kubeadm.cluster_configuration_unreadable",
    message: expect.stringContaining(`kube-system/kubeadm-config of the workload cluster ${problem}`) as unknown,
  });
});
