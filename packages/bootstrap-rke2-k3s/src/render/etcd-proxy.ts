import { yamlText } from "@capstan/kit/bootstrap";

const labels = { app: "etcd-proxy" };

const noSchedule = (role: string) => ({
  key: `node-role.kubernetes.io/${role}`,
  operator: "Exists",
  effect: "NoSchedule",
});

const imageOf = (server: Readonly<Record<string, unknown>>): string => {
  const { etcdProxyImage: image, systemDefaultRegistry: registry } = server;
  if (typeof image === "string" && image !== "") return image;
  return `${typeof registry === "string" && registry !== "" ? `${registry}/` : ""}alpine/socat:1.8.0.0`;
};

/** The manifest of a proxy on every server: the control plane reaches etcd through a port forward to it. */
export const etcdProxy = (server: Readonly<Record<string, unknown>>): string =>
  yamlText({
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "etcd-proxy", namespace: "kube-system", labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          nodeSelector: { "node-role.kubernetes.io/etcd": "true" },
          tolerations: [noSchedule("control-plane"), noSchedule("master")],
          containers: [
            {
              name: "etcd-proxy",
              image: imageOf(server),
              args: ["TCP4-LISTEN:2379,fork,reuseaddr", "TCP4:$(HOSTIP):2379"],
              env: [{ name: "HOSTIP", valueFrom: { fieldRef: { fieldPath: "status.hostIP" } } }],
              resources: { requests: { cpu: "100m", memory: "200Mi" }, limits: { memory: "200Mi" } },
            },
          ],
        },
      },
    },
  });
