import { isCapstanError } from "@capstan/contract";
import {
  annotationCauses,
  forbidden,
  invalid,
  labelCauses,
  required,
  taintCauses,
  unchanged,
  versionCauses,
} from "@capstan/kit/admission";
import { machineName } from "@capstan/kit/machines";
import type { Cause } from "@capstan/schema";
import type { KubeadmControlPlane, KubeadmControlPlaneTemplate } from "../api.ts";
import { machineConfigCauses } from "./config-rules.ts";
import { withoutDefaults } from "./defaults.ts";
import { changeCauses } from "./unchangeable.ts";

type Spec = KubeadmControlPlane["spec"];
type TemplateSpec = NonNullable<NonNullable<KubeadmControlPlaneTemplate["spec"]>["template"]["spec"]>;

/** etcd on the Machines needs a majority of an odd number; an external etcd does not care. */
const replicasCauses = (spec: Pick<Spec, "replicas" | "kubeadmConfigSpec">): readonly Cause[] => {
  const { replicas } = spec;
  if (replicas === undefined) return [required("spec.replicas", "is required")];
  if (replicas <= 0) return [forbidden("spec.replicas", "cannot be less than or equal to 0")];
  return replicas % 2 === 0 && spec.kubeadmConfigSpec?.clusterConfiguration?.etcd?.external === undefined
    ? [forbidden("spec.replicas", "cannot be an even number when etcd runs on the Machines")]
    : [];
};

const rolloutCauses = (
  { kubeadmConfigSpec, rollout }: TemplateSpec,
  path: string,
  replicas?: number,
): readonly Cause[] => {
  const at = `${path}.rollout`;
  const days = rollout?.before?.certificatesExpiryDays;
  const validity = kubeadmConfigSpec?.clusterConfiguration?.certificateValidityPeriodDays;
  const maxSurge = rollout?.strategy?.rollingUpdate?.maxSurge;
  const surge = `${at}.strategy.rollingUpdate.maxSurge`;
  return [
    ...(maxSurge === undefined || maxSurge === 0 || maxSurge === 1 ? [] : [required(surge, "must be 0 or 1")]),
    ...(maxSurge === 0 && replicas !== undefined && replicas < 3
      ? [required(surge, "must be 1 when there are fewer than 3 replicas")]
      : []),
    ...(days === undefined || validity === undefined || days < validity
      ? []
      : [
          invalid(
            `${at}.before.certificatesExpiryDays`,
            days,
            `must be less than certificateValidityPeriodDays, ${validity}: new Machines would be replaced immediately`,
          ),
        ]),
  ];
};

/** The same for every name that the template makes. */
const seed = { next: () => 0, bytes: (length: number) => new Uint8Array(length) };

const namingCauses = ({ machineNaming }: TemplateSpec, path: string): readonly Cause[] => {
  const template = machineNaming?.template;
  if (template === undefined) return [];
  try {
    machineName(template, { ".cluster.name": "cluster", ".kubeadmControlPlane.name": "control-plane" }, seed);
    return [];
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    return [invalid(`${path}.machineNaming.template`, template, error.message)];
  }
};

const commonCauses = (spec: TemplateSpec, path: string, replicas?: number): readonly Cause[] => {
  const { machineTemplate } = spec;
  const at = `${path}.machineTemplate`;
  return [
    ...rolloutCauses(spec, path, replicas),
    ...namingCauses(spec, path),
    ...labelCauses(machineTemplate?.metadata?.labels, `${at}.metadata.labels`),
    ...annotationCauses(machineTemplate?.metadata?.annotations, `${at}.metadata.annotations`),
    ...taintCauses(machineTemplate?.spec?.taints, `${at}.spec.taints`, { isControlPlane: true }),
    ...machineConfigCauses(spec.kubeadmConfigSpec, `${path}.kubeadmConfigSpec`),
  ];
};

/** Validates a control plane, and what an update changes of it. */
export const validateControlPlane = (
  object: KubeadmControlPlane,
  old: KubeadmControlPlane | undefined,
): readonly Cause[] => [
  ...replicasCauses(object.spec),
  ...versionCauses(object.spec.version, "spec.version"),
  ...commonCauses(object.spec, "spec", object.spec.replicas),
  ...(old === undefined ? [] : changeCauses(object, old)),
];

const templateSpec = (spec: KubeadmControlPlaneTemplate["spec"]): TemplateSpec =>
  withoutDefaults(spec?.template.spec ?? {});

/** Validates a template. It is immutable, because control planes were made from it. */
export const validateTemplate = (
  { spec }: KubeadmControlPlaneTemplate,
  old: KubeadmControlPlaneTemplate | undefined,
): readonly Cause[] => {
  const path = "spec.template.spec";
  return [
    ...labelCauses(spec?.template.metadata?.labels, "spec.template.metadata.labels"),
    ...annotationCauses(spec?.template.metadata?.annotations, "spec.template.metadata.annotations"),
    ...commonCauses(spec?.template.spec ?? {}, path),
    ...(old === undefined ? [] : unchanged(path, templateSpec(old.spec), templateSpec(spec))),
  ];
};
