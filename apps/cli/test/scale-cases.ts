import { isCapstanError } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import type { Client } from "@capstan/kube";
import { apiVersionOf, type KubeObject, type Resource, isKind, type Kind } from "@capstan/schema";
import { expect } from "vitest";

/** Providers of every kind that is scaled; whose kinds `wanted` has to name. */
export const scaledProviders = [
  "core",
  "bootstrap-kubeadm",
  "controlplane-kubeadm",
  "controlplane-rke2-k3s",
  "infra-linode",
] as const;

const infrastructureRef = {
  apiGroup: "infrastructure.cluster.x-k8s.io",
  kind: "LinodeMachineTemplate",
  name: "m",
} as const;
const machine = { clusterName: "c", bootstrap: { dataSecretName: "d" }, infrastructureRef };
const workers = { clusterName: "c", selector: { matchLabels: { a: "b" } }, replicas: 3 };
const template = { metadata: { labels: { a: "b" } }, spec: machine };
const kubeadm = {
  version: "v1.33.4",
  replicas: 3,
  machineTemplate: { spec: { infrastructureRef } },
  kubeadmConfigSpec: { format: "cloud-config" },
};
const external = { etcd: { external: { endpoints: ["https://e"], caFile: "/a", certFile: "/b", keyFile: "/c" } } };

interface Scaled {
  readonly name?: string;
  readonly spec: object;
  readonly accepted: readonly number[];
  /** By the rules of the object; negative numbers and those above the limit are refused of every kind. */
  readonly refused: readonly number[];
}

const even = { accepted: [5, 4, 0, 3], refused: [] };

/** By plural: an object, and what it is scaled to. */
const wanted: Readonly<Record<string, readonly Scaled[]>> = {
  kubeadmcontrolplanes: [
    { name: "stacked", spec: kubeadm, accepted: [5, 3], refused: [4, 0] },
    {
      name: "external",
      spec: { ...kubeadm, kubeadmConfigSpec: { clusterConfiguration: external } },
      accepted: [4, 3],
      refused: [0],
    },
  ],
  kthreescontrolplanes: [
    {
      spec: {
        version: "v1.33.4+k3s1",
        replicas: 3,
        machineTemplate: {
          infrastructureRef: { ...infrastructureRef, apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha2" },
        },
        kthreesConfigSpec: {},
      },
      accepted: [5, 4, 3],
      refused: [0],
    },
  ],
  machinedeployments: [{ spec: { ...workers, template }, ...even }],
  machinesets: [{ spec: { ...workers, template }, ...even }],
  machinepools: [{ spec: { clusterName: "c", replicas: 3, template }, ...even }],
};

type ScaledKind = Kind<KubeObject>;

const scaledKinds = (providers: readonly ProviderV1[]): readonly ScaledKind[] =>
  providers
    .flatMap(({ kinds }) => kinds)
    .filter((resource): resource is ScaledKind => isKind(resource) && resource.scale !== undefined);

type Outcome = readonly [code: number, fields: readonly unknown[]];

const outcomeOf = async (answer: Promise<unknown>): Promise<Outcome> => {
  try {
    await answer;
    return [200, []];
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    const { status, causes = [] } = error.details as { status: number; causes?: readonly { field?: string }[] };
    // A server names the path of the replicas with a dot in front.
    return [status, [...new Set(causes.map(({ field = "" }) => field.replace(/^\./, "")))]];
  }
};

const paths = ({ group, version, plural }: Resource, name: string): string =>
  `/apis/${group}/${version}/namespaces/default/${plural}/${name}`;

const merge = (client: Client, path: string, body: object) =>
  client.request<KubeObject>({
    method: "PATCH",
    path,
    headers: { "content-type": "application/merge-patch+json" },
    body,
  });

const put = async (client: Client, path: string, replicas: number) => {
  const scale = await client.request<KubeObject>({ method: "GET", path });
  return client.request({ method: "PUT", path, body: { ...scale, spec: { replicas } } });
};

const expectScaled = async (client: Client, kind: ScaledKind, { name = "scaled", spec, accepted, refused }: Scaled) => {
  const object = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name, namespace: "default" },
    spec,
  };
  await client.request({ method: "POST", path: paths(kind, "").replace(/\/$/, ""), body: object });
  const versions = [
    kind.version,
    ...(kind.versions ?? []).filter(({ served }) => served).map(({ version }) => version),
  ];
  const ways = versions.flatMap((version) => {
    const at = paths({ ...kind, version }, name);
    const patch = (replicas: number) => merge(client, `${at}/scale`, { spec: { replicas } });
    return [
      [`patch ${version}`, patch],
      [`put ${version}`, (replicas: number) => put(client, `${at}/scale`, replicas)],
    ] as const;
  });
  const live = async () =>
    (await client.request<{ spec: { replicas: number } }>({ method: "GET", path: paths(kind, name) })).spec.replicas;
  for (const [way, scaleTo] of ways) {
    const said = `${kind.kind} ${name}: ${way}`;
    for (const replicas of accepted) {
      expect([said, replicas, await outcomeOf(scaleTo(replicas))]).toEqual([said, replicas, [200, []]]);
      expect(await live()).toBe(replicas);
    }
    for (const replicas of [...refused, -1]) {
      expect([said, replicas, await outcomeOf(scaleTo(replicas))]).toEqual([said, replicas, [422, ["spec.replicas"]]]);
    }
    expect([said, (await outcomeOf(scaleTo(2 ** 31)))[0]]).toEqual([said, way.startsWith("put") ? 400 : 422]);
    expect(await live()).toBe(accepted.at(-1));
  }
  await client.request({ method: "DELETE", path: paths(kind, name) });
};

/** What a status says is held to the schema, and nothing else is written through it. */
const expectStatus = async (client: Client, kind: ScaledKind) => {
  const { spec } = (wanted[kind.plural] ?? [])[0] ?? { spec: {} };
  const metadata = { name: "status", namespace: "default" };
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec };
  await client.request({ method: "POST", path: paths(kind, "").replace(/\/$/, ""), body: object });
  const at = `${paths(kind, "status")}/status`;
  for (const status of [{ replicas: "three" }, { replicas: 1.5 }, { conditions: [{ type: "A", status: 5 }] }]) {
    expect([kind.kind, (await outcomeOf(merge(client, at, { status })))[0]]).toEqual([kind.kind, 422]);
  }
  const changed = await merge(client, at, { status: { replicas: 2 }, spec: { replicas: 4 } });
  expect(changed).toMatchObject({ spec: { replicas: 3 }, status: { replicas: 2 } });
  await client.request({ method: "DELETE", path: paths(kind, "status") });
};

/** Whoever writes `/scale` or `/status` of any kind is held to the rules of the object. */
export const expectSubresources = async (client: Client, providers: readonly ProviderV1[]): Promise<void> => {
  const kinds = scaledKinds(providers);
  expect(kinds.map(({ plural }) => plural).toSorted()).toEqual(Object.keys(wanted).toSorted());
  for (const kind of kinds) {
    for (const scaled of wanted[kind.plural] ?? []) await expectScaled(client, kind, scaled);
    await expectStatus(client, kind);
  }
};
