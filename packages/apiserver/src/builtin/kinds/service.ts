import { type KubeObject, sameJson } from "@capstan/schema";
import type { AddressRange } from "../../values/address-range.ts";
import { changed, filled, filledUnset, listOf, type Part, partOf, specOf, without } from "../../values/object-parts.ts";
import { keptCauses } from "../validation/service-update.ts";
import { isChecked, isExternal, isReachable, serviceCauses } from "../validation/service.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";
import { allocated, isAllocatedTwice } from "./service-allocation.ts";
import { withFamilies, withWantedFamilies } from "./service-families.ts";

const defaultPort = (value: unknown): unknown => {
  const port = partOf(value);
  const target = port["targetPort"];
  return filledUnset(port, {
    protocol: "TCP",
    ...(target === undefined || target === 0 || target === "" ? { targetPort: port["port"] } : {}),
  });
};

const withDefaults = (object: KubeObject, { family }: AddressRange): KubeObject => {
  const given = filledUnset(specOf(object), { type: "ClusterIP", sessionAffinity: "None" });
  const spec = given["sessionAffinity"] === "None" ? without(given, "sessionAffinityConfig") : given;
  if (spec["type"] === "ExternalName") {
    const named = without(spec, "internalTrafficPolicy");
    return { ...object, spec: changed(named, "ports", (ports) => listOf(ports).map(defaultPort)) };
  }
  const external = isReachable(spec) ? { externalTrafficPolicy: "Cluster" } : {};
  const balanced = spec["type"] === "LoadBalancer" ? { allocateLoadBalancerNodePorts: true } : {};
  const sticky =
    spec["sessionAffinity"] === "ClientIP" ? { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } } : {};
  const complete = filled(withFamilies(spec, family), {
    internalTrafficPolicy: "Cluster",
    ...external,
    ...balanced,
    ...sticky,
  });
  return { ...object, spec: changed(complete, "ports", (ports) => listOf(ports).map(defaultPort)) };
};

/** Fields that only some types of Services have, each with a test for these types. */
const dependent: Readonly<Record<string, (spec: Part) => boolean>> = {
  allocateLoadBalancerNodePorts: ({ type }) => type === "LoadBalancer",
  externalName: ({ type }) => type === "ExternalName",
  externalTrafficPolicy: isReachable,
  healthCheckNodePort: isChecked,
  ipFamilies: ({ type }) => type !== "ExternalName",
  ipFamilyPolicy: ({ type }) => type !== "ExternalName",
  loadBalancerClass: ({ type }) => type === "LoadBalancer",
};

const nodePortsOf = (spec: Part): readonly unknown[] => listOf(spec["ports"]).map((port) => partOf(port)["nodePort"]);

const withoutNodePort = (port: unknown): Part => without(partOf(port), "nodePort");

/** Without what the Service had because of its type, when its type has changed and no one has changed that. */
const withoutFieldsOfType = (object: KubeObject, old: KubeObject): KubeObject => {
  const before = specOf(old);
  const spec = withWantedFamilies(specOf(object), before);
  const lost = Object.entries(dependent)
    .filter(([name, has]) => has(before) && !has(spec) && sameJson(spec[name], before[name]))
    .map(([name]) => name);
  const losesPorts = isExternal(before) && !isExternal(spec) && sameJson(nodePortsOf(spec), nodePortsOf(before));
  const kept = Object.fromEntries(Object.entries(spec).filter(([name]) => !lost.includes(name)));
  return {
    ...object,
    spec: losesPorts ? changed(kept, "ports", (ports) => listOf(ports).map(withoutNodePort)) : kept,
  };
};

/** Services; addresses of new ones come from `range`, whose first is kept for the Service `kubernetes`. */
export const services = (range: AddressRange): KindBehaviour => ({
  applyDefaults: (object) => withDefaults(object, range),
  strategy: {
    nameFormat: "label",
    generation: false,
    unconditionalUpdate: true,
    createOnUpdate: true,
    prepareForCreate: (object, context) =>
      allocated({ ...object, status: { loadBalancer: {} } }, undefined, range, context),
    prepareForUpdate: (object, old, context) => allocated(withoutFieldsOfType(object, old), old, range, context),
    isOutrun: isAllocatedTwice,
    validate: (object) => serviceCauses(object, range.family),
    validateUpdate: (object, old, _context, subresource) =>
      subresource === "status" ? [] : [...serviceCauses(object, range.family), ...keptCauses(object, old)],
  },
  subresources: [
    { name: "proxy", verbs: ["create", "delete", "get", "patch", "update"], behaviour: { type: "absent" } },
    { name: "status", verbs: ["get", "patch", "update"], behaviour: { type: "status" } },
  ],
});
