import { between, type Causes, dnsLabel, duplicate, invalid, oneOf, required, unique } from "./causes.ts";
import { containerCauses } from "./container.ts";
import { dnsCauses } from "./dns.ts";
import { dnsSubdomain } from "./names.ts";
import { listOf, type Part, partOf, textOf } from "../../values/object-parts.ts";
import { schedulingCauses } from "./scheduling.ts";
import { podSecurityCauses } from "./security.ts";
import { volumeCauses } from "./volume.ts";

const largestInt32 = 2_147_483_647;

const nameOf = (item: unknown): unknown => partOf(item)["name"];

/** One port of the host serves one container. */
const hostPortCauses = (spec: Part, field: string): Causes => {
  const seen = new Set<string>();
  return listOf(spec["containers"]).flatMap((container, index) =>
    listOf(partOf(container)["ports"]).flatMap((port, portIndex): Causes => {
      const { hostPort, hostIP, protocol, containerPort } = partOf(port);
      if ((hostPort ?? 0) === 0) {
        return [];
      }
      const at = `${field}.containers[${index}].ports[${portIndex}].hostPort`;
      const key = `${textOf(protocol)} ${textOf(hostIP)} ${String(hostPort)}`;
      const isTaken = seen.has(key);
      seen.add(key);
      return [
        ...(isTaken ? [duplicate(at, key)] : []),
        ...(spec["hostNetwork"] === true && hostPort !== containerPort
          ? [invalid(at, hostPort, "must match `containerPort` when `hostNetwork` is true")]
          : []),
      ];
    }),
  );
};

/** Causes of a PodSpec. */
export const podSpecCauses = (
  spec: Part,
  field: string,
  restartPolicies: readonly string[] = ["Always", "OnFailure", "Never"],
): Causes => {
  const volumes = listOf(spec["volumes"]).map(partOf);
  const surroundings = {
    spec,
    volumes: new Map(volumes.map((volume) => [textOf(volume["name"]), volume])),
    claims: new Set(listOf(spec["resourceClaims"]).map(nameOf)),
  };
  const containers = ["containers", "initContainers"].flatMap((list) =>
    listOf(spec[list]).map((value, index) => ({ list, value: partOf(value), field: `${field}.${list}[${index}]` })),
  );
  const { activeDeadlineSeconds, hostname, subdomain, os } = spec;
  return [
    ...(listOf(spec["containers"]).length === 0 ? [required(`${field}.containers`)] : []),
    ...containers.flatMap(({ list, value, field: at }) => containerCauses(value, at, list, surroundings)),
    ...unique(
      containers.map(({ value }) => value),
      nameOf,
      (index) => `${containers[index]?.field ?? field}.name`,
    ),
    ...hostPortCauses(spec, field),
    ...volumes.flatMap((volume, index) => volumeCauses(volume, `${field}.volumes[${index}]`)),
    ...unique(volumes, nameOf, (index) => `${field}.volumes[${index}].name`),
    ...oneOf(`${field}.restartPolicy`, spec["restartPolicy"], restartPolicies),
    ...dnsCauses(spec, field),
    ...between(`${field}.activeDeadlineSeconds`, activeDeadlineSeconds, 1, largestInt32),
    ...dnsLabel(`${field}.hostname`, hostname),
    ...dnsSubdomain(`${field}.hostnameOverride`, spec["hostnameOverride"]),
    ...dnsLabel(`${field}.subdomain`, subdomain),
    ...dnsSubdomain(`${field}.serviceAccountName`, spec["serviceAccountName"]),
    ...(textOf(partOf(os)["name"]) === "" ? [] : oneOf(`${field}.os`, partOf(os)["name"], ["linux", "windows"])),
    ...podSecurityCauses(spec, `${field}.securityContext`),
    ...schedulingCauses(spec, field),
  ];
};
