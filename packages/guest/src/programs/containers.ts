import { readOptions, type UnixPrograms } from "../unix/program.ts";
import type { MachineSoftwareHost } from "./host.ts";

const defaultConfig = `version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "registry.k8s.io/pause:3.10"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
    SystemdCgroup = false
`;

/** The static Pod that kube-vip prints for its own arguments. */
const kubeVipPod = (args: readonly string[]): string => {
  const { options } = readOptions(args, ["--interface", "--address", "--vip", "--cidr", "--leaseDuration"]);
  return `apiVersion: v1
kind: Pod
metadata:
  name: kube-vip
  namespace: kube-system
spec:
  hostNetwork: true
  containers:
    - name: kube-vip
      image: ghcr.io/kube-vip/kube-vip:v0.9.2
      args: [manager]
      env:
        - { name: vip_interface, value: ${JSON.stringify(options.get("--interface") ?? "")} }
        - { name: address, value: ${JSON.stringify(options.get("--address") ?? options.get("--vip") ?? "")} }
`;
};

/** The programs of container runtimes; they need theirs to run. */
export const containerPrograms = ({ software }: MachineSoftwareHost): UnixPrograms => {
  const runs = (): boolean => software.services.get("containerd")?.running === true;
  return {
    containerd: ({ args, write }) => {
      if (args.join(" ") === "config default") write(defaultConfig);
      else if (args.includes("--version")) write(`containerd containerd.io ${software.programs.get("containerd")}\n`);
      return 0;
    },
    ctr: ({ args, fail, write }) => {
      if (!runs()) {
        return fail(
          "cannot access socket /run/containerd/containerd.sock: dial unix /run/containerd/containerd.sock: connect: no such file or directory",
        );
      }
      const at = args.indexOf("manifest");
      if (at > 0 && args.some((word) => word.includes("kube-vip"))) write(kubeVipPod(args.slice(at)));
      return 0;
    },
    crictl: ({ fail }) =>
      runs()
        ? 0
        : fail(
            'validate CRI v1 runtime API for endpoint "unix:///run/containerd/containerd.sock": rpc error: code = Unavailable',
          ),
    kubelet: ({ write }) => (write(`Kubernetes ${software.programs.get("kubelet")}\n`), 0),
  };
};
