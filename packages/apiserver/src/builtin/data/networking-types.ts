import type { TypeTable } from "../type-table.ts";

/** Types of networking.k8s.io/v1, kept only: their inner fields are not described. */
export const networkingTypes: TypeTable = {
  Ingress: "metadata 1 ObjectMeta; spec 2 RawExtension; status 3 RawExtension",
  IngressClass: "metadata 1 ObjectMeta; spec 2 RawExtension",
  NetworkPolicy: "metadata 1 ObjectMeta; spec 2 RawExtension",
};
