import { valueAt } from "@capstan/contract/wire";
import { defineProvider } from "@capstan/kit";
import { controlPlane } from "@capstan/kit/control-plane";
import type { ControlPlaneSubject } from "../src/conformance.ts";
import { PlainConfig, PlainControlPlane, plainControlPlaneAuthor } from "../src/plain-control-plane.ts";

const kinds = [PlainConfig, PlainControlPlane];

/** The smallest control plane on the kit's role. */
export const plainControlPlaneSubject: ControlPlaneSubject = {
  kinds,
  controlPlaneKind: PlainControlPlane,
  configKind: PlainConfig,
  // Without the controller of its bootstrap configs, whose part the suite plays.
  provider: () =>
    defineProvider({
      name: "controlplane-plain",
      kinds,
      register: (host) => host.add(controlPlane(plainControlPlaneAuthor)),
    }),
  spec: ({ replicas, version, maxSurge, labels, infrastructureRef }) => ({
    replicas,
    version,
    machineTemplate: { metadata: { labels }, spec: { infrastructureRef } },
    ...(maxSurge === undefined ? {} : { rollout: { maxSurge } }),
  }),
  roleOf: (config) => (valueAt(config, "spec.role") === "init" ? "init" : "join"),
  skip: {
    "outlives that somebody deletes all of its Machines": "it has no hook that would hold them",
    "asks for a Secret again when it has changed, and notices at once that one is gone": "it keeps no Secrets",
  },
};
