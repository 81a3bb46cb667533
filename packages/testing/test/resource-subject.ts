import { callFault } from "../src/conformance.ts";
import type { ResourceCloud, ResourceSubject } from "../src/conformance.ts";
import { createNetworkProvider, Network, NetworkCloud } from "./network-provider.ts";

const ignore = (): void => undefined;

/** Networks of an example cloud in memory. */
export const networkSubject: ResourceSubject = {
  kinds: [Network],
  kind: Network,
  spec: { range: "10.0.0.0/16", rules: ["ssh"] },
  change: { rules: ["ssh", "https"] },
  refused: { change: { range: "10.1.0.0/16" }, field: "spec.range is 10.0.0.0/16, want 10.1.0.0/16" },
  start: async () => {
    const cloud = new NetworkCloud();
    let hook: (call: string, phase: "before" | "after") => void = ignore;
    cloud.calls.onCall = (call, phase) => {
      if (call !== "list") hook(call, phase);
    };
    const of = (uid: string) => [...cloud.networks.values()].filter(({ tag }) => tag.endsWith(uid));
    const world: ResourceCloud = {
      provider: () => createNetworkProvider(cloud),
      count: (uid) => of(uid).length,
      drift: (uid) => of(uid).forEach(({ id }) => cloud.update(id, { rules: [] })),
      isAsDesired: ({ metadata, spec }) => {
        const [network] = of(metadata.uid ?? "");
        return network?.rules.join() === (spec as Network["spec"]).rules?.join();
      },
      destroy: (uid) => of(uid).forEach(({ id }) => cloud.networks.delete(id)),
      disturb: (fault) => cloud.calls.disturb(callFault(fault.on, fault)),
      onCall: (next) => {
        hook = next;
      },
    };
    return world;
  },
};
