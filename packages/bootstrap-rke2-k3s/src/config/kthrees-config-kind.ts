import { cluster as clusterFields, formatEndpoint } from "@capstan/contract/wire";
import { KThreesConfig } from "../api.ts";
import { k3s } from "../render/k3s.ts";
import type { ConfigKind } from "./config-kind.ts";
import { machineVersion } from "./machine-version.ts";
import { waitForEndpoint } from "./wait-for-endpoint.ts";

/** k3s: everything stands in the config itself. */
export const kthreesConfigKind: ConfigKind<KThreesConfig> = {
  kind: KThreesConfig,
  distribution: k3s,
  controlPlane: () => Promise.resolve(undefined),
  sections: ({ spec = {} }) => ({
    agent: spec.agentConfig ?? {},
    server: spec.serverConfig ?? {},
    places: { agent: "spec.agentConfig", server: "spec.serverConfig" },
    files: spec.files ?? [],
    preCommands: spec.preK3sCommands ?? [],
    postCommands: spec.postK3sCommands ?? [],
    gzip: spec.gzipUserData === true,
    registries: spec.privateRegistriesConfig,
  }),
  version: (context) => {
    const { version = "" } = context.object.spec ?? {};
    return version === "" ? machineVersion(context) : { version, field: "spec.version" };
  },
  register: ({ cluster }) => {
    const endpoint = clusterFields.endpoint.get(cluster);
    return endpoint === undefined ? { outcome: waitForEndpoint() } : { url: `https://${formatEndpoint(endpoint)}` };
  },
};
