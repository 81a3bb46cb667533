import { Group } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { userDataRoutes } from "@capstan/kit/delivery";
import { absent, failed, infraMachine, internalIP, pending, present, removing } from "@capstan/kit/machine";
import type { MachineObservation } from "@capstan/kit/machine";
import { withEpoch } from "@capstan/kit/engine";
import { AcmeCluster } from "../api/acme-cluster.v1alpha1.ts";
import { AcmeMachine } from "../api/acme-machine.v1alpha1.ts";
import type { Server } from "../cloud/acme-api.ts";
import type { Connect } from "../cloud/connections.ts";
import { namedSecret } from "../cloud/secret-ref.ts";
import { acmeDefaults, type AcmeProviderOptions } from "../options.ts";
import { providerIDOf } from "./provider-id.ts";

/** Acme takes user-data below this size, before base64. */
const userDataLimitBytes = 16_384;

/** Returns the observation of an AcmeMachine from its server. */
export const observation = (server: Server | undefined): MachineObservation => {
  if (server === undefined) return absent();
  const { id, state, address } = server;
  const facts = { handle: id, providerID: providerIDOf(id), status: { serverState: state } };
  switch (state) {
    case "running":
      return present({ ...facts, addresses: [internalIP(address)] });
    case "deleting":
      return removing(facts);
    case "off":
      return failed({ ...facts, reason: "Off", message: "the server is off; start it at Acme, or delete the Machine" });
    default:
      return pending({ ...facts, reason: state === "booting" ? "Booting" : "Provisioning" });
  }
};

/** Servers at Acme as machines of the Cluster API. */
export const acmeMachine = (connect: Connect, options: AcmeProviderOptions): ControllerV1 =>
  infraMachine({
    kind: AcmeMachine,
    clusterKind: AcmeCluster,
    finalizer: `acmemachine.${Group.infrastructure}`,
    credentialsRef: ({ infraCluster }) => namedSecret(infraCluster?.spec?.credentialsRef),
    objectStore: ({ infraCluster }) => {
      const credentialsRef = namedSecret(infraCluster?.spec?.objectStoreRef);
      return credentialsRef === undefined ? undefined : { credentialsRef };
    },
    // A server can be deleted by it where someone removed its AcmeCluster by force.
    clusterRecord: ({ spec: { credentialsRef, objectStoreRef } = {} }) => ({
      spec: { credentialsRef, objectStoreRef },
    }),
    connect: ({ credentials }) => connect(credentials),
    inventory: {
      scope: ({ credentials }) => credentials?.fingerprint ?? "",
      list: ({ api, call }) => api.servers(call),
      tagsOf: ({ labels, tag }) => [tag, ...labels],
      providerIDOf: ({ id }) => providerIDOf(id),
      pollMs: options.pollMs ?? acmeDefaults.pollMs,
      settledPollMs: options.settledPollMs ?? acmeDefaults.settledPollMs,
    },
    observe: async ({ item }) => observation(item),
    create: async ({ api, bootstrap, call, identity, object }) => {
      const { base64: userData } = await bootstrap.deliver(userDataRoutes({ limitBytes: userDataLimitBytes }));
      const { name, tag } = identity;
      const labels = withEpoch([], identity);
      const size = object.spec?.size ?? "small";
      const { id } = await api.createServer({ name, tag, labels, size, userData }, call);
      return { handle: id, providerID: providerIDOf(id) };
    },
    mark: ({ api, call, handle, identity, item }) => api.label(handle, withEpoch(item?.labels ?? [], identity), call),
    stages: () => [
      { name: "creating", reasons: ["Creating", "Provisioning"] },
      { name: "booting", reasons: ["Booting"] },
    ],
    remove: ({ api, call, handle }) => api.deleteServer(handle, call),
  });
