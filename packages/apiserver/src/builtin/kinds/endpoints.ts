import type { KubeObject } from "@capstan/schema";
import { changed, filled, filledUnset, listOf, partOf } from "../../values/object-parts.ts";
import { immutable } from "../validation/causes.ts";
import { sliceCauses, subsetCauses } from "../validation/endpoints.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

const withProtocol = (ports: unknown): readonly unknown[] =>
  listOf(ports).map((port) => filledUnset(partOf(port), { protocol: "TCP" }));

export const endpoints: KindBehaviour = {
  deprecationWarning: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  applyDefaults: (object) =>
    changed(object, "subsets", (subsets) =>
      listOf(subsets).map((subset) => changed(partOf(subset), "ports", withProtocol)),
    ) as KubeObject,
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    createOnUpdate: true,
    validate: subsetCauses,
  },
};

export const endpointSlices: KindBehaviour = {
  applyDefaults: (object) =>
    changed(object, "ports", (ports) =>
      listOf(ports).map((port) => filled(partOf(port), { name: "", protocol: "TCP" })),
    ) as KubeObject,
  strategy: {
    unconditionalUpdate: true,
    validate: sliceCauses,
    validateUpdate: (object, old) => [
      ...sliceCauses(object),
      ...(object["addressType"] === old["addressType"] ? [] : [immutable("addressType", object["addressType"])]),
    ],
  },
};
