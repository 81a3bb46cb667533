import { SecretResource } from "@capstan/contract/wire";
import { fnv1a, type ObjectKey } from "@capstan/kube-values";
import { apiVersionOf, isKind, type Kind, type Resource } from "@capstan/schema";
import { createTinkerbellProvider } from "@capstan/tinkerbell";
import { BmcJob, Hardware, Template, Workflow } from "@capstan/tinkerbell/api";
import type { ClaimedObjects, InfraMachineSubject, SuiteEnvironment } from "@capstan/testing/conformance";
import { TinkerbellCluster, TinkerbellMachine } from "../src/api.ts";
import { createMetalProvider } from "../src/index.ts";
import { tinkerbellPart } from "./tinkerbell-part.ts";

/** What the provider watches, and Tinkerbell. */
export const kinds: readonly Kind[] = [createMetalProvider(), createTinkerbellProvider()].flatMap((provider) =>
  (provider.kinds as readonly Pick<Resource, "kind">[]).filter(isKind),
);

/** Addresses of a machine, as no other has them. */
export const machineAddresses = ({
  name,
  namespace = "",
}: ObjectKey): { readonly mac: string; readonly ip: string } => {
  const bytes = [24, 16, 8, 0].map((shift) => (fnv1a(`${namespace}/${name}`) >>> shift) & 255);
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
  return { mac: `52:54:${digits.join(":")}`, ip: `10.${bytes.slice(1).join(".")}` };
};

/** Hardware that wants nothing. */
export const hardwareSpec = (key: ObjectKey) => {
  const { ip, mac } = machineAddresses(key);
  return {
    bmcRef: { apiGroup: "bmc.tinkerbell.org", kind: "Machine", name: `${key.name}-bmc` },
    disks: [{ device: "/dev/sda" }],
    interfaces: [{ dhcp: { mac, ip: { address: ip } }, netboot: { allowPXE: false } }],
  };
};

const ownerName = "v1alpha1.tinkerbell.org/ownerName";
const ownerNamespace = "v1alpha1.tinkerbell.org/ownerNamespace";

const claims: ClaimedObjects = {
  kind: Hardware,
  body: (key) => ({
    apiVersion: apiVersionOf(Hardware),
    kind: Hardware.kind,
    metadata: key,
    spec: hardwareSpec(key),
  }),
  taken: { metadata: { labels: { [ownerName]: "somebody", [ownerNamespace]: "elsewhere" } } },
};

const madeForName = "capt.tinkerbell.org/machine-name";
const madeForNamespace = "capt.tinkerbell.org/machine-namespace";

/** Everything that has a machine's name and namespace. */
const countsOf = ({ client }: SuiteEnvironment) => {
  /** Objects keep their namespace and are called `m`; the uids of those that are gone are remembered. */
  const namespaces = new Map<string, string>();
  const namespaceOf = async (uid: string): Promise<string | undefined> => {
    for (const { metadata } of (await client.list(TinkerbellMachine, {})).items) {
      namespaces.set(metadata.uid ?? "", metadata.namespace ?? "");
    }
    return namespaces.get(uid);
  };
  const servers = async (uid: string) => {
    const namespace = await namespaceOf(uid);
    const { items } = await client.list(Hardware, {});
    return items.filter(({ metadata }) => namespace !== undefined && metadata.labels?.[ownerNamespace] === namespace);
  };
  const made = async (uid: string): Promise<number> => {
    const namespace = await namespaceOf(uid);
    const lists = await Promise.all(
      ([Template, Workflow, BmcJob] as readonly Resource[]).map(async (kind) => (await client.list(kind, {})).items),
    );
    return lists
      .flat()
      .filter(
        ({ metadata }) => metadata.labels?.[madeForNamespace] === namespace && metadata.labels?.[madeForName] === "m",
      ).length;
  };
  /** Bootstrap data that no one uses any more is left as well. */
  const secrets = async (uid: string): Promise<number> => {
    const namespace = await namespaceOf(uid);
    const [hardware, all] = [
      await client.list(Hardware, {}),
      await client.list(SecretResource, { namespace: namespace ?? "" }),
    ];
    const kept = all.items.filter(({ metadata }) => metadata.name === "m-user-data");
    const named = hardware.items.filter(
      ({ metadata }) =>
        metadata.annotations?.["capstan.dev/user-data-secret"] !== undefined &&
        metadata.labels?.[ownerName] === undefined,
    );
    return kept.length + named.length;
  };
  return {
    serversOf: async (uid: string) => (await servers(uid)).length,
    partsOf: async (uid: string) => (await servers(uid)).length + (await made(uid)) + (await secrets(uid)),
    destroy: async (uid: string) => {
      for (const { metadata } of await servers(uid)) {
        const key = { namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
        await client.patch(Hardware, key, { type: "merge", body: { metadata: { finalizers: null } } });
        await client.delete(Hardware, key);
      }
    },
  };
};

export const metadataUrl = "http://192.0.2.1:7080";

/** Machines of Tinkerbell as a subject of the suites: its controllers are played beside the provider. */
export const machineSubject: InfraMachineSubject = {
  kinds,
  machineKind: TinkerbellMachine,
  clusterKind: TinkerbellCluster,
  machineSpec: {},
  clusterSpec: { controlPlaneEndpoint: { host: "10.3.0.100" } },
  claims,
  start: async (environment) => {
    const tinkerbell = await environment.runManager({ providers: [tinkerbellPart({})] });
    return {
      provider: () => createMetalProvider({ metadataUrl }),
      ...countsOf(environment),
      stop: () => tinkerbell.stop(),
    };
  },
};
