import { converterTable, same } from "@capstan/kit/admission";
import {
  Cluster,
  ClusterV1Beta1,
  IPAddress,
  IPAddressClaim,
  IPAddressClaimV1Alpha1,
  IPAddressClaimV1Beta1,
  IPAddressV1Alpha1,
  IPAddressV1Beta1,
  Machine,
  MachineDeployment,
  MachineDeploymentV1Beta1,
  MachineDrainRule,
  MachineDrainRuleV1Beta1,
  MachineHealthCheck,
  MachineHealthCheckV1Beta1,
  MachinePool,
  MachinePoolV1Beta1,
  MachineSet,
  MachineSetV1Beta1,
  MachineV1Beta1,
} from "../api.ts";
import { clusterShape } from "./cluster.ts";
import { firstClaimShape, ipAddressClaimShape } from "./ip-address-claim.ts";
import { machineDeploymentShape } from "./machine-deployment.ts";
import { machineHealthCheckShape } from "./machine-health-check.ts";
import { machinePoolShape } from "./machine-pool.ts";
import { machineSetShape } from "./machine-set.ts";
import { machineShape } from "./machine.ts";

/** Converts the kinds of the core between v1beta2 and their older versions, by the names of their definitions. */
export const coreConverters = converterTable([
  { older: ClusterV1Beta1, newer: Cluster, shape: clusterShape },
  { older: MachineV1Beta1, newer: Machine, shape: machineShape },
  { older: MachineSetV1Beta1, newer: MachineSet, shape: machineSetShape },
  { older: MachineDeploymentV1Beta1, newer: MachineDeployment, shape: machineDeploymentShape },
  { older: MachineHealthCheckV1Beta1, newer: MachineHealthCheck, shape: machineHealthCheckShape },
  { older: MachineDrainRuleV1Beta1, newer: MachineDrainRule, shape: same },
  { older: MachinePoolV1Beta1, newer: MachinePool, shape: machinePoolShape },
  { older: IPAddressV1Beta1, newer: IPAddress, shape: same },
  { older: IPAddressV1Alpha1, newer: IPAddress, shape: same },
  { older: IPAddressClaimV1Beta1, newer: IPAddressClaim, shape: ipAddressClaimShape },
  { older: IPAddressClaimV1Alpha1, newer: IPAddressClaim, shape: firstClaimShape },
]);
