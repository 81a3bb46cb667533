import { checkKthreesVersion } from "@capstan/bootstrap-rke2-k3s/spec";
import { forbidden } from "@capstan/kit/admission";
import { type Cause, isJsonObject } from "@capstan/schema";
import type { KThreesControlPlane } from "../api/kthrees-control-plane.ts";

/**
 * A KThreesControlPlane with its defaults: one server, and the template of its infrastructure machines in its own namespace. Upstream's
 * controller looks for the template nowhere else. It may lack anything.
 */
export const defaultedKthreesControlPlane = (object: KThreesControlPlane): KThreesControlPlane => {
  const { metadata, spec } = object;
  if (!isJsonObject(spec)) return object;
  const template: unknown = spec["machineTemplate"];
  const reference: unknown = isJsonObject(template) ? template["infrastructureRef"] : undefined;
  const { namespace = "" } = metadata;
  const isUnplaced = isJsonObject(reference) && (reference["namespace"] ?? "") === "" && namespace !== "";
  if (!isUnplaced && spec["replicas"] !== undefined) return object;
  const placed = isUnplaced && {
    machineTemplate: { ...(template as object), infrastructureRef: { ...reference, namespace } },
  };
  return { ...object, spec: { replicas: 1, ...spec, ...placed } };
};

/** Causes of refusing a new or changed KThreesControlPlane, in addition to those of its kthreesConfigSpec. */
export const checkKthreesControlPlane = (
  { spec }: KThreesControlPlane,
  old: KThreesControlPlane | undefined,
): readonly Cause[] => {
  const { replicas = 1, version } = spec ?? {};
  return [
    ...(replicas > 0 ? [] : [forbidden("spec.replicas", "a control plane has at least one server")]),
    ...(version === undefined || version === old?.spec?.version ? [] : checkKthreesVersion(version, "spec.version")),
  ];
};
