import { claimed } from "@capstan/kit/engine";
import type { MachineVerbContext } from "@capstan/kit/machine";
import type { ElementalCluster } from "../api/elemental-cluster.v1beta1.ts";
import { ElementalHost } from "../api/elemental-host.v1beta1.ts";
import type { ElementalMachine } from "../api/elemental-machine.v1beta1.ts";
import { hostMark, mayBeUsed } from "../host/host-facts.ts";
import { workloadNode } from "./workload-node.ts";

/** Related objects of a machine: a host of the namespace, and its Node. */
export const uses = {
  host: claimed(ElementalHost, { mark: hostMark, mayBeClaimed: mayBeUsed }),
  node: workloadNode(),
};

/** Dependencies of machines other than the management API. */
export interface MachineTools {
  /** The digest that an image reference means now. */
  readonly resolve: (image: string, signal: AbortSignal) => Promise<string>;
}

/** Context that verbs of machines receive. */
export type Context = MachineVerbContext<ElementalMachine, MachineTools, ElementalCluster, typeof uses>;
