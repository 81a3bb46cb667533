import type { ControllerV1 } from "@capstan/contract/v1";
import type { Resource } from "@capstan/schema";
import type { MetalProviderOptions } from "../options.ts";
import { TinkerbellCluster } from "./api/tinkerbell-cluster.v1beta1.ts";
import { tinkerbellClusterConditions, tinkerbellMachineConditions } from "./api/tinkerbell-conditions.ts";
import { TinkerbellMachineTemplate } from "./api/tinkerbell-machine-template.v1beta1.ts";
import { TinkerbellMachine } from "./api/tinkerbell-machine.v1beta1.ts";
import { tinkerbellCluster } from "./cluster/tinkerbell-cluster.ts";
import { tinkerbellMachine } from "./machine/tinkerbell-machine.ts";

/** The kinds of machines that Tinkerbell installs. */
export const tinkerbellKinds: readonly Resource[] = [TinkerbellCluster, TinkerbellMachine, TinkerbellMachineTemplate];

/** The conditions of these kinds, by kind. */
export const tinkerbellConditions = {
  TinkerbellCluster: tinkerbellClusterConditions,
  TinkerbellMachine: tinkerbellMachineConditions,
};

/** The controllers of these kinds. */
export const tinkerbellControllers = (options: MetalProviderOptions): readonly ControllerV1[] => [
  tinkerbellCluster(options),
  tinkerbellMachine(options),
];
