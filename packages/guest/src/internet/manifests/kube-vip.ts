import { workloadAccount } from "@capstan/kit/flavors";
/** The rights of kube-vip where it runs as a DaemonSet. */
export const kubeVipRights = workloadAccount(
  "kube-vip",
  `- apiGroups: [""]
  resources: [services, services/status, nodes, endpoints]
  verbs: [list, get, watch, update]
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [list, get, watch, update, create]
`,
  { role: "system:kube-vip-role", binding: "system:kube-vip-binding" },
);

/** Returns the manifest of the controller that gives Services of type LoadBalancer addresses from a range, for kube-vip to announce. */
export const kubeVipCloudProvider = (version: string): string => `${workloadAccount(
  "kube-vip-cloud-controller",
  `- apiGroups: [""]
  resources: [configmaps, endpoints, events, services/status, leases]
  verbs: ["*"]
- apiGroups: [""]
  resources: [nodes, services]
  verbs: [list, get, watch, update]
`,
  { role: "system:kube-vip-cloud-controller-role", binding: "system:kube-vip-cloud-controller-binding" },
)}---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: kube-vip-cloud-provider
  namespace: kube-system
spec:
  replicas: 1
  selector:
    matchLabels:
      app: kube-vip
      component: kube-vip-cloud-provider
  template:
    metadata:
      labels:
        app: kube-vip
        component: kube-vip-cloud-provider
    spec:
      serviceAccountName: kube-vip-cloud-controller
      tolerations:
        - key: node-role.kubernetes.io/control-plane
          effect: NoSchedule
      containers:
        - name: kube-vip-cloud-provider
          image: ghcr.io/kube-vip/kube-vip-cloud-provider:${version}
          command: [/kube-vip-cloud-provider, --leader-elect-resource-name=kube-vip-cloud-controller]
`;
