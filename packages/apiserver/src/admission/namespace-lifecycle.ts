import { forbidden, notFound } from "../model/status-error.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../registry/extension.ts";
import type { ResourceStore } from "../model/types.ts";

const namespaces = { group: "", plural: "namespaces" } as const;
const permanent = new Set(["default", "kube-system", "kube-public"]);

const checkCreate = (request: AdmissionRequest, store: ResourceStore): void => {
  const { definition, namespace, name } = request;
  const found = store.peek(namespaces, { name: namespace });
  if (found === undefined) {
    throw notFound(namespaces, namespace);
  }
  if (found.metadata.deletionTimestamp !== undefined) {
    throw forbidden(
      definition,
      name,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [
        {
          reason: "NamespaceTerminating",
          message: `namespace ${namespace} is being terminated`,
          field: "metadata.namespace",
        },
      ],
    );
  }
};

/** Objects, and what is done to them by creating something, are only created in namespaces that exist and stay; three namespaces are never deleted. */
export const namespaceLifecycle = (store: ResourceStore): AdmissionPlugin => ({
  name: "NamespaceLifecycle",
  validate: async (request) => {
    const { definition, operation, name, namespace } = request;
    const isReview = definition.group === "authorization.k8s.io";
    if (operation === "CREATE" && !isReview && definition.namespaced && namespace !== "") {
      checkCreate(request, store);
    }
    const isNamespace = definition.group === "" && definition.plural === "namespaces";
    if (operation === "DELETE" && isNamespace && permanent.has(name)) {
      throw forbidden(definition, name, "this namespace may not be deleted");
    }
  },
});
