import { rfc3339 } from "@capstan/contract";
import { changed, filled, isSet, partOf, specOf } from "../../values/object-parts.ts";
import { apiServiceCauses } from "../validation/api-service.ts";
import { statusSubresource } from "./plain-behaviours.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

/** Condition of an APIService that names no Service. */
export const localCondition = {
  type: "Available",
  status: "True",
  reason: "Local",
  message: "Local APIServices are always available",
} as const;

/** Who serves a version of a group: this server, or a Service that requests would be passed on to. */
export const apiServiceKind: KindBehaviour = {
  applyDefaults: (object) => {
    const spec = filled(specOf(object), { groupPriorityMinimum: 0, versionPriority: 0 });
    return { ...object, spec: changed(spec, "service", (service) => filled(partOf(service), { port: 443 })) };
  },
  strategy: {
    nameFormat: "path",
    generation: false,
    // Of a Service someone has to look first; that saves a second write for each version that is served here.
    prepareForCreate: (object, { now }) => ({
      ...object,
      status: isSet(specOf(object)["service"])
        ? {}
        : { conditions: [{ ...localCondition, lastTransitionTime: rfc3339(now) }] },
    }),
    validate: apiServiceCauses,
  },
  subresources: [statusSubresource],
};
