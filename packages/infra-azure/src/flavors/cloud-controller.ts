import { indented, type MachineFile, onControlPlane, workloadAccount } from "@capstan/kit/flavors";

/** Both parts of cloud-provider-azure have the version that was the newest for the Kubernetes of the flavors. */
const registry = "mcr.microsoft.com/oss/v2/kubernetes";
const version = "v1.34.3";

/** Nodes get their provider ids, addresses, zones and instance types by the node manager on each; the rest is the controller's. */
const manifests = `${workloadAccount(
  "cloud-controller-manager",
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
  resources: [configmaps, endpoints, persistentvolumes, secrets]
  verbs: [get, list, watch]
- apiGroups: [""]
  resources: [serviceaccounts]
  verbs: [get, list, watch, create, update]
- apiGroups: [discovery.k8s.io]
  resources: [endpointslices]
  verbs: [get, list, watch]
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [get, create, update]
`,
)}---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: cloud-controller-manager
  namespace: kube-system
spec:
  replicas: 1
  selector:
    matchLabels:
      component: cloud-controller-manager
  template:
    metadata:
      labels:
        component: cloud-controller-manager
    spec:
      serviceAccountName: cloud-controller-manager
      hostNetwork: true
      priorityClassName: system-cluster-critical
${indented(onControlPlane, 6)}      containers:
        - name: cloud-controller-manager
          image: ${registry}/azure-cloud-controller-manager:${version}
          command: [cloud-controller-manager]
          args:
            - --cloud-provider=azure
            - --cloud-config=/etc/kubernetes/azure.json
            - --cluster-name=\${CLUSTER_NAME}
            - --controllers=*,-cloud-node
            - --allocate-node-cidrs=false
            - --configure-cloud-routes=false
            - --leader-elect=true
            - --secure-port=10267
            - --v=2
          volumeMounts:
            - name: configuration
              mountPath: /etc/kubernetes
              readOnly: true
            - name: certificates
              mountPath: /etc/ssl
              readOnly: true
      volumes:
        - name: configuration
          hostPath:
            path: /etc/kubernetes
        - name: certificates
          hostPath:
            path: /etc/ssl
---
${workloadAccount(
  "cloud-node-manager",
  `- apiGroups: [""]
  resources: [nodes]
  verbs: [get, list, watch, update, patch]
- apiGroups: [""]
  resources: [nodes/status]
  verbs: [patch]
`,
)}---
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: cloud-node-manager
  namespace: kube-system
spec:
  selector:
    matchLabels:
      k8s-app: cloud-node-manager
  template:
    metadata:
      labels:
        k8s-app: cloud-node-manager
    spec:
      serviceAccountName: cloud-node-manager
      hostNetwork: true
      priorityClassName: system-node-critical
      nodeSelector:
        kubernetes.io/os: linux
      tolerations:
        - operator: Exists
      containers:
        - name: cloud-node-manager
          image: ${registry}/azure-cloud-node-manager:${version}
          command: [cloud-node-manager]
          args:
            - --node-name=$(NODE_NAME)
            - --wait-routes=false
            - --v=2
          env:
            - name: NODE_NAME
              valueFrom:
                fieldRef:
                  fieldPath: spec.nodeName
`;

/**
 * The cloud controller of Azure, for which machines have `/etc/kubernetes/azure.json`: it also makes load balancers for Services of the
 * type LoadBalancer, and deletes Nodes whose machines are gone. `folder`: k3s and RKE2 apply what lies in theirs.
 */
export const cloudController = (folder = "/etc/kubernetes/addons"): MachineFile => ({
  path: `${folder}/azure-cloud-controller.yaml`,
  content: manifests,
});
