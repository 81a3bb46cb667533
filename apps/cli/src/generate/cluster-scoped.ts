import { isBuiltInClusterScoped } from "@capstan/apiserver/kinds";
import { own } from "@capstan/schema";

/** Kinds outside of namespaces that our API server does not have itself, by group. */
const others: Readonly<Record<string, readonly string[]>> = {
  // Kubernetes.
  "admissionregistration.k8s.io": ["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"],
  "certificates.k8s.io": ["ClusterTrustBundle"],
  "flowcontrol.apiserver.k8s.io": ["FlowSchema", "PriorityLevelConfiguration"],
  "networking.k8s.io": ["IPAddress", "ServiceCIDR"],
  policy: ["PodSecurityPolicy"],
  "resource.k8s.io": ["DeviceClass", "DeviceTaintRule", "ResourceSlice"],
  // Cluster API and its providers.
  "runtime.cluster.x-k8s.io": ["ExtensionConfig"],
  "ipam.cluster.x-k8s.io": ["GlobalInClusterIPPool"],
  "infrastructure.cluster.x-k8s.io": [
    "AWSClusterControllerIdentity",
    "AWSClusterRoleIdentity",
    "AWSClusterStaticIdentity",
    "OpenStackClusterIdentity",
    "VSphereClusterIdentity",
    "VSphereDeploymentZone",
    "VSphereFailureDomain",
  ],
  // What templates often bring along.
  "cert-manager.io": ["ClusterIssuer"],
};

/** Returns whether objects are outside of namespaces, as far as that is known without a server: other kinds are taken to be in one. */
export const isClusterScoped = (apiVersion: string, kind: string): boolean => {
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return isBuiltInClusterScoped(group, kind) ?? own(others, group)?.includes(kind) ?? false;
};
