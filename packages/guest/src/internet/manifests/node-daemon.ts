interface NodeDaemon {
  readonly namespace: string;
  readonly name: string;
  /** Its label `k8s-app`. */
  readonly app: string;
  readonly account: string;
  readonly image: string;
  readonly command: readonly string[];
}

/** A DaemonSet on every Linux Node, whatever its taints, that writes the configuration of the network of its machine. */
export const nodeDaemon = ({
  account,
  app,
  command,
  image,
  name,
  namespace,
}: NodeDaemon): string => `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: ${name}
  namespace: ${namespace}
  labels:
    k8s-app: ${app}
spec:
  selector:
    matchLabels:
      k8s-app: ${app}
  template:
    metadata:
      labels:
        k8s-app: ${app}
    spec:
      hostNetwork: true
      priorityClassName: system-node-critical
      serviceAccountName: ${account}
      nodeSelector:
        kubernetes.io/os: linux
      tolerations:
        - operator: Exists
      containers:
        - name: ${app}
          image: ${image}
          command: ${JSON.stringify(command)}
          env:
            - name: NODE_NAME
              valueFrom:
                fieldRef:
                  fieldPath: spec.nodeName
          volumeMounts:
            - name: cni-net-dir
              mountPath: /host/etc/cni/net.d
      volumes:
        - name: cni-net-dir
          hostPath:
            path: /etc/cni/net.d
            type: DirectoryOrCreate
`;
