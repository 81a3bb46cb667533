import { checkRke2Spec, defaultedRke2Spec, rke2Warnings } from "@capstan/bootstrap-rke2-k3s/spec";
import { forbidden, invalid, required, unchanged } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { RKE2ControlPlane, RKE2ControlPlaneSpec } from "../api/rke2-control-plane.v1beta2.ts";

/** The spec of an RKE2ControlPlane without what templates do not have. */
export type Shared = Omit<RKE2ControlPlaneSpec, "replicas" | "version">;

/** Time limits of removing a Machine when there are none, in seconds. */
const deletion = { nodeDrainTimeoutSeconds: 120, nodeVolumeDetachTimeoutSeconds: 300, nodeDeletionTimeoutSeconds: 10 };

const rollingUpdate = { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } as const;

/** Applies defaults to the part that an RKE2ControlPlane and its template share. */
export const defaultedShared = <S extends Shared>(spec: S): S => {
  const { machineTemplate, rolloutStrategy } = spec;
  return {
    ...defaultedRke2Spec(spec),
    rolloutStrategy: { ...rollingUpdate, ...(rolloutStrategy as Partial<Shared["rolloutStrategy"]> | undefined) },
    ...(machineTemplate?.spec !== undefined && {
      machineTemplate: {
        ...machineTemplate,
        spec: { ...machineTemplate.spec, deletion: { ...deletion, ...machineTemplate.spec.deletion } },
      },
    }),
  };
};

/** The spec with its defaults. */
export const defaultedControlPlaneSpec = (spec: RKE2ControlPlaneSpec): RKE2ControlPlaneSpec => ({
  replicas: 1,
  ...defaultedShared(spec),
});

/** Returns warnings about fields that RKE2 has no equivalent for. */
export const controlPlaneWarnings = (spec: Shared, field: string): readonly string[] => [
  ...rke2Warnings(spec, field),
  ...(spec.serverConfig?.cloudControllerManager?.extraArgs === undefined
    ? []
    : [`${field}.serverConfig.cloudControllerManager.extraArgs is ignored: RKE2 has no such setting`]),
];

/** Validates the part that an RKE2ControlPlane and its template share. */
export const checkShared = (spec: Shared, field: string): readonly Cause[] => {
  const { registrationAddress = "", registrationMethod, rolloutStrategy, serverConfig = {} } = spec;
  const surge = rolloutStrategy.rollingUpdate?.maxSurge ?? 1;
  const server = `${field}.serverConfig`;
  return [
    ...checkRke2Spec(spec, field),
    ...(serverConfig.cniMultusEnable === true && (serverConfig.cni ?? "none") === "none"
      ? [invalid(`${server}.cni`, serverConfig.cni, "must be set when cniMultusEnable is true")]
      : []),
    ...(registrationMethod === "address" && registrationAddress === ""
      ? [required(`${field}.registrationAddress`, "requires registrationMethod address")]
      : []),
    ...(["0", "1"].includes(String(surge))
      ? []
      : [invalid(`${field}.rolloutStrategy.rollingUpdate.maxSurge`, surge, "must be 0 or 1")]),
    ...(serverConfig.secretsEncryption !== undefined && serverConfig.secretsEncryption.encryptionKeySecret === undefined
      ? [required(`${server}.secretsEncryption.encryptionKeySecret`, "it holds the key")]
      : []),
  ];
};

/** Validates the rest of a new or changed RKE2ControlPlane. */
export const checkControlPlane = (object: RKE2ControlPlane, old: RKE2ControlPlane | undefined): readonly Cause[] => {
  const { registrationMethod, replicas = 1 } = object.spec ?? {};
  const before = old?.spec?.registrationMethod ?? "";
  return [
    ...(replicas > 0 ? [] : [forbidden("spec.replicas", "a control plane has at least one server")]),
    ...(before === "" ? [] : unchanged("spec.registrationMethod", before, registrationMethod)),
  ];
};
