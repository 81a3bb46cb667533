import { type CreateProviderV1, type ProviderV1, withOptions } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import {
  Cluster,
  IPAddress,
  IPAddressClaim,
  Machine,
  MachineDeployment,
  MachineDrainRule,
  MachineHealthCheck,
  MachinePool,
  MachineSet,
} from "./api.ts";
import { coreConditions } from "./api/conditions.ts";
import { clusterController } from "./cluster/controller.ts";
import { machineController } from "./machine/controller.ts";
import { machineDeploymentController } from "./machine-deployment/controller.ts";
import { machineHealthCheckController } from "./machine-health-check/controller.ts";
import { machinePoolController } from "./machine-pool/controller.ts";
import { machineSetController } from "./machine-set/controller.ts";
import type { CoreProviderOptions } from "./options.ts";
import { coreOptions, declaration, givenOptions } from "./options.ts";
import { coreWebhooks } from "./webhook/core-webhooks.ts";

const kinds = [
  Cluster,
  Machine,
  MachineSet,
  MachineDeployment,
  MachineHealthCheck,
  MachineDrainRule,
  MachinePool,
  IPAddressClaim,
  IPAddress,
];

/**
 * The controllers of Cluster, Machine, MachineSet, MachineDeployment, MachinePool and MachineHealthCheck. The application plugs in access
 * to workload clusters with `installWorkloadClusters` of the kit. IPAddressClaim and IPAddress are kinds without a controller here:
 * providers of addresses have theirs.
 */
export const createCoreProvider = (given: CoreProviderOptions = {}): ProviderV1 => {
  const options = coreOptions(given);
  return defineProvider({
    name: "core",
    kinds,
    conditions: coreConditions,
    webhooks: coreWebhooks(kinds),
    register: (host) => {
      host.add(clusterController(options));
      host.add(machineController(options));
      host.add(machineSetController(options));
      host.add(machineDeploymentController(options));
      host.add(machinePoolController(options));
      host.add(machineHealthCheckController(options));
    },
  });
};

/** The provider as the command loads it. */
export const createProvider = withOptions(declaration, (_outside, options) =>
  createCoreProvider(givenOptions(options)),
) satisfies CreateProviderV1;
