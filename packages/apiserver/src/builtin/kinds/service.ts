import { deepEqual } from "@capstan/schema/structural";
import type { KubeObject } from "@capstan/schema";
import type { KindBehaviour } from "../kind-behaviour.ts";
import type { AddressRange } from "./address-range.ts";
import { between, dnsLabel, invalid, oneOf, required, unique } from "./causes.ts";
import type { Causes } from "./causes.ts";
import { ipAddress, labels, network, portNumberOrName } from "./names.ts";
import { changed, filled, listOf, partOf, specOf, textOf } from "./object-parts.ts";
import type { Part } from "./object-parts.ts";
import { allocated, isAllocatedTwice } from "./service-allocation.ts";

const types = ["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"];
const protocols = ["TCP", "UDP", "SCTP"];

export const isExternal = (spec: Part): boolean => spec["type"] === "NodePort" || spec["type"] === "LoadBalancer";

const defaultPort = (value: unknown): unknown => {
  const port = partOf(value);
  const target = port["targetPort"];
  return filled(port, {
    protocol: "TCP",
    ...(target === undefined || target === 0 || target === "" ? { targetPort: port["port"] } : {}),
  });
};

const applyDefaults = (object: KubeObject): KubeObject => {
  const spec = filled(specOf(object), { type: "ClusterIP", sessionAffinity: "None" });
  if (spec["type"] === "ExternalName") {
    return { ...object, spec: changed(spec, "ports", (ports) => listOf(ports).map(defaultPort)) };
  }
  const external = isExternal(spec) ? { externalTrafficPolicy: "Cluster" } : {};
  const balanced = spec["type"] === "LoadBalancer" ? { allocateLoadBalancerNodePorts: true } : {};
  const sticky =
    spec["sessionAffinity"] === "ClientIP" ? { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } } : {};
  const complete = filled(spec, {
    internalTrafficPolicy: "Cluster",
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    ...external,
    ...balanced,
    ...sticky,
  });
  return { ...object, spec: changed(complete, "ports", (ports) => listOf(ports).map(defaultPort)) };
};

const portCauses = (ports: readonly Part[]): Causes =>
  ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`;
    const target = port["targetPort"];
    return [
      ...(ports.length > 1 && textOf(port["name"]) === "" ? [required(`${field}.name`)] : []),
      ...dnsLabel(`${field}.name`, port["name"]),
      ...between(`${field}.port`, port["port"], 1, 65_535),
      ...portNumberOrName(`${field}.targetPort`, target),
      ...between(`${field}.nodePort`, port["nodePort"], 0, 65_535),
      ...oneOf(`${field}.protocol`, port["protocol"], protocols),
    ];
  });

const validate = (object: KubeObject): Causes => {
  const spec = specOf(object);
  const ports = listOf(spec["ports"]).map(partOf);
  const named = spec["type"] === "ExternalName";
  const portless = named || spec["clusterIP"] === "None";
  return [
    ...(ports.length === 0 && !portless ? [required("spec.ports")] : []),
    ...(named && textOf(spec["externalName"]) === "" ? [required("spec.externalName")] : []),
    ...oneOf("spec.type", spec["type"], types),
    ...oneOf("spec.sessionAffinity", spec["sessionAffinity"], ["None", "ClientIP"]),
    ...oneOf("spec.externalTrafficPolicy", spec["externalTrafficPolicy"], ["Cluster", "Local"]),
    ...oneOf("spec.internalTrafficPolicy", spec["internalTrafficPolicy"], ["Cluster", "Local"]),
    ...(isExternal(spec) && spec["clusterIP"] === "None"
      ? [invalid("spec.clusterIPs[0]", "None", "may not be set to 'None' for LoadBalancer services")]
      : []),
    ...portCauses(ports),
    ...labels("spec.selector", spec["selector"]),
    ...listOf(spec["externalIPs"]).flatMap((address, index) => ipAddress(`spec.externalIPs[${index}]`, address)),
    ...listOf(spec["loadBalancerSourceRanges"]).flatMap((range, index) =>
      network(`spec.LoadBalancerSourceRanges[${index}]`, textOf(range).trim()),
    ),
    ...unique(
      ports,
      (port) => partOf(port)["name"],
      (index) => `spec.ports[${index}].name`,
    ),
    ...unique(
      ports,
      (port) => [partOf(port)["protocol"], partOf(port)["port"]],
      (index) => `spec.ports[${index}]`,
    ),
  ];
};

const addressCauses = (object: KubeObject, old: KubeObject): Causes => {
  const [spec, before] = [specOf(object), specOf(old)];
  const fixed = textOf(before["clusterIP"]) !== "" && spec["type"] !== "ExternalName";
  return fixed && !deepEqual(spec["clusterIP"], before["clusterIP"])
    ? [invalid("spec.clusterIPs[0]", [spec["clusterIP"]], "may not change once set")]
    : [];
};

/** Services; addresses of new ones come from `range`, whose first is kept for the Service `kubernetes`. */
export const services = (range: AddressRange): KindBehaviour => ({
  applyDefaults,
  strategy: {
    nameFormat: "label",
    generation: false,
    unconditionalUpdate: true,
    createOnUpdate: true,
    prepareForCreate: (object, context) => allocated(object, undefined, range, context),
    prepareForUpdate: (object, old, context) => allocated(object, old, range, context),
    isOutrun: isAllocatedTwice,
    validate,
    validateUpdate: (object, old) => [...validate(object), ...addressCauses(object, old)],
  },
  subresources: [
    { name: "proxy", verbs: ["create", "delete", "get", "patch", "update"], behaviour: { type: "absent" } },
    { name: "status", verbs: ["get", "patch", "update"], behaviour: { type: "status" } },
  ],
});
