import { rfc3339 } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { forbidden } from "../../model/status-error.ts";
import { listOf, specOf, statusOf, textOf, withSpec } from "../../values/object-parts.ts";
import { finalizerCauses, kubernetesFinalizer } from "../validation/namespace.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

const nameLabel = "kubernetes.io/metadata.name";

const immortal = new Set(["default", "kube-system", "kube-public"]);

const withNameLabel = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, labels: { ...object.metadata.labels, [nameLabel]: object.metadata.name ?? "" } },
});

const isHeld = (object: KubeObject): boolean => listOf(specOf(object)["finalizers"]).length > 0;

/** A namespace that is being deleted: its controller empties it and then clears spec.finalizers. */
const terminating = (object: KubeObject, now: number): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, deletionTimestamp: object.metadata.deletionTimestamp ?? rfc3339(now) },
  status: { ...statusOf(object), phase: "Terminating" },
});

export const namespaces: KindBehaviour = {
  selectableFields: { "status.phase": (object) => textOf(statusOf(object)["phase"]) },
  strategy: {
    nameFormat: "label",
    generation: false,
    unconditionalUpdate: true,
    prepareForCreate: (object) => {
      const finalizers = listOf(specOf(object)["finalizers"]).filter((name) => name !== kubernetesFinalizer);
      return {
        ...withSpec(withNameLabel(object), { finalizers: [...finalizers, kubernetesFinalizer] }),
        status: { phase: "Active" },
      };
    },
    prepareForUpdate: (object, old) => withSpec(withNameLabel(object), { finalizers: specOf(old)["finalizers"] }),
    validate: finalizerCauses,
    beforeDelete: (object, _options, { now }) => {
      const name = object.metadata.name ?? "";
      if (immortal.has(name)) {
        throw forbidden({ group: "", plural: "namespaces" }, name, "this namespace may not be deleted");
      }
      if (object.metadata.deletionTimestamp !== undefined) {
        return undefined;
      }
      return isHeld(object) ? terminating(object, now) : undefined;
    },
    retains: isHeld,
  },
  subresources: [
    {
      name: "finalize",
      verbs: ["update"],
      behaviour: {
        type: "part",
        take: (body, stored) => withSpec(stored, { finalizers: listOf(specOf(body)["finalizers"]) }),
      },
    },
    { name: "status", verbs: ["get", "patch", "update"], behaviour: { type: "status" } },
  ],
};
