import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { inNamespace } from "./fill-template.ts";

it.each([
  ["v1", "Namespace"],
  ["v1", "Node"],
  ["v1", "PersistentVolume"],
  ["scheduling.k8s.io/v1", "PriorityClass"],
  ["storage.k8s.io/v1", "StorageClass"],
  ["storage.k8s.io/v1", "CSIDriver"],
  ["storage.k8s.io/v1", "VolumeAttachment"],
  ["networking.k8s.io/v1", "IngressClass"],
  ["node.k8s.io/v1", "RuntimeClass"],
  ["apiregistration.k8s.io/v1", "APIService"],
  ["apiextensions.k8s.io/v1", "CustomResourceDefinition"],
  ["admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"],
  ["admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding"],
  ["admissionregistration.k8s.io/v1beta1", "MutatingAdmissionPolicy"],
  ["flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration"],
  ["certificates.k8s.io/v1", "CertificateSigningRequest"],
  ["rbac.authorization.k8s.io/v1", "ClusterRoleBinding"],
  ["runtime.cluster.x-k8s.io/v1beta2", "ExtensionConfig"],
  ["infrastructure.cluster.x-k8s.io/v1beta2", "AWSClusterRoleIdentity"],
])("%s %s stays in no namespace", (apiVersion, kind) => {
  expect(namespaceOf(apiVersion, kind)).toBeUndefined();
});

it.each([
  ["v1", "Secret"],
  ["rbac.authorization.k8s.io/v1", "RoleBinding"],
  ["cluster.x-k8s.io/v1beta2", "Cluster"],
  ["infrastructure.cluster.x-k8s.io/v1beta1", "AzureClusterIdentity"],
  // Of the same name in another group.
  ["example.com/v1", "Node"],
  ["bmc.tinkerbell.org/v1alpha1", "Namespace"],
  // Every object has a member of this name.
  ["constructor/v1", "Widget"],
])("%s %s is put into the namespace", (apiVersion, kind) => {
  expect(namespaceOf(apiVersion, kind)).toBe("team");
});

const namespaceOf = (apiVersion: string, kind: string): unknown => {
  const text = inNamespace(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: a\n`, "team");
  return parseAllDocuments(text)[0]?.getIn(["metadata", "namespace"]);
};
