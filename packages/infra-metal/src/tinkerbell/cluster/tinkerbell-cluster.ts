import { Group } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { absent, infraCluster, present } from "@capstan/kit/cluster";
import { isBeingDeleted } from "@capstan/kube-values";
import { TinkerbellCluster } from "../api/tinkerbell-cluster.v1beta1.ts";
import { TinkerbellReason } from "../api/tinkerbell-conditions.ts";
import { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import type { MetalProviderOptions } from "../../options.ts";
import { endpointOf } from "./endpoint.ts";

const endpointMissing =
  "no endpoint of the control plane: set spec.controlPlaneEndpoint of the TinkerbellCluster, or that of the Cluster, to an address at which the control plane's machines will answer";

/** Clusters on Tinkerbell's machines: nothing is made for them; their endpoint is the user's. */
export const tinkerbellCluster = ({ clusterConcurrency = 10 }: MetalProviderOptions): ControllerV1 =>
  infraCluster<TinkerbellCluster, undefined, TinkerbellMachine>({
    kind: TinkerbellCluster,
    machineKind: TinkerbellMachine,
    finalizer: `tinkerbellcluster.${Group.infrastructure}`,
    concurrency: clusterConcurrency,
    observe: async ({ additional, cluster, object }) => {
      if (isBeingDeleted(object)) return absent();
      if (additional) return present();
      const endpoint = endpointOf(object, cluster);
      if (endpoint !== undefined) return present({ endpoint });
      return absent({ reason: TinkerbellReason.controlPlaneEndpointMissing, message: endpointMissing });
    },
    // Never asked for: `observe` always has an endpoint or a reason.
    create: async () => undefined,
    remove: async () => undefined,
  });
