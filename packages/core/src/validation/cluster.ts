import { forbidden, invalid, versionCauses } from "@capstan/kit/admission";
import { isIPv4, isIPv6 } from "node:net";
import { isLabelValue } from "@capstan/kube-values";
import type { Cause } from "@capstan/schema";
import type { Cluster } from "../api.ts";

/** `address/bits`, of either family. */
export const isCidr = (text: string): boolean => {
  const [address = "", bits = "", ...more] = text.split("/");
  if (more.length > 0 || !/^(?:0|[1-9]\d{0,2})$/.test(bits)) return false;
  return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && !address.includes("%") && Number(bits) <= 128);
};

const rangeCauses = ({ spec }: Cluster): readonly Cause[] =>
  (["services", "pods"] as const).flatMap((what) =>
    (spec.clusterNetwork?.[what]?.cidrBlocks ?? []).flatMap((block, index) =>
      isCidr(block)
        ? []
        : [invalid(`spec.clusterNetwork.${what}.cidrBlocks[${index}]`, block, "must be a range such as 10.0.0.0/16")],
    ),
  );

/** What, once there, stays: other objects exist because of it. */
const removalCauses = ({ spec }: Cluster, old: Cluster | undefined): readonly Cause[] =>
  (["controlPlaneRef", "infrastructureRef", "topology"] as const).flatMap((field) =>
    old?.spec[field] !== undefined && spec[field] === undefined
      ? [forbidden(`spec.${field}`, "cannot be removed once it is set")]
      : [],
  );

/** Validates a Cluster. Its name becomes the value of a label on everything that belongs to it. */
export const validateCluster = (cluster: Cluster, old: Cluster | undefined): readonly Cause[] => {
  const { metadata, spec } = cluster;
  const { name = "" } = metadata;
  const isEmpty =
    spec.controlPlaneRef === undefined && spec.infrastructureRef === undefined && spec.topology === undefined;
  return [
    ...(isLabelValue(name)
      ? []
      : [invalid("metadata.name", name, "must be a valid label value of at most 63 characters")]),
    ...(isEmpty
      ? [forbidden("spec", "at least one of controlPlaneRef, infrastructureRef and topology must be set")]
      : []),
    ...removalCauses(cluster, old),
    ...rangeCauses(cluster),
    ...versionCauses(spec.topology?.version, "spec.topology.version"),
  ];
};
