import { workloadAccount } from "@capstan/kit/flavors";
/** The template of Linode's cloud controller manager, whose token and region are still to be filled in. */
export const linodeCloudController = `apiVersion: v1
kind: Secret
metadata:
  name: ccm-linode
  namespace: kube-system
data:
  apiToken: {{ .Values.apiTokenB64 }}
  region: {{ .Values.linodeRegionB64 }}
---
${workloadAccount(
  "ccm-linode",
  `- apiGroups: [""]
  resources: [nodes, nodes/status, services, services/status, events, configmaps, endpoints, secrets]
  verbs: ["*"]
`,
  { role: "ccm-linode-clusterrole", binding: "ccm-linode-clusterrolebinding" },
)}---
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: ccm-linode
  namespace: kube-system
  labels:
    app: ccm-linode
spec:
  selector:
    matchLabels:
      app: ccm-linode
  template:
    metadata:
      labels:
        app: ccm-linode
    spec:
      hostNetwork: true
      serviceAccountName: ccm-linode
      nodeSelector:
        node-role.kubernetes.io/control-plane: ""
      tolerations:
        - operator: Exists
      containers:
        - name: ccm-linode
          image: docker.io/linode/linode-cloud-controller-manager:latest
          args:
            - --leader-elect-resource-lock=leases
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
`;
