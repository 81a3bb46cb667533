import type { TypeTable } from "../type-table.ts";

/** Types of networking.k8s.io/v1; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const networkingTypes: TypeTable = {
  HTTPIngressPath: "path 1 string; pathType 3 string? required; backend 2 IngressBackend required",
  HTTPIngressRuleValue: "paths 1 [HTTPIngressPath] required",
  IPBlock: "cidr 1 string required; except 2 [string]",
  Ingress: "metadata 1 ObjectMeta; spec 2 IngressSpec; status 3 IngressStatus",
  IngressBackend: "service 4 IngressServiceBackend; resource 3 core.TypedLocalObjectReference",
  IngressClass: "metadata 1 ObjectMeta; spec 2 IngressClassSpec",
  IngressClassParametersReference:
    "apiGroup 1 string?; kind 2 string required; name 3 string required; scope 4 string?; namespace 5 string?",
  IngressClassSpec: "controller 1 string; parameters 2 IngressClassParametersReference",
  IngressLoadBalancerIngress: "ip 1 string; hostname 2 string; ports 4 [IngressPortStatus]",
  IngressLoadBalancerStatus: "ingress 1 [IngressLoadBalancerIngress]",
  IngressPortStatus: "port 1 int32 required; protocol 2 string required; error 3 string?",
  IngressRule: "host 1 string; ...IngressRuleValue 2 IngressRuleValue",
  IngressRuleValue: "http 1 HTTPIngressRuleValue",
  IngressServiceBackend: "name 1 string required; port 2 ServiceBackendPort",
  IngressSpec: "ingressClassName 4 string?; defaultBackend 1 IngressBackend; tls 2 [IngressTLS]; rules 3 [IngressRule]",
  IngressStatus: "loadBalancer 1 IngressLoadBalancerStatus",
  IngressTLS: "hosts 1 [string]; secretName 2 string",
  NetworkPolicy: "metadata 1 ObjectMeta; spec 2 NetworkPolicySpec",
  NetworkPolicyEgressRule: "ports 1 [NetworkPolicyPort]; to 2 [NetworkPolicyPeer]",
  NetworkPolicyIngressRule: "ports 1 [NetworkPolicyPort]; from 2 [NetworkPolicyPeer]",
  NetworkPolicyPeer: "podSelector 1 LabelSelector; namespaceSelector 2 LabelSelector; ipBlock 3 IPBlock",
  NetworkPolicyPort: "protocol 1 string?; port 2 IntOrString; endPort 3 int32?",
  NetworkPolicySpec:
    "podSelector 1 LabelSelector; ingress 2 [NetworkPolicyIngressRule]; egress 3 [NetworkPolicyEgressRule]; policyTypes 4 [string]",
  ServiceBackendPort: "@atomic; name 1 string; number 2 int32",
};
