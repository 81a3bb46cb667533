import type { TypeTable } from "../type-table.ts";

/** Types of discovery.k8s.io/v1; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const discoveryTypes: TypeTable = {
  Endpoint:
    "addresses 1 [string] required set; conditions 2 EndpointConditions; hostname 3 string?; targetRef 4 core.ObjectReference; deprecatedTopology 5 {string}; nodeName 6 string?; zone 7 string?; hints 8 EndpointHints",
  EndpointConditions: "ready 1 bool?; serving 2 bool?; terminating 3 bool?",
  EndpointHints: "forZones 1 [ForZone]; forNodes 2 [ForNode]",
  EndpointPort: "@atomic; name 1 string?; protocol 2 string?; port 3 int32?; appProtocol 4 string?",
  EndpointSlice: "metadata 1 ObjectMeta; addressType 4 string required; endpoints 2 [Endpoint]; ports 3 [EndpointPort]",
  ForNode: "name 1 string required",
  ForZone: "name 1 string required",
};
