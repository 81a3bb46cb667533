import type { ControllerV1 } from "@capstan/contract/v1";
import type { ConditionInput } from "@capstan/contract/wire";
import { isValidEndpoint } from "@capstan/contract/wire";
import { absent, infraCluster, present } from "@capstan/kit/cluster";
import { isBeingDeleted } from "@capstan/kube-values";
import { ElementalCondition, ElementalReason } from "../api/elemental-conditions.ts";
import { ElementalCluster } from "../api/elemental-cluster.v1beta1.ts";
import { ElementalMachine } from "../api/elemental-machine.v1beta1.ts";
import { clusterFinalizer } from "../api/names.ts";

const owned: ConditionInput = {
  type: ElementalCondition.capiClusterReady,
  status: "True",
  reason: ElementalReason.done,
};

const missing = {
  reason: ElementalReason.missingControlPlaneEndpoint,
  message: "spec.controlPlaneEndpoint has no host and port; set those of an address that leads to the control plane",
};

/** The infrastructure of clusters: an endpoint that the user has made. */
export const elementalCluster = (): ControllerV1 =>
  infraCluster<ElementalCluster, undefined, ElementalMachine>({
    kind: ElementalCluster,
    machineKind: ElementalMachine,
    finalizer: clusterFinalizer,
    observe: async ({ additional, object }) => {
      // There is nothing to remove: the endpoint is the user's.
      if (isBeingDeleted(object)) return absent();
      if (additional) return present({ conditions: [owned] });
      const type = ElementalCondition.controlPlaneEndpointReady;
      const endpoint = object.spec?.controlPlaneEndpoint;
      if (!isValidEndpoint(endpoint)) {
        return absent({ ...missing, conditions: [owned, { type, status: "False", severity: "Error", ...missing }] });
      }
      return present({ endpoint, conditions: [owned, { type, status: "True", reason: ElementalReason.done }] });
    },
    create: async () => undefined,
    remove: async () => undefined,
  });
