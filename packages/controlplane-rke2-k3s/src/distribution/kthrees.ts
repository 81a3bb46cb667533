import { KThreesConfig } from "@capstan/bootstrap-rke2-k3s/api";
import { k3s } from "@capstan/bootstrap-rke2-k3s/render";
import { defaultedKthreesSpec } from "@capstan/bootstrap-rke2-k3s/spec";
import { Annotation, Group } from "@capstan/contract";
import { readReference } from "@capstan/contract/wire";
import { KThreesControlPlane } from "../api.ts";
import { kthreesConditions } from "../api/conditions.ts";
import type { ControlPlaneDistribution } from "./distribution.ts";
import { deletionOf, remediationOf } from "./durations.ts";

export const kthreesControlPlane: ControlPlaneDistribution<KThreesControlPlane> = {
  kind: KThreesControlPlane,
  configKind: KThreesConfig,
  finalizer: `kthrees.${Group.controlPlane}`,
  fieldManager: "kthreescontrolplane",
  terminationHook: "k3s-cleanup",
  serverAnnotation: `${Group.controlPlane}/kthrees-server-configuration`,
  // The type is upstream's, with its suffix.
  etcdCondition: kthreesConditions.etcdHealthy.type,
  distribution: k3s,
  desired: (object) => {
    const { machineTemplate, remediationStrategy, replicas = 1, rolloutAfter, version } = object.spec ?? {};
    const { metadata } = machineTemplate ?? {};
    return {
      replicas,
      version,
      infrastructureRef: readReference(object, "spec.machineTemplate.infrastructureRef"),
      ...(metadata !== undefined && { metadata }),
      settings: { deletion: deletionOf(machineTemplate ?? {}) },
      ...(rolloutAfter !== undefined && { rollout: { after: rolloutAfter } }),
      ...(remediationStrategy !== undefined && { remediation: remediationOf(remediationStrategy) }),
    };
  },
  configSpec: ({ spec }) => spec?.kthreesConfigSpec ?? {},
  withDefaults: (spec) => {
    // Machines have the version.
    const { version: _, ...rest } = defaultedKthreesSpec(spec);
    return rest;
  },
  serverConfig: ({ spec }) => spec?.kthreesConfigSpec?.serverConfig ?? {},
  nodeAnnotations: () => ({}),
  createsToken: true,
  hasOlderConditions: true,
  // Upstream's manager holds Machines by the prefix alone.
  formerHooks: [Annotation.preTerminateHookPrefix.slice(0, -1)],
};
