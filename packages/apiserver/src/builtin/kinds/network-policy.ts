import { changed, filled, listOf, partOf, specOf, withSpec } from "../../values/object-parts.ts";
import { networkPolicyCauses } from "../validation/network-policy.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

const withProtocols = (rules: unknown): unknown =>
  listOf(rules).map((rule) =>
    changed(partOf(rule), "ports", (ports) => listOf(ports).map((port) => filled(partOf(port), { protocol: "TCP" }))),
  );

export const networkPolicies: KindBehaviour = {
  applyDefaults: (object) => {
    const spec = specOf(object);
    const policyTypes = listOf(spec["egress"]).length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
    const complete = filled(spec, { podSelector: {}, policyTypes });
    return withSpec(object, changed(changed(complete, "ingress", withProtocols), "egress", withProtocols));
  },
  strategy: {
    unconditionalUpdate: true,
    validate: networkPolicyCauses,
    validateUpdate: (object) => networkPolicyCauses(object),
  },
};
