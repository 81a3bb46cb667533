import { RKE2Config } from "@capstan/bootstrap-rke2-k3s/api";
import { rke2 } from "@capstan/bootstrap-rke2-k3s/render";
import { defaultedRke2Spec } from "@capstan/bootstrap-rke2-k3s/spec";
import { Group } from "@capstan/contract";
import { readReference } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { RKE2ControlPlane } from "../api.ts";
import { rke2Conditions } from "../api/conditions.ts";
import type { ControlPlaneDistribution } from "./distribution.ts";
import { remediationOf } from "./durations.ts";

/** The fields that an RKE2ControlPlane has of an RKE2Config. */
const configSpec = ({ spec }: RKE2ControlPlane): Readonly<Record<string, unknown>> => {
  const { agentConfig, files, gzipUserData, postRKE2Commands, preRKE2Commands, privateRegistriesConfig } = spec ?? {};
  const fields = { agentConfig, files, gzipUserData, postRKE2Commands, preRKE2Commands, privateRegistriesConfig };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
};

/** Rancher Turtles marks configs that it has added its agent to. */
const turtlesAnnotation = "cluster-api.cattle.io/turtles-system-agent";
const turtlesScript = "/opt/system-agent-install.sh";
const turtlesFiles: readonly unknown[] = [
  "/etc/rancher/agent/connect-info-config.json",
  "/etc/rancher/agent/config.yaml",
  turtlesScript,
];

const withoutTurtles = (
  spec: Readonly<Record<string, unknown>>,
  { metadata }: KubeObject,
): Readonly<Record<string, unknown>> => {
  if (metadata.annotations?.[turtlesAnnotation] === undefined) return spec;
  const { files, postRKE2Commands, ...rest } = spec;
  const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  return {
    ...rest,
    files: listOf(files).filter((file) => !turtlesFiles.includes((file as { readonly path?: string }).path)),
    postRKE2Commands: listOf(postRKE2Commands).filter((command) => command !== `sh ${turtlesScript}`),
  };
};

export const rke2ControlPlane: ControlPlaneDistribution<RKE2ControlPlane> = {
  kind: RKE2ControlPlane,
  configKind: RKE2Config,
  finalizer: `rke2.${Group.controlPlane}`,
  // As upstream's first releases wrote it.
  oldFinalizers: [`rke2.${Group.controlPlane.replace("control", "controle")}`],
  fieldManager: "rke2controlplane",
  terminationHook: "rke2-cleanup",
  serverAnnotation: `${Group.controlPlane}/rke2-server-configuration`,
  etcdCondition: rke2Conditions.etcdHealthy.type,
  distribution: rke2,
  desired: (object) => {
    const { machineTemplate, remediationStrategy, replicas = 1, rolloutStrategy, version } = object.spec ?? {};
    const { metadata, spec } = machineTemplate ?? {};
    const maxSurge = rolloutStrategy?.rollingUpdate?.maxSurge;
    return {
      replicas,
      version,
      infrastructureRef: readReference(object, "spec.machineTemplate.spec.infrastructureRef"),
      ...(metadata !== undefined && { metadata }),
      ...(spec?.deletion !== undefined && { settings: { deletion: spec.deletion } }),
      ...(maxSurge !== undefined && { rollout: { maxSurge: Number(maxSurge) } }),
      ...(remediationStrategy !== undefined && { remediation: remediationOf(remediationStrategy) }),
    };
  },
  configSpec,
  withoutInjected: withoutTurtles,
  exclusionAnnotation: `rke2.${Group.controlPlane}/load-balancer-exclusion`,
  withDefaults: (spec) => defaultedRke2Spec(spec),
  serverConfig: ({ spec }) => spec?.serverConfig ?? {},
  nodeAnnotations: ({ spec }) => spec?.agentConfig?.nodeAnnotations ?? {},
  registrationMethod: ({ spec }) => ({
    method: spec?.registrationMethod ?? "",
    address: spec?.registrationAddress ?? "",
  }),
};
