import type { TypeTable } from "../type-table.ts";

/** Types of apiregistration.k8s.io/v1; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const apiregistrationTypes: TypeTable = {
  APIService: "metadata 1 ObjectMeta; spec 2 APIServiceSpec; status 3 APIServiceStatus",
  APIServiceCondition:
    "type 1 string required; status 2 string required; lastTransitionTime 3 Time; reason 4 string; message 5 string",
  APIServiceSpec:
    "service 1 ServiceReference; group 2 string; version 3 string; insecureSkipTLSVerify 4 bool; caBundle 5 bytes; groupPriorityMinimum 7 int32 required; versionPriority 8 int32 required",
  APIServiceStatus: "conditions 1 [APIServiceCondition] map(type) patch(merge:type)",
  ServiceReference: "namespace 1 string; name 2 string; port 3 int32?",
};
