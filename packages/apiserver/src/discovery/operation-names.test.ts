import { expect, it } from "vitest";
import type { ResourceDefinition } from "../model/types.ts";
import { type OperationPlace, operationNames } from "./operation-names.ts";

const place = (group: string, version: string, kind: string, more: Partial<OperationPlace> = {}): OperationPlace => ({
  definition: { group, version, kind, namespaced: true } as ResourceDefinition,
  inNamespace: true,
  ...more,
});

// All of kube-apiserver 1.36.
it.each([
  [place("", "v1", "Pod"), "get", "readCoreV1NamespacedPod", "core_v1"],
  [place("", "v1", "Pod", { inNamespace: false }), "list", "listCoreV1PodForAllNamespaces", "core_v1"],
  [place("", "v1", "Pod", { subresource: "eviction" }), "create", "createCoreV1NamespacedPodEviction", "core_v1"],
  [
    place("", "v1", "Pod", { subresource: "portforward", connects: "post" }),
    "create",
    "connectCoreV1PostNamespacedPodPortforward",
    "core_v1",
  ],
  [
    place("rbac.authorization.k8s.io", "v1", "Role"),
    "deletecollection",
    "deleteRbacAuthorizationV1CollectionNamespacedRole",
    "rbacAuthorization_v1",
  ],
  [
    place("d1.example-x.test", "v1beta2", "Widget", { subresource: "status" }),
    "update",
    "replaceD1ExampleXTestV1beta2NamespacedWidgetStatus",
    "d1ExampleXTest_v1beta2",
  ],
] as const)("of %j by %s is %s", (where, verb, operationId, tag) =>
  expect(operationNames(where, verb)).toEqual({ operationId, tags: [tag] }),
);
