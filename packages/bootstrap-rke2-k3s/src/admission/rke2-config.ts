import { forbidden, invalid, tidy } from "@capstan/kit/admission";
import { looksLikeJinja } from "@capstan/kit/bootstrap";
import type { Cause } from "@capstan/schema";
import { rke2AgentConfig } from "../api/rke2-agent-config.ts";
import type { RKE2ConfigSpec } from "../api/rke2-config.v1beta2.ts";
import { checkDocument, documentWarnings, withNormalizedData } from "./document.ts";
import { controlCharacters } from "./plain-text.ts";

type AgentConfig = NonNullable<RKE2ConfigSpec["agentConfig"]>;

const agentSchema = rke2AgentConfig();

/** A spec with its defaults: the format, normalised user data, and no empty values where the schema has none. */
export const defaultedRke2Spec = <S extends RKE2ConfigSpec>(spec: S): S => {
  const agent = tidy(agentSchema, spec.agentConfig ?? {}) as AgentConfig;
  return { ...spec, agentConfig: withNormalizedData({ ...agent, format: agent.format ?? "cloud-config" }) };
};

const unused = (kubelet: AgentConfig["kubelet"] = {}): readonly string[] =>
  (["extraEnv", "extraMounts", "overrideImage"] as const).filter((name) => kubelet[name] !== undefined);

/** Returns warnings about fields that RKE2 has no equivalent for. */
export const rke2Warnings = (spec: RKE2ConfigSpec, field: string): readonly string[] => {
  const { kubelet, nodeName = "" } = spec.agentConfig ?? {};
  return [
    ...documentWarnings(spec, field),
    ...(nodeName === "" || looksLikeJinja(nodeName)
      ? []
      : [
          `${field}.agentConfig.nodeName is ignored: without a Jinja expression, several Nodes would have the same name`,
        ]),
    ...unused(kubelet).map((name) => `${field}.agentConfig.kubelet.${name} is ignored: RKE2 has no such setting`),
  ];
};

/** Returns further warnings about an RKE2Config: only RKE2ControlPlanes have controllers that annotate Nodes. */
export const rke2ConfigWarnings = (spec: RKE2ConfigSpec, field: string): readonly string[] => [
  ...rke2Warnings(spec, field),
  ...(spec.agentConfig?.nodeAnnotations === undefined
    ? []
    : [`${field}.agentConfig.nodeAnnotations is ignored: the RKE2ControlPlane controller annotates its Nodes`]),
];

/** Validates the spec of an RKE2Config, an RKE2ControlPlane or a template of them. */
export const checkRke2Spec = (spec: RKE2ConfigSpec, field: string): readonly Cause[] => {
  const { airGapped, airGappedChecksum = "" } = spec.agentConfig ?? {};
  const checksum = `${field}.agentConfig.airGappedChecksum`;
  return [
    ...controlCharacters(spec, field),
    ...checkDocument(spec, field, "/etc/rancher/rke2/config.yaml"),
    ...(/^[0-9a-fA-F]*$/.test(airGappedChecksum)
      ? []
      : [invalid(checksum, airGappedChecksum, "must be a SHA-256 in hex")]),
    ...(airGappedChecksum !== "" && airGapped !== true ? [forbidden(checksum, "requires airGapped")] : []),
  ];
};
