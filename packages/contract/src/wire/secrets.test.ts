import { expect, it } from "vitest";
import { clusterSecretProblem } from "./secrets.ts";

const label = { "cluster.x-k8s.io/cluster-name": "orchid" };
const by = (apiVersion: string, controller = true) => [
  { apiVersion, kind: "Owner", name: "one", uid: "1", controller },
];

it.each([
  ["the type of Clusters' Secrets", "cluster.x-k8s.io/secret", label, undefined, undefined],
  ["that of certificates", "kubernetes.io/tls", label, undefined, undefined],
  ["any other type", "Opaque", label, undefined, "its type is Opaque"],
  ["any other, of a control plane", "Opaque", label, by("controlplane.cluster.x-k8s.io/v1beta2"), undefined],
  [
    "any other, which a control plane does not control",
    "Opaque",
    label,
    by("controlplane.cluster.x-k8s.io/v1beta2", false),
    "its type",
  ],
  ["any other, of some other controller", "Opaque", label, by("external-secrets.io/v1"), "its type is Opaque"],
  [
    "that of a control plane, without the label",
    "Opaque",
    {},
    by("controlplane.cluster.x-k8s.io/v1beta2"),
    "it has no label",
  ],
])("a Secret with %s", (_, type, labels, ownerReferences, problem) => {
  const metadata = { name: "orchid-kubeconfig", labels, ...(ownerReferences !== undefined && { ownerReferences }) };
  const said = clusterSecretProblem({ apiVersion: "v1", kind: "Secret", type, metadata }, "orchid");
  if (problem === undefined) {
    expect(said).toBeUndefined();
  } else {
    expect(said).toContain(problem);
  }
});
