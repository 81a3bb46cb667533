import { type KubeObject, sameJson } from "@capstan/schema";
import { isSet, type Part, specOf, textOf } from "../../values/object-parts.ts";
import { type Causes, forbidden, invalid } from "./causes.ts";
import { isChecked } from "./service.ts";

/** Returns the causes for changes of the cluster address or the health check port of a Service. */
export const keptCauses = (object: KubeObject, old: KubeObject): Causes => {
  const [spec, before] = [specOf(object), specOf(old)];
  const wasChecked = isChecked(before) && isSet(before["healthCheckNodePort"]);
  const moves = wasChecked && isChecked(spec) && spec["healthCheckNodePort"] !== before["healthCheckNodePort"];
  return [
    ...addressCauses(spec, before),
    ...(moves ? [forbidden("spec.healthCheckNodePort", "field is immutable")] : []),
  ];
};

const addressCauses = (spec: Part, before: Part): Causes => {
  const fixed = textOf(before["clusterIP"]) !== "" && spec["type"] !== "ExternalName";
  return fixed && !sameJson(spec["clusterIP"], before["clusterIP"])
    ? [invalid("spec.clusterIPs[0]", [spec["clusterIP"]], "may not change once set")]
    : [];
};
