import { workloadAccount } from "@capstan/kit/flavors";
const account = (name: string, resources: string): string => `${workloadAccount(
  name,
  `- apiGroups: [""]
  resources: [${resources}]
  verbs: ["*"]
`,
  { role: `system:${name}` },
)}---
`;

const registry = "mcr.microsoft.com/oss/v2/kubernetes";

/** The half that serves load balancers and deletes Nodes, on one control-plane machine. */
export const azureCloudControllerManager = (version: string): string => `${account(
  "cloud-controller-manager",
  "nodes, nodes/status, services, services/status, events, endpoints, configmaps, secrets, serviceaccounts",
)}apiVersion: apps/v1
kind: Deployment
metadata:
  name: cloud-controller-manager
  namespace: kube-system
  labels:
    component: cloud-controller-manager
spec:
  replicas: 1
  selector:
    matchLabels:
      component: cloud-controller-manager
  template:
    metadata:
      labels:
        component: cloud-controller-manager
        tier: control-plane
    spec:
      hostNetwork: true
      priorityClassName: system-node-critical
      serviceAccountName: cloud-controller-manager
      nodeSelector:
        node-role.kubernetes.io/control-plane: ""
      tolerations:
        - operator: Exists
      containers:
        - name: cloud-controller-manager
          image: ${registry}/azure-cloud-controller-manager:${version}
          command: [cloud-controller-manager]
          args:
            - --allocate-node-cidrs=false
            - --cloud-config=/etc/kubernetes/azure.json
            - --cloud-provider=azure
            - --cluster-name=kubernetes
            - --configure-cloud-routes=false
            - --controllers=*,-cloud-node
            - --leader-elect=true
          volumeMounts:
            - name: etc-kubernetes
              mountPath: /etc/kubernetes
              readOnly: true
      volumes:
        - name: etc-kubernetes
          hostPath:
            path: /etc/kubernetes
`;

/** The half that initializes Nodes, each its own. */
export const azureCloudNodeManager = (version: string): string => `${account(
  "cloud-node-manager",
  "nodes, nodes/status, events",
)}apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: cloud-node-manager
  namespace: kube-system
  labels:
    component: cloud-node-manager
spec:
  selector:
    matchLabels:
      k8s-app: cloud-node-manager
  template:
    metadata:
      labels:
        k8s-app: cloud-node-manager
    spec:
      hostNetwork: true
      priorityClassName: system-node-critical
      serviceAccountName: cloud-node-manager
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
          env:
            - name: NODE_NAME
              valueFrom:
                fieldRef:
                  fieldPath: spec.nodeName
`;
