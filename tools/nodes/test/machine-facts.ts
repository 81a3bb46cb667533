/** Asks the API server, and once more when a connection that its load balancer lost says nothing. */
const get = (words: string): string => {
  const command = `timeout 60 kubectl --kubeconfig /etc/kubernetes/admin.conf get ${words} -o name`;
  return `{ ${command} || ${command}; }`;
};

/** Commands whose output is compared, by what they are about. */
const commands = {
  "bootstrapping ended": "cat /run/cluster-api/bootstrap-success.complete",
  kubeadm: "kubeadm version -o short",
  kubelet: "kubelet --version",
  "packages on hold": "apt-mark showhold | sort | xargs",
  containerd: "systemctl is-active containerd",
  "containerd starts with the machine": "systemctl is-enabled containerd",
  "the kubelet starts with the machine": "systemctl is-enabled kubelet",
  forwarding: "cat /proc/sys/net/ipv4/ip_forward",
  bridges: "cat /proc/sys/net/bridge/bridge-nf-call-iptables",
  swap: "tail -n +2 /proc/swaps",
  "modules at boot": "cat /etc/modules-load.d/kubernetes.conf | xargs",
  "sources of packages": "ls /etc/apt/sources.list.d | xargs",
  "control plane": "ls /etc/kubernetes/manifests | xargs",
  kubeconfigs: "ls /etc/kubernetes | grep conf | xargs",
  certificates: "ls /etc/kubernetes/pki | xargs",
  "data of etcd": "ls -d /var/lib/etcd/member",
  "kubeconfig of the kubelet": "test -s /etc/kubernetes/kubelet.conf",
  "settings of the kubelet": "ls /var/lib/kubelet/*config.yaml /var/lib/kubelet/*.env | xargs",
  "arguments of the kubelet": "cat /var/lib/kubelet/kubeadm-flags.env",
  Nodes: `${get("nodes")} | sort | xargs`,
  "static Pods": `${get("pods -n kube-system")} | grep $(hostname) | grep -v kube-vip | sort | xargs`,
  "namespaces of add-ons": get("namespace kube-flannel"),
} as const;

/** One line for each fact: what the command printed, or that it failed. */
export const factsScript = Object.entries(commands)
  .map(([fact, command]) => `echo "${fact}: $( (${command}) 2>/dev/null || echo failed)"`)
  .join("\n");

export type Facts = Readonly<Record<string, string>>;

export const readFacts = (text: string): Facts =>
  Object.fromEntries(
    text
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2).trim()]),
  );

/** Asks for every file that the user data writes: its mode, its owner and what is in it. */
export const filesScript = (userData: string): string =>
  [...userData.matchAll(/^- path: (\S+)$/gm)]
    .map(([, path]) => `echo "${path}: $(stat -c '%a %U:%G' ${path}) $(sha256sum < ${path})"`)
    .join("\n");
