import { indented, manifests } from "./yaml-parts.ts";

const rbac = "rbac.authorization.k8s.io";

/** A ServiceAccount of a cluster with a ClusterRole of its own. `rules`: YAML from the left. */
export const workloadAccount = (
  name: string,
  rules: string,
  {
    binding,
    namespace = "kube-system",
    role = name,
  }: {
    /** Name of the ClusterRoleBinding. Default: that of the role. */
    readonly binding?: string;
    /** Default `kube-system`. */
    readonly namespace?: string;
    /** Name of the ClusterRole. Default: that of the account. */
    readonly role?: string;
  } = {},
): string =>
  manifests([
    `apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${name}
  namespace: ${namespace}
`,
    `apiVersion: ${rbac}/v1
kind: ClusterRole
metadata:
  name: ${role}
rules:
${indented(rules, 2)}`,
    `apiVersion: ${rbac}/v1
kind: ClusterRoleBinding
metadata:
  name: ${binding ?? role}
roleRef:
  apiGroup: ${rbac}
  kind: ClusterRole
  name: ${role}
subjects:
  - kind: ServiceAccount
    name: ${name}
    namespace: ${namespace}
`,
  ]);

/** For the spec of a Pod, from the left: it runs on machines of the control plane, whatever their taints. kubeadm labels these with nothing, k3s and RKE2 with true. */
export const onControlPlane = `affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms:
        - matchExpressions:
            - key: node-role.kubernetes.io/control-plane
              operator: Exists
tolerations:
  - operator: Exists
`;
