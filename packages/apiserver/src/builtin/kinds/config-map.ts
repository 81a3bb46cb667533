import { configMapCauses } from "../validation/config-map.ts";
import { immutableDataCauses } from "../validation/data-values.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

export const configMaps: KindBehaviour = {
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    validate: configMapCauses,
    validateUpdate: (object, old) => [
      ...configMapCauses(object),
      ...immutableDataCauses(object, old, ["data", "binaryData"]),
    ],
  },
};
