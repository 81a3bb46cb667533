import { Label } from "@capstan/contract";
import { indented, type MachineFile, onControlPlane, workloadAccount } from "@capstan/kit/flavors";

export const cloudControllerSecretName = "${CLUSTER_NAME}-cloud-controller";

/** The controller's token for Linode, as it comes to the machines of the control plane. */
export const cloudControllerSecret = (name: string): string => `apiVersion: v1
kind: Secret
metadata:
  name: ${name}
  labels:
    ${Label.move}: "true"
stringData:
  linode-token.yaml: |
    apiVersion: v1
    kind: Secret
    metadata:
      name: ccm-linode
      namespace: kube-system
    stringData:
      apiToken: $\${LINODE_TOKEN}
      region: \${LINODE_REGION:=us-ord}
`;

export const cloudControllerTokenPath = "/etc/kubernetes/addons/linode-token.yaml";

/** The token as a file, an entry of `files`. */
export const cloudControllerTokenFile = `- path: ${cloudControllerTokenPath}
  owner: root:root
  permissions: "0600"
  contentFrom:
    secret:
      name: ${cloudControllerSecretName}
      key: linode-token.yaml
`;

/**
 * Linode's cloud controller: gives Nodes their provider ids, addresses, regions and instance types, deletes Nodes whose instances are gone,
 * and makes NodeBalancers for Services of the type LoadBalancer.
 */
export const cloudController: MachineFile = {
  path: "/etc/kubernetes/addons/linode-cloud-controller.yaml",
  content: `${workloadAccount(
    "ccm-linode",
    `- apiGroups: [""]
  resources: [nodes, nodes/status]
  verbs: [get, list, watch, update, patch, delete]
- apiGroups: [""]
  resources: [services, services/status]
  verbs: [get, list, watch, update, patch]
- apiGroups: [""]
  resources: [events]
  verbs: [create, update, patch]
- apiGroups: [""]
  resources: [configmaps, endpoints, secrets]
  verbs: [get, list, watch]
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [get, create, update]
`,
  )}---
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: ccm-linode
  namespace: kube-system
spec:
  selector:
    matchLabels:
      app: ccm-linode
  template:
    metadata:
      labels:
        app: ccm-linode
    spec:
      serviceAccountName: ccm-linode
      hostNetwork: true
      priorityClassName: system-cluster-critical
${indented(onControlPlane, 6)}      containers:
        - name: ccm-linode
          image: docker.io/linode/linode-cloud-controller-manager:v0.9.1
          args:
            - --leader-elect-resource-lock=leases
            - --secure-port=10253
            - --webhook-secure-port=0
            - --v=3
          env:
            - name: LINODE_API_TOKEN
              valueFrom:
                secretKeyRef:
                  name: ccm-linode
                  key: apiToken
            - name: LINODE_REGION
              valueFrom:
                secretKeyRef:
                  name: ccm-linode
                  key: region
`,
};
